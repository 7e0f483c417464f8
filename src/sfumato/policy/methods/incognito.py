"""The settings of Incognito."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method

__all__ = ["Incognito"]


class Incognito(Method):
    """As lattice without suppression, by the algorithm of the paper: subset by subset of the columns."""

    method: Literal["incognito"] = Field("incognito", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the minimal recoding of least loss, or any that keeps the promise, by secret chance"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
