"""The words of recursive (c,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["RecursiveCL"]


@promise
class RecursiveCL(Promise):
    """The most frequent value occurs less than c times as often as the values from the l-th on together.

    No value is too frequent, and stays so when some others are ruled out.

    >>> import sfumato as sf
    >>> print(sf.RecursiveCL(3, 2, on="disease"))
    recursive-cl (c=3, l=2, on=disease)

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    c: Annotated[Ratio, Field(gt=0, description="how many times as often; larger is weaker")]
    l: Annotated[Count, Field(ge=1, description="the values from the l-th on are set against the most frequent one")]
    on: OfColumn = None
    name: ClassVar[str] = "recursive-cl"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2}
