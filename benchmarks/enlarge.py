"""Tables of any number of rows, made from one: the same ones on every run.

duplicated   rows drawn again and again; at its own size the table itself
perturbed    drawn, then age moved by up to 3 in every other row and 5 % of all other cells drawn anew from their
             column, so that distinct rows grow with the table
hard         drawn, with one more quasi-identifier of 100,000 values: nearly every row is distinct

`seed` makes other draws, for one more block of a table that is made in blocks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.contract import Rows
from sfumato.table.domain import Domain
from sfumato.table.tuples import Codes

__all__ = ["DATA", "EXTRA", "duplicated", "hard", "perturbed"]

EXTRA = "postcode"
_POSTCODES = 100_000
_AGE, _YEARS, _MOVED, _REDRAWN = "age", 3, 0.5, 0.05


def duplicated(table: Rows, rows: int, seed: int = 0) -> Rows:
    if rows == len(table):
        return table
    return _taken(table, np.random.default_rng(_of(1, seed)).integers(0, len(table), rows))


def perturbed(table: Rows, rows: int, seed: int = 0) -> Rows:
    rng = np.random.default_rng(_of(2, seed))
    drawn = _taken(table, rng.integers(0, len(table), rows))
    noisy = {
        name: _moved(codes, rng) if name == _AGE else _redrawn(codes, table.codes[name], rng)
        for name, codes in drawn.codes.items()
    }
    return Rows.of(noisy, table.quasi, table.sensitive)


def hard(table: Rows, rows: int, seed: int = 0) -> Rows:
    base = duplicated(table, rows, seed)
    codes = np.random.default_rng(_of(3, seed)).integers(0, _POSTCODES, rows, dtype=np.int32)
    extra = Domain(
        EXTRA,
        pl.Series(EXTRA, np.arange(_POSTCODES)),
        np.zeros(_POSTCODES, dtype=np.int64),
        positions=np.arange(_POSTCODES, dtype=np.float64),
        ordered=True,
    )
    return Rows.of({**base.codes, EXTRA: codes}, (*base.quasi, extra), base.sensitive)


DATA: dict[str, Callable[..., Rows]] = {
    "duplicated": duplicated,
    "perturbed": perturbed,
    "hard": hard,
}


def _of(what: int, seed: int) -> int | tuple[int, int]:
    """Other draws for another block of a table."""
    return (what, seed) if seed else what


def _taken(table: Rows, rows: NDArray[np.int64]) -> Rows:
    return Rows.of({name: codes[rows] for name, codes in table.codes.items()}, table.quasi, table.sensitive)


def _moved(codes: Codes, rng: np.random.Generator) -> Codes:
    """Neighbouring codes are neighbouring years."""
    step = rng.integers(-_YEARS, _YEARS + 1, len(codes), dtype=np.int32)
    step[rng.random(len(step)) >= _MOVED] = 0
    made: Codes = np.clip(codes + step, codes.min(), codes.max())
    return made


def _redrawn(codes: Codes, original: Codes, rng: np.random.Generator) -> Codes:
    which = np.flatnonzero(rng.random(len(codes)) < _REDRAWN)
    made = codes.copy()
    made[which] = rng.choice(original, len(which))
    return made
