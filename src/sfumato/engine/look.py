"""A first look at a table: suggested roles with the evidence for each."""

from __future__ import annotations

from pathlib import Path

from sfumato.policy.suggest import Suggestion
from sfumato.policy.suggest import suggest as suggest_for
from sfumato.table.frames import from_frame
from sfumato.table.read import read_raw

__all__ = ["suggest"]


def suggest(data: object) -> tuple[Suggestion, ...]:
    """Suggestions for every column of a file or frame, never more than suggestions."""
    frame = read_raw(data) if isinstance(data, (str, Path)) else from_frame(data)[0]
    return suggest_for(frame)
