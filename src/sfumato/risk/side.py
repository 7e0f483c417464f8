"""What holder and outsider have in common: numbers of one table, from who may be whose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.release.codes import Codes
from sfumato.release.subject import Subject
from sfumato.risk.attackers import attacker
from sfumato.risk.lookup import Fitting
from sfumato.risk.report import Side
from sfumato.risk.sizes import SizeCounts
from sfumato.risk.thresholds import Threshold
from sfumato.risk.uniques import Coded, Uniques, uniques
from sfumato.table.packing import Packed

__all__ = ["shown_uniques", "side_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def side_of(
    rows: Floats,
    people: Ints,
    register: tuple[Fitting, Floats] | None,
    asked: Sequence[Threshold],
    sizes: SizeCounts,
    unique: Uniques,
) -> Side:
    """All attackers.

    rows       how many rows may be somebody's, of so many `people` of each kind
    register   what is told of the population, and of each kind of people how many fit
    """
    prosecutor = attacker(rows, people, asked)
    if register is None:
        return Side(prosecutor, None, prosecutor.mean, sizes, unique)
    told, fitting = register
    uncertain = np.where(rows > 0, np.maximum(rows, fitting), 0.0)
    journalist = attacker(uncertain, people, asked)
    counted = float(people[(uncertain > 0) & (uncertain <= 1)].sum())
    alone = counted if told.uniques is None else told.uniques
    return Side(prosecutor, journalist, journalist.mean, sizes, unique, alone, told.right)


def shown_uniques(subject: Subject) -> Uniques:
    """Rows of a release that no other equals in what it shows of quasi-identifiers side by side."""
    found = [
        _shown(frame.select([name for name in subject.quasi if name in frame.columns])) for frame in subject.people
    ]
    return max(found, key=lambda each: each.rows, default=Uniques(0))


def _shown(frame: pl.DataFrame) -> Uniques:
    columns = [Codes.alone(column) for column in frame.get_columns()]
    if not columns:
        return Uniques(0)
    packed = Packed.of_rows([(codes.rows, codes.size) for codes in columns])
    codes = [packed.codes(at).astype(np.int32) for at in range(len(columns))]
    return uniques(Coded(tuple(frame.columns), codes, tuple(each.size for each in columns), packed.counts))
