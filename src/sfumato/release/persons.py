"""Which published rows are of one person: for the holder's manifest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.release.documents import Persons

__all__ = ["rows_of_persons"]


def rows_of_persons(column: str, person: NDArray[np.int32] | None, people: NDArray[np.int64] | None) -> Persons | None:
    """Which published rows are of one person, by their places in the first table; None if the form does not say."""
    if person is not None and people is None:
        return None
    if person is None or people is None:
        return Persons(column=column, rows=())
    mine = person[people]
    several = np.flatnonzero((np.bincount(mine) > 1)[mine])
    order = several[np.argsort(mine[several], kind="stable")]
    runs = np.split(order, np.flatnonzero(np.diff(mine[order])) + 1) if len(order) else []
    return Persons(column=column, rows=tuple(sorted(tuple(run.tolist()) for run in runs)))
