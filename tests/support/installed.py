"""Packages of other people, as if they were installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from sfumato import extension


@dataclass(frozen=True)
class Entry:
    """An entry point whose piece is at hand; an exception is what loading it ends in."""

    name: str
    piece: Any

    def load(self) -> Any:
        if isinstance(self.piece, Exception):
            raise self.piece
        return self.piece


def install(monkeypatch: pytest.MonkeyPatch, own: str, pieces: Mapping[str, Any]) -> None:
    """A package that registers pieces under a name of its own, by the group of entry points that each belongs to."""

    def entry_points(group: str, name: str | None = None) -> list[Entry]:
        return [Entry(own, pieces[group])] if group in pieces and name in (None, own) else []

    monkeypatch.setattr(extension, "entry_points", entry_points)
