"""Tables of any number of rows, made from one: the same ones on every run.

duplicated   rows drawn again and again; at its own size the table itself
perturbed    drawn, then age moved by up to 3 in every other row and 5 % of all other cells drawn anew from their
             column, so that distinct rows grow with the table
hard         drawn, with one more quasi-identifier of 100,000 values: nearly every row is distinct
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl

from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["DATA", "EXTRA", "duplicated", "hard", "perturbed"]

EXTRA = "postcode"
_POSTCODES = 100_000
_AGE, _YEARS, _MOVED, _REDRAWN = "age", 3, 0.5, 0.05


def duplicated(table: Tuples, rows: int) -> Tuples:
    if rows == table.rows:
        return table
    return _taken(table, np.random.default_rng(1).integers(0, table.rows, rows))


def perturbed(table: Tuples, rows: int) -> Tuples:
    rng = np.random.default_rng(2)
    drawn = _taken(table, rng.integers(0, table.rows, rows))
    noisy = {
        column.name: _moved(column, rng) if column.name == _AGE else _redrawn(column, table[column.name], rng)
        for column in (*drawn.quasi, *drawn.sensitive)
    }
    return Tuples(
        rows,
        tuple(noisy[column.name] for column in drawn.quasi),
        tuple(noisy[column.name] for column in drawn.sensitive),
    )


def hard(table: Tuples, rows: int) -> Tuples:
    base = duplicated(table, rows)
    codes = np.random.default_rng(3).integers(0, _POSTCODES, rows, dtype=np.int32)
    values = pl.Series(EXTRA, np.arange(_POSTCODES))
    positions = np.arange(_POSTCODES, dtype=np.float64)
    extra = Domain(EXTRA, codes, values, positions=positions, ordered=True)
    return Tuples(rows, (*base.quasi, extra), base.sensitive)


DATA: dict[str, Callable[[Tuples, int], Tuples]] = {
    "duplicated": duplicated,
    "perturbed": perturbed,
    "hard": hard,
}


def _taken(table: Tuples, rows: np.typing.NDArray[np.int64]) -> Tuples:
    quasi, sensitive = ([column.take(rows) for column in part] for part in (table.quasi, table.sensitive))
    return Tuples(len(rows), tuple(quasi), tuple(sensitive))


def _moved(column: Domain, rng: np.random.Generator) -> Domain:
    """Neighbouring codes are neighbouring years."""
    step = rng.integers(-_YEARS, _YEARS + 1, len(column.codes), dtype=np.int32)
    step[rng.random(len(step)) >= _MOVED] = 0
    low, high = column.codes.min(), column.codes.max()
    return replace(column, codes=np.clip(column.codes + step, low, high))


def _redrawn(column: Domain, original: Domain, rng: np.random.Generator) -> Domain:
    which = np.flatnonzero(rng.random(len(column.codes)) < _REDRAWN)
    codes = column.codes.copy()
    codes[which] = rng.choice(original.codes, len(which))
    return replace(column, codes=codes)
