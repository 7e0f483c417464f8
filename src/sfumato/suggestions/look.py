"""A first look at a table: suggested roles with the evidence for each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.policy.load import input_settings
from sfumato.suggestions.suggest import Suggestion
from sfumato.suggestions.suggest import suggest as suggest_for
from sfumato.table.formats.headers import require_header
from sfumato.table.formats.source import read_raw
from sfumato.table.frames import from_frame

__all__ = ["suggest"]


def suggest(data: object, input: Mapping[str, Any] | None = None) -> tuple[Suggestion, ...]:
    """Suggestions for every column of a file or frame, never more than suggestions. `input` is as in a policy."""
    if not isinstance(data, (str, Path)):
        return suggest_for(from_frame(data, lists=None)[0])
    frame = read_raw(data, input_settings(input), None)
    require_header(frame, str(data))
    return suggest_for(frame)
