"""The population that people are from: how often each combination of quasi-identifiers goes with each secret.

A table of people, or of combinations with a column `count`. It may hold values that the original does not: they lie in
published cells as well, so columns are coded anew by the values of both. Where labels of a hierarchy were written by
somebody, only the hierarchy says what they mean, and people with values that it does not have are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.adversaries.given import given_table
from sfumato.errors import InputError
from sfumato.policy.columns import Column, FileHierarchy, ReadyHierarchy, TreeHierarchy
from sfumato.release.codes import Codes
from sfumato.release.fits import Known
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.taxonomy.text import key_of, text_of

__all__ = ["Population"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_COUNT = "count"
_MOST = 40_000_000
"""Pairs of combinations and classes that are looked at."""


@dataclass(frozen=True, eq=False)
class _Coding:
    """A column coded by the values of both tables: the code of every code of the original, and what cells stand for."""

    code: dict[str | None, int]
    of_original: Ints
    spans: CellSpans
    size: int


@dataclass(frozen=True, eq=False)
class Population:
    """Different combinations: a row of codes each, the secret's code (behind the last: none of the original) and mass.

    names      quasi-identifiers that it has
    outside    the share of the population that was left out
    """

    names: tuple[str, ...]
    points: NDArray[np.int32]
    secret: Ints
    mass: Floats
    outside: float
    codings: tuple[_Coding, ...]

    @classmethod
    def of(cls, subject: Subject, given: object, secret: str) -> Population:
        table = given_table(given, subject.policy.input, "population")
        names = tuple(name for name in subject.quasi if name in table.columns)
        if not names or secret not in table.columns:
            wanted = f"one of the published quasi-identifiers ({', '.join(subject.quasi)}), and the column {secret!r}"
            raise InputError(f"population: must have at least {wanted}")
        rows = _counts(table, subject.policy.names)
        codings: list[_Coding] = []
        columns: list[Ints] = []
        for name in names:
            codes, texts = _canonical(table[name], subject.policy.columns[name])
            codings.append(_coding(subject, name, texts))
            place = np.array([codings[-1].code.get(text, -1) for text in texts], dtype=np.int64)
            columns.append(place[codes])
        domain = subject.domain(secret)
        codes, texts = _canonical(table[secret], subject.policy.columns[secret])
        own = {None if value is None else text_of(value): code for code, value in enumerate(domain.values)}
        every = {**own, **{text: domain.size + at for at, text in enumerate(each for each in texts if each not in own)}}
        columns.append(np.array([every[text] for text in texts], dtype=np.int64)[codes])
        kept = np.flatnonzero((np.min(columns, axis=0) >= 0) & (rows > 0))
        sizes = [*(coding.size for coding in codings), len(every)]
        inside: list[tuple[Ints, int]] = [(column[kept], size) for column, size in zip(columns, sizes, strict=True)]
        packed = Packed.of_rows(inside)
        number = np.arange(len(kept)) if packed.numbers is None else packed.numbers
        points = [packed.codes(place) for place in range(len(names))]
        return cls(
            names,
            np.ascontiguousarray(np.stack(points, axis=1), dtype=np.int32),
            packed.codes(len(names)),
            np.bincount(number, weights=rows[kept], minlength=len(packed.counts)).astype(np.float64),
            float(1 - rows[kept].sum() / rows.sum()),
            tuple(codings),
        )

    def prior(self, known: Known) -> tuple[Ints, Ints, Floats]:
        """Per person and value that somebody of the population with their quasi-identifiers has: how many do."""
        columns = []
        for place, coding in enumerate(self.codings):
            mine = coding.of_original[known.codes[:, place]]
            columns.append((np.concatenate((mine, self.points[:, place].astype(np.int64))), coding.size))
        packed = Packed.of_rows(columns)
        number = np.arange(len(columns[0][0])) if packed.numbers is None else packed.numbers
        people, here = number[: len(known.counts)], number[len(known.counts) :]
        order = np.argsort(here, kind="stable")
        begin, end = (np.searchsorted(here[order], people, side=side) for side in ("left", "right"))
        many = end - begin
        owner = np.repeat(np.arange(len(people)), many)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(begin, many)
        return owner, self.secret[order[place]], self.mass[order[place]]

    def within(self, subject: Subject, classes: Ints, size: int) -> tuple[Ints, Floats]:
        """The mass of the population in every class by value: keys (class times `size` plus value), ascending."""
        from sfumato.release.loops.boxes import holding

        first = np.zeros(int(classes.max(initial=-1)) + 1, np.int64)
        first[classes[::-1]] = np.arange(len(classes) - 1, -1, -1)  # all rows of a class show the same
        cells = [subject.cells(name).codes[first] for name in self.names]
        low = [coding.spans.low[cell] for coding, cell in zip(self.codings, cells, strict=True)]
        high = [coding.spans.high[cell] for coding, cell in zip(self.codings, cells, strict=True)]
        point, group = holding(self.points, _stacked(low), _stacked(high), _MOST)
        if len(point) > _MOST:
            raise Lacking(f"a smaller population, or fewer classes: more than {_MOST:,} pairs of them fit")
        held = np.ones(len(point), dtype=np.bool_)
        for place, (coding, cell) in enumerate(zip(self.codings, cells, strict=True)):
            if coding.spans.torn.any():
                held &= coding.spans.has(cell[group], self.points[point, place].astype(np.int64))
        keys, at = np.unique(group[held].astype(np.int64) * size + self.secret[point[held]], return_inverse=True)
        return keys, np.bincount(at.reshape(-1), weights=self.mass[point[held]], minlength=len(keys)).astype(np.float64)


def _stacked(columns: Sequence[Ints]) -> NDArray[np.int32]:
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def _counts(table: pl.DataFrame, taken: Sequence[str]) -> Floats:
    """How many people each row is."""
    if _COUNT not in table.columns or _COUNT in taken:
        return np.ones(table.height)
    codes, texts = Codes.of(table[_COUNT])
    try:
        found = np.array([float(Decimal(text or "")) for text in texts])
    except InvalidOperation:
        found = np.array([-1.0])
    if not (found >= 0).all() or not np.isfinite(found).all() or not found[codes.rows].sum():
        raise InputError(f"population: column {_COUNT!r} must hold numbers of 0 or more, in every row, and not only 0")
    return np.asarray(found[codes.rows], dtype=np.float64)


def _canonical(column: pl.Series, told: Column) -> tuple[Ints, list[str | None]]:
    """A code per row, and the text of each as a value of that type is written."""
    codes, texts = Codes.of(column)
    keys = [None if text is None else key_of(text, told.kind) for text in texts]
    meant = [text if key is None else text_of(key) for key, text in zip(keys, texts, strict=True)]
    return codes.rows.astype(np.int64), meant


def _coding(subject: Subject, name: str, texts: Sequence[str | None]) -> _Coding:
    domain, column, cells = subject.domain(name), subject.policy.columns[name], subject.cells(name)
    own = [None if value is None else text_of(value) for value in domain.values]
    if isinstance(column.hierarchy, (FileHierarchy, ReadyHierarchy, TreeHierarchy)):
        code = {text: place for place, text in enumerate(own)}
        return _Coding(code, np.arange(domain.size), cells.spans, domain.size)
    known = {text for text in (*own, *texts) if text is not None}
    ascending = sorted(known, key=lambda text: _place(text, column))
    order = [*ascending, *([None] if None in own or None in texts else [])]
    both = Domain(name, pl.Series(order, dtype=pl.String), np.ones(len(order), np.int64), ordered=domain.ordered)
    code = {text: place for place, text in enumerate(order)}
    spans = CellSpans.of(cells.texts, both, column)
    return _Coding(code, np.array([code[text] for text in own], dtype=np.int64), spans, len(order))


def _place(text: str, column: Column) -> tuple[int, float, str]:
    """Numbers by their size, everything else by its text."""
    key = key_of(text, column.kind)
    return (0, float(key), text) if isinstance(key, (int, float)) else (1, 0.0, text)
