"""A release and its people as a puzzle: who may be which row; and every world of it as a table to be released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.adversaries.meant import Meanings, meanings
from sfumato.adversaries.whose import numbered_rows
from sfumato.adversaries.worlds import Puzzle, World
from sfumato.release.fits import Fits, Known
from sfumato.release.shares import Shares
from sfumato.release.subject import Lacking, Numbered, Subject
from sfumato.table.sets import consumed
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["Scene"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scene:
    """What who knows everybody's quasi-identifiers starts from.

    known     people by these
    secrets   what cells of secrets may stand for; a secret of the puzzle has a value of each
    whose     which of the people every row of the original is
    """

    subject: Subject
    table: Table
    known: Known
    secrets: tuple[Meanings, ...]
    puzzle: Puzzle
    whose: Ints

    @classmethod
    def of(cls, subject: Subject, lost: int) -> Scene:
        """`Lacking` where worlds cannot be told by who has which secret alone."""
        _require_plain(subject)
        table, secrets = subject.original, tuple(meanings(subject, lost))
        if table is None or not secrets:
            raise Lacking("a secret that is published")
        known = Known.of(subject.tuples, subject.quasi)
        return cls(subject, table, known, secrets, _puzzle(subject, known, secrets), numbered_rows(table, known.names))

    @property
    def truth(self) -> World:
        """What people really have."""
        tuples = self.subject.tuples
        place = {tuple(codes): person for person, codes in enumerate(self.known.codes.tolist())}
        held: list[Counter[Hashable]] = [Counter() for _ in self.known.counts]
        quasi, mine = (_coded(tuples, names) for names in (self.known.names, [each.name for each in self.secrets]))
        values = [tuples[each.name].values.to_list() for each in self.secrets]
        for codes, secret, count in zip(quasi, mine, tuples.counts.tolist(), strict=True):
            held[place[codes]][tuple(kind[code] for kind, code in zip(values, secret, strict=True))] += count
        return tuple(tuple(sorted(each.items(), key=repr)) for each in held)

    def frame(self, world: World) -> pl.DataFrame:
        """The original table with other secrets: everything else is as it is."""
        order = np.argsort(self.whose, kind="stable")
        held = [secret for each in world for secret, count in each for _ in range(count)]
        dealt: list[Any] = [None] * len(held)
        for row, secret in zip(order.tolist(), held, strict=True):
            dealt[row] = secret
        made = {
            each.name: pl.Series(each.name, [secret[place] for secret in dealt], dtype=each.dtype)
            for place, each in enumerate(self.secrets)
        }
        columns = self.table.columns
        others = {name: columns[name].spread().alias(name) for name in columns if name not in made}
        absent = {name: pl.Series(name, [None] * len(held), dtype=pl.String) for name in self.table.policy.given.names}
        return pl.DataFrame(list(({**absent, **others, **made}).values()))


def _require_plain(subject: Subject) -> None:
    tuples, seen, policy = subject.tuples, subject.seen, subject.policy
    if seen.changed:
        raise Lacking("secrets that are not changed at random")
    if tuples.person is not None:
        raise Lacking("one row per person")
    if tuples.beside:
        raise Lacking("no other columns: what is published beside quasi-identifiers and secrets is not followed")
    if consumed(policy) or any(name in tuples.finer for name in policy.sensitive):
        raise Lacking("secrets that are published as they stand in the table, not in bins or columns of 0 and 1")
    if not seen.linked(frozenset(subject.sensitive)):
        raise Lacking("one secret, or several that are shown in one row")


def _puzzle(subject: Subject, known: Known, secrets: Sequence[Meanings]) -> Puzzle:
    people, rows, sizes = subject.classes
    cells = [*zip(*(each.cells for each in secrets), strict=True)]
    counted: dict[tuple[int, tuple[str | None, ...]], int] = {}
    for kind in zip(rows.tolist(), cells, strict=True):
        counted[kind] = counted.get(kind, 0) + 1
    kinds = sorted(counted, key=repr)
    of_class: dict[int, list[int]] = {}
    for place, (group, _) in enumerate(kinds):
        of_class.setdefault(group, []).append(place)
    means = [tuple(product(*(each.of(cell) for each, cell in zip(secrets, shown, strict=True)))) for _, shown in kinds]
    counts = [counted[kind] for kind in kinds]
    if subject.suppressed:  # rows that are not shown are anybody's, and hold anything
        means.append(tuple(product(*(each.every for each in secrets))))
        counts.append(subject.suppressed)
    nothing = Shares(np.zeros(len(sizes) + 1, np.int64), np.zeros(0, np.int64), np.zeros(0), 1)
    fits = Fits.of(subject, known, Numbered(people, sizes, nothing))
    entries = _entries(fits, exactly=subject.seen.exact and len(subject.people) == 1 and not subject.suppressed)
    left_out = (len(kinds),) if subject.suppressed else ()
    return Puzzle(
        people=tuple(known.counts.tolist()),
        owner=tuple(owner for owner, _, _ in entries),
        wanted=tuple(wanted for _, wanted, _ in entries),
        may=tuple(
            (*(kind for group in groups for kind in of_class.get(group, [])), *left_out) for *_, groups in entries
        ),
        rows=tuple(counts),
        means=tuple(means),
    )


def _entries(fits: Fits, exactly: bool) -> list[tuple[int, int, list[int]]]:
    """Whose, how many rows and of which classes; where it is shown how many of somebody alike a class has, by class."""
    made: list[tuple[int, int, list[int]]] = []
    for person, count in enumerate(fits.known.counts.tolist()):
        span = slice(int(fits.starts[person]), int(fits.starts[person + 1]))
        groups, weights = fits.classes[span].tolist(), fits.weights[span].tolist()
        if exactly:
            made += [(person, round(weight), [group]) for group, weight in zip(groups, weights, strict=True)]
        else:
            made.append((person, count, groups))
    return made


def _coded(tuples: Tuples, names: Sequence[str]) -> list[tuple[int, ...]]:
    """The codes of every tuple in some columns."""
    if not names:
        return [()] * len(tuples)
    return [*zip(*(tuples.codes[name].tolist() for name in names), strict=True)]
