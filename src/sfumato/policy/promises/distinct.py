"""The words of distinct l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count
from sfumato.policy.promise import Promise, promise

__all__ = ["DistinctL"]


@promise
class DistinctL(Promise):
    """At least l different sensitive values in every group."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "distinct-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
