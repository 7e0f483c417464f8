"""The words of recursive (c,l)-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["RecursiveCL"]


@promise
class RecursiveCL(Promise):
    """The most frequent value occurs less than c times as often as the values from the l-th on together."""

    c: Annotated[Ratio, Field(gt=0)]
    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "recursive-cl"
    example: ClassVar[Mapping[str, Any]] = {"c": 2, "l": 2}
