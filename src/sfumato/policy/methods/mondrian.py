"""The settings of Mondrian."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method

__all__ = ["Mondrian"]


class Mondrian(Method):
    """Split the table in two again and again, as long as both halves keep the promise."""

    method: Literal["mondrian"] = Field("mondrian", description="which algorithm decides who shares a group")
    relaxed: bool = Field(False, description="rows equal at the median may go to either side")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
