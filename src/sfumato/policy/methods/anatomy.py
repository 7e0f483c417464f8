"""The settings of Anatomy."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Anatomy"]


class Anatomy(Method):
    """Deal rows to groups of different sensitive values, by secret chance."""

    method: Literal["anatomy"] = Field("anatomy", description="which algorithm decides who shares a group")
