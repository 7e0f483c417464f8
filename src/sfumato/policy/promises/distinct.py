"""The words of distinct l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn
from sfumato.policy.promise import Promise, promise

__all__ = ["DistinctL"]


@promise
class DistinctL(Promise):
    """At least l different sensitive values in every group.

    The weakest of the kind: one value may still fill nearly all of a group. `EntropyL` and `RecursiveCL` ask for more.

    >>> import sfumato as sf
    >>> sf.KAnonymity(5) & sf.DistinctL(3, on="disease")
    KAnonymity(k=5) & DistinctL(l=3, on='disease')

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    l: Annotated[Count, Field(ge=1, description="the least different values in a group")]
    on: OfColumn = None
    name: ClassVar[str] = "distinct-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
