"""The words of negative/positive disclosure-recursive (c1,c2,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, Ratio, Values
from sfumato.policy.promise import Promise, promise

__all__ = ["NpdRecursive"]


@promise
class NpdRecursive(Promise):
    """pd-recursive (c1,l), and every protected value in at least c2 percent of each group."""

    c1: Annotated[Ratio, Field(gt=0)]
    c2: Annotated[Ratio, Field(ge=0, le=100)]
    l: Annotated[Count, Field(ge=1)]
    disclosable: Values = ()
    protected: Values = ()
    on: str | None = None
    name: ClassVar[str] = "npd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c1": 2, "c2": 5, "l": 2, "disclosable": ["a"], "protected": ["b"]}
