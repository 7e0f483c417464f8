"""The words of positive disclosure-recursive (c,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn, Ratio, Values
from sfumato.policy.promise import Promise, promise

__all__ = ["PdRecursive"]


@promise
class PdRecursive(Promise):
    """Recursive (c,l), except for values that may be disclosed.

    >>> import sfumato as sf
    >>> print(sf.PdRecursive(3, 2, disclosable=("flu",)))
    pd-recursive (c=3, l=2, disclosable=1 value)

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    c: Annotated[Ratio, Field(gt=0, description="as c of `RecursiveCL`: larger is weaker")]
    l: Annotated[Count, Field(ge=1, description="the values from the l-th on are set against the most frequent one")]
    disclosable: Annotated[Values, Field(description="values that may become known")] = ()
    on: OfColumn = None
    name: ClassVar[str] = "pd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2, "disclosable": ["a"]}
