"""The words of pairwise l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count
from sfumato.policy.promise import Promise, promise

__all__ = ["PairwiseL"]


@promise
class PairwiseL(Promise):
    """All sensitive values of a group different, and at least l of them. Needs a published group id."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "pairwise-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True
