"""The settings of grouping along a line."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Hilbert"]


class Hilbert(Method):
    """Group rows with the next ones of different sensitive value along a line: a space-filling curve, or iDistance."""

    method: Literal["hilbert"] = Field("hilbert", description="which algorithm decides who shares a group")
    order: Literal["hilbert", "idistance"] = Field(
        "hilbert", description="how rows are lined up: along the curve, or by their distance from reference points"
    )
    later: ClassVar[frozenset[str]] = frozenset({"order"})
