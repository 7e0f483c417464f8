"""A first look at a table: suggested roles with the evidence for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import TableError
from sfumato.policy.load import input_settings
from sfumato.policy.suggest import Suggestion
from sfumato.policy.suggest import suggest as suggest_for
from sfumato.table.frames import from_frame
from sfumato.table.read import read_raw

__all__ = ["suggest"]

_DATUM = re.compile(r"\s*[+-]?[0-9][0-9.,:/ -]*\s*")


def suggest(data: object, input: Mapping[str, Any] | None = None) -> tuple[Suggestion, ...]:
    """Suggestions for every column of a file or frame, never more than suggestions. `input` is as in a policy."""
    if not isinstance(data, (str, Path)):
        return suggest_for(from_frame(data, lists=None)[0])
    frame = read_raw(data, input_settings(input), None)
    numbers = sum(bool(_DATUM.fullmatch(name)) for name in frame.columns)
    if 2 * numbers >= frame.width:
        raise TableError(
            f"{data}: {numbers} of {frame.width} names in the first line are numbers or dates, as if it were a row;"
            " put a line with the names of the columns before it"
        )
    return suggest_for(frame)
