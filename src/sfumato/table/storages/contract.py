"""What a kind of storage is to everybody else: a frozen `Storage`, one for each kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.table.storages.uri import Uri

__all__ = ["Storage"]


@dataclass(frozen=True, eq=False)
class Storage:
    """One kind of storage.

    called     in words, as messages have it
    grammar    how its URIs are written
    host       what stands before the first slash of one
    settings   that may stand behind its question mark; none of them is a secret
    keys       where its keys and passwords come from, in words: never from a URI
    opened     its file system, of `pyarrow.fs`; `InputError` before any work if there can be none
    root       what stands before the path of a URI there
    renames    whether a folder gets another name in one step; else only a single object appears in one
    """

    called: str
    grammar: str
    host: re.Pattern[str]
    settings: frozenset[str]
    keys: str
    opened: Callable[[Uri], Any]
    root: Callable[[Uri], str]
    renames: bool
