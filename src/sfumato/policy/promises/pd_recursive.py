"""The words of positive disclosure-recursive (c,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, Ratio, Values
from sfumato.policy.promise import Promise, promise

__all__ = ["PdRecursive"]


@promise
class PdRecursive(Promise):
    """Recursive (c,l), except for values that may be disclosed."""

    c: Annotated[Ratio, Field(gt=0)]
    l: Annotated[Count, Field(ge=1)]
    disclosable: Values = ()
    on: str | None = None
    name: ClassVar[str] = "pd-recursive"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2, "disclosable": ["a"]}
