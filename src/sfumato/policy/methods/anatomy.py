"""The settings of Anatomy."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sfumato.policy.method import Method

__all__ = ["Anatomy"]


class Anatomy(Method):
    """Deal rows to groups of different sensitive values, by secret chance.

    Quasi-identifiers are not looked at, so it goes with forms that show them as they are, such as `Anatomized`.

    >>> import sfumato as sf
    >>> sf.Anatomy()
    Anatomy()

    Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
    https://dl.acm.org/doi/10.5555/1182635.1164141
    """

    method: Literal["anatomy"] = Field("anatomy", description="which algorithm decides who shares a group")
