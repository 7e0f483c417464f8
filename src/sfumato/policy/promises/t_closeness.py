"""The words of t-closeness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.parameters import OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["TCloseness"]


@promise
class TCloseness(Promise):
    """Sensitive values of every group within distance t of the whole original table.

    What somebody learns by finding a group is little more than what the whole table says.

    >>> import sfumato as sf
    >>> print(sf.TCloseness("1/5", "ordered", on="salary"))
    t-closeness (t=0.2, distance=ordered, on=salary)

    Li, Li, Venkatasubramanian: t-closeness. ICDE 2007. https://doi.org/10.1109/ICDE.2007.367856
    """

    t: Annotated[
        Ratio, Field(ge=0, le=1, description="the largest distance, from 0 (as the table) to 1; smaller is stronger")
    ]
    distance: Annotated[
        Literal["equal", "ordered", "hierarchical"],
        Field(description="between values: all equally far, by their order, or by their hierarchy"),
    ] = "equal"
    on: OfColumn = None
    name: ClassVar[str] = "t-closeness"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}
