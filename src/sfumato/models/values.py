"""The codes of values that a promise names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.table.domain import Domain
from sfumato.taxonomy.text import text_of

__all__ = ["which_codes"]


def which_codes(column: Domain, texts: Sequence[str], setting: str) -> NDArray[np.bool_]:
    """A flag per code: whether it is one of the values that `setting` lists. `Refused` if one is not in the column."""
    codes = {text_of(value): code for code, value in enumerate(column.values.to_list()) if value is not None}
    unknown = sum(text not in codes for text in texts)
    if unknown:
        raise Refused(
            f"column {column.name!r} does not have {unknown} of the {len(texts)} values listed under '{setting}'; "
            f"write them as the data does"
        )
    flags = np.zeros(column.size, dtype=np.bool_)
    flags[[codes[text] for text in texts]] = True
    return flags
