"""The words of t-closeness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.parameters import Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["TCloseness"]


@promise
class TCloseness(Promise):
    """Sensitive values of every group within distance t of the whole original table."""

    t: Annotated[Ratio, Field(ge=0, le=1)]
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    on: str | None = None
    name: ClassVar[str] = "t-closeness"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}
