"""The words of negative/positive disclosure-recursive (c1,c2,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn, Ratio, Values
from sfumato.policy.promise import Promise, promise

__all__ = ["NpdRecursive"]


@promise
class NpdRecursive(Promise):
    """pd-recursive (c1,l), and every protected value in at least c2 percent of each group.

    For values that must not be believed, and others that must not be ruled out.

    >>> import sfumato as sf
    >>> print(sf.NpdRecursive(2, 5, 2, protected=("cancer",)))
    npd-recursive (c1=2, c2=5, l=2, protected=1 value)

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    c1: Annotated[Ratio, Field(gt=0, description="as c of `RecursiveCL`: larger is weaker")]
    c2: Annotated[Ratio, Field(ge=0, le=100, description="the least share of every protected value, in percent")]
    l: Annotated[Count, Field(ge=1, description="the values from the l-th on are set against the most frequent one")]
    disclosable: Annotated[Values, Field(description="values that may become known")] = ()
    protected: Annotated[Values, Field(description="values that must not be ruled out")] = ()
    on: OfColumn = None
    name: ClassVar[str] = "npd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c1": 2, "c2": 5, "l": 2, "disclosable": ["a"], "protected": ["b"]}
