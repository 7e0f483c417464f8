"""Rows that come part by part, gathered as what they are: different rows, counted; never all of them at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from sfumato.errors import TableError
from sfumato.table.alike import AlikeRows
from sfumato.table.distinct import Distinct, Distincts, entries_of, joined
from sfumato.table.origin import Origin
from sfumato.table.packing import Packed

__all__ = ["Most", "TooManyRows", "gathered"]

_GROWTH = 2
"""Entries are made one again when they are so many times those of the last time: each is looked at a few times only."""
_LEAST = 1 << 20


class TooManyRows(Exception):
    """More different rows than may be held."""


@dataclass(frozen=True)
class Most:
    """How many entries may be held.

    entries   of so many columns
    rows      of the whole table, if that is known before they are read
    """

    entries: Callable[[int], int]
    rows: int | None = None

    def exceeded(self, found: _Gathering, columns: int) -> bool:
        """Whether there are more already, or will be: entries become fewer and fewer new ones as rows go on, yet seldom
        below half of what they were at first."""
        limit, held = self.entries(columns), sum(map(entries_of, found.parts))
        if len(found.parts) == 1 and found.rows == held:
            return held > limit
        foreseen = 0 if self.rows is None else held * self.rows // (2 * max(found.rows, 1))
        return held > _GROWTH * limit or min(foreseen, self.rows or 0) > limit


def gathered(
    parts: Iterable[tuple[Distincts, Origin]], apart: bool = False, most: Most | None = None
) -> tuple[Distincts, Origin]:
    """The rows of all parts, one at least, which have the same columns; and where they are from, as the last part says.

    Of several parts, equal rows become one entry, and entries stand in the order of their first rows. Rows of one part
    stay as they are, and so do those that are to stay apart: whose they are matters, or what each stands for.
    `TableError` if a column is of one type here and of another there. `most` says how many entries may be held;
    `TooManyRows` if there are more, or will be.
    """
    gathering, last = _Gathering(apart), Origin("", "")
    for part, origin in parts:
        _require_types(gathering.parts, part, origin)
        gathering.add(part)
        if most is not None and most.exceeded(gathering, len(part)):
            raise TooManyRows
        last = origin
    made = gathering.together()
    if most is not None and entries_of(made) > most.entries(len(made)):
        raise TooManyRows
    return made, last


def _require_types(before: Sequence[Distincts], part: Distincts, origin: Origin) -> None:
    for name, found in part.items() if before else ():
        dtype, other = found.values.dtype, before[-1][name].values.dtype
        if dtype != other and not (isinstance(dtype, pl.Null) or isinstance(other, pl.Null)):
            raise TableError(
                f"{origin.name}: column {name!r} is {other} in some parts and {dtype} in others; make it one type"
            )


@dataclass(eq=False)
class _Gathering:
    """Parts so far, and the rows in them. Each part follows the ones before, so that first rows ascend."""

    apart: bool
    parts: list[Distincts] = field(default_factory=list)
    rows: int = 0
    _last: int = _LEAST

    def add(self, columns: Distincts) -> None:
        """One more part, whose rows stand one by one."""
        begin, self.rows = self.rows, self.rows + entries_of(columns)
        self.parts.append(columns)
        if self.apart or len(self.parts) == 1:
            return
        if begin == entries_of(self.parts[0]):  # the first is no longer alone
            self.parts[0] = _merged(_counted(self.parts[0], 0))
        self.parts[-1] = _merged(_counted(columns, begin))
        if sum(map(entries_of, self.parts)) > _GROWTH * self._last:
            self.parts = [self.together()]
            self._last = max(entries_of(self.parts[0]), _LEAST)

    def together(self) -> Distincts:
        if len(self.parts) == 1:
            return self.parts[0]
        made = {name: joined([part[name] for part in self.parts]) for name in self.parts[0]}
        if self.apart:
            return made
        held = [next(iter(part.values())).entries for part in self.parts]
        entries = [each for each in held if each is not None]
        every = AlikeRows(
            np.concatenate([each.times for each in entries]), np.concatenate([each.first for each in entries])
        )
        return _merged({name: replace(each, entries=every) for name, each in made.items()})


def _counted(columns: Distincts, begin: int) -> Distincts:
    """Rows one by one as entries, the first of them with a number."""
    rows = entries_of(columns)
    every = AlikeRows(np.ones(rows, np.int64), np.arange(begin, begin + rows))
    return {name: replace(each, entries=every) for name, each in columns.items()}


def _merged(columns: Distincts) -> Distincts:
    """Entries that are equal in every column made one."""
    entries = next(iter(columns.values())).entries
    if entries is None:
        raise ValueError("rows that stand one by one are not merged")
    packed = Packed.of_rows([(each.codes, len(each.values)) for each in columns.values()], -1, entries.times)
    if len(packed.counts) == len(entries.times):
        return columns
    first = packed.first()
    order = np.argsort(first)
    made = AlikeRows(packed.counts[order], entries.first[first[order]])
    return {name: Distinct(each.values, each.codes[first[order]], made) for name, each in columns.items()}
