"""Whether a CSV file holds more than its cells, told by its length: nothing has to be written for it."""

from __future__ import annotations

import numpy as np

from sfumato.table.dictionaries import codes_of, values_of
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.csv.sink import header_line, written

__all__ = ["as_long_as_its_cells"]


def as_long_as_its_cells(found: Reread) -> bool | None:
    """Whether a plain CSV file is as long as its cells are when they are written; None: that does not tell.

    What is more than cells makes a plain file longer, and nothing makes it shorter: blank lines, and quotes around a
    text that needs none. A text that needs them has them: without, its comma or line end would part it, and its quotes
    would stand inside a field. Only a byte order mark before a text could stand there bare, so who finds one, or a
    quote, must compare byte by byte.
    """
    if not found.plain:
        return None
    frame = found.frame
    length = len(header_line(frame.columns)) + frame.height * frame.width
    for column in frame.get_columns():
        texts, codes = values_of(column), codes_of(column)
        if texts.str.contains('"|^\\u{FEFF}').any():
            return None
        rows = np.bincount(codes, minlength=len(texts) + 1)[: len(texts)]
        length += int(written(texts).str.len_bytes().to_numpy() @ rows)
    return length == found.size
