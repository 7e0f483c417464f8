"""The words of unique distinct l-diversity by the letter of its paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count
from sfumato.policy.promise import Promise, promise

__all__ = ["UniqueDistinctLiteral"]


@promise
class UniqueDistinctLiteral(Promise):
    """Exactly l different sensitive values, however often each occurs: the paper's letter, which bounds nothing."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "unique-distinct-literal"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True

    def with_slack(self, steps: int) -> Promise:
        return self  # exactly l: a larger l is another promise, not a stronger one
