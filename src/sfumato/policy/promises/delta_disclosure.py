"""The words of delta-disclosure privacy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["DeltaDisclosure"]


@promise
class DeltaDisclosure(Promise):
    """Every sensitive value within a factor e^delta of its share of the whole original table, in every group."""

    delta: Annotated[Ratio, Field(gt=0)]
    on: str | None = None
    name: ClassVar[str] = "delta-disclosure"
    example: ClassVar[Mapping[str, Any]] = {"delta": 1}
