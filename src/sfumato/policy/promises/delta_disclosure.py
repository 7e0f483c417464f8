"""The words of delta-disclosure privacy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["DeltaDisclosure"]


@promise
class DeltaDisclosure(Promise):
    """Every sensitive value within a factor e^delta of its share of the whole original table, in every group.

    Every value of the table must occur in every group, neither much more nor much less often than in the table.

    >>> import sfumato as sf
    >>> print(sf.DeltaDisclosure(2))
    delta-disclosure (delta=2)

    Brickell, Shmatikov: The cost of privacy. KDD 2008. https://doi.org/10.1145/1401890.1401904
    """

    delta: Annotated[
        Ratio,
        Field(gt=0, description="how far the logarithm of a share may be from that in the table; smaller is stronger"),
    ]
    on: OfColumn = None
    name: ClassVar[str] = "delta-disclosure"
    example: ClassVar[Mapping[str, Any]] = {"delta": 1}
