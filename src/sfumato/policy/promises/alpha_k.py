"""The words of (alpha,k)-anonymity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["AlphaK"]


@promise
class AlphaK(Promise):
    """At least k rows in every group and no sensitive value in more than alpha of them."""

    alpha: Annotated[Ratio, Field(gt=0, le=1)]
    k: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "alpha-k"
    example: ClassVar[Mapping[str, Any]] = {"alpha": "1/2", "k": 2}
