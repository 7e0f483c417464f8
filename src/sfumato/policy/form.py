"""What the settings of every form of publication have in common, and what it declares with them."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import Nothing, Section
from sfumato.policy.settings import Varied

__all__ = ["Form"]


class Form(Varied):
    """Settings of a form of publication.

    names_groups   it publishes a group id whatever its settings
    tables         how many tables a release has
    shown          what it says in ``release.json``
    sealed         what it says to the holder, in the manifest
    phrases        its words in the data dictionary; None: they are not a closed list, and nobody checks them
    """

    publish: str = Field(description="which form")
    names_groups: ClassVar[bool] = False
    tables: ClassVar[int] = 1
    shown: ClassVar[type[Section]] = Nothing
    sealed: ClassVar[type[Section]] = Nothing
    phrases: ClassVar[Phrases | None] = None
