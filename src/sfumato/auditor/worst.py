"""The worst groups of a promise: those that break it first, then those that come nearest to it.

A rule names one class that decides. Which comes next is asked of the same rule without that class, so that a rule of
another package is listed like any other; each class is then judged by itself. Classes with the same counts share an
entry. What is told are counts, and where one such group stands in the release: never a value of the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.auditor.exactly import Ints
from sfumato.auditor.mending import mended
from sfumato.auditor.rules import Ruling
from sfumato.auditor.ruling import SHAPE, Hearing
from sfumato.auditor.verdict import JudgedGroup
from sfumato.release.classes import Classes
from sfumato.table.tally import Counted

if TYPE_CHECKING:
    from sfumato.auditor.court import Court

__all__ = ["worst_groups"]


def worst_groups(hearing: Hearing, most: int, court: Court) -> tuple[JudgedGroup, ...]:
    """So many classes, the worst first; `court` knows where they stand."""
    chosen = [*_worst_first(hearing, most)]
    believed = court.seen.beliefs is not None
    places = _places(hearing, chosen, court) if hearing.apart and not believed else [None] * len(chosen)
    return tuple(_told(hearing, at, place, court, believed) for at, place in zip(chosen, places, strict=True))


def _worst_first(hearing: Hearing, most: int) -> Iterator[int]:
    """Numbers of classes."""
    ruling = hearing.rule.judge(hearing.promise, hearing.case)
    if not isinstance(ruling, Ruling):
        return
    kept = np.asarray(ruling.kept, dtype=np.bool_)
    order = np.arange(len(kept)) if ruling.order is None else ruling.order
    left = most
    for pool in (order[~kept[order]], order[kept[order]]):
        if ruling.order is not None:
            yield from pool[:left].tolist()
            left -= min(left, len(pool))
            continue
        while left and len(pool):
            again = hearing.rule.judge(hearing.promise, replace(hearing.case, classes=hearing.case.classes.only(pool)))
            at = again.worst if isinstance(again, Ruling) else 0
            yield int(pool[at])
            pool, left = np.delete(pool, at), left - 1


def _told(hearing: Hearing, at: int, place: int | None, court: Court, believed: bool) -> JudgedGroup:
    case = replace(hearing.case, classes=hearing.case.classes.only(np.array([at])))
    alone, classes = hearing.rule.judge(hearing.promise, case), case.classes
    kept = isinstance(alone, Ruling) and bool(alone.kept[0])
    told = JudgedGroup(
        groups=int(classes.alike[0]), kept=kept, level=alone.level if isinstance(alone, Ruling) else None
    )
    if believed:
        return told
    add, leave = (None, None) if kept else mended(hearing.promise, hearing.rule, case)
    shown = court.seen.table
    group = None if place is None or court.group_id is None else str(shown[court.group_id][place])
    return told.model_copy(
        update={
            "size": int(classes.sizes[0]),
            "values": int(classes.distinct[0]) if hearing.rule.values or hearing.rule.terms else None,
            "counts": classes.shape(0, SHAPE),
            "row": None if place is None or court.seen.parts else place + 1,
            "group": group if hearing.view == "group id" else None,
            "add": add,
            "leave": leave,
        }
    )


def _places(hearing: Hearing, chosen: list[int], court: Court) -> list[int | None]:
    """Per class the first row of the first group of the release that has these counts."""
    column = hearing.blank.on if hearing.rule.values or hearing.rule.terms else None
    found = court.tally.count([*hearing.apart, column or ""], first=True)
    begins = np.flatnonzero(found.fresh(len(hearing.apart)))
    if found.row is None or not len(begins):
        return [None] * len(chosen)
    groups = _Standing(found, begins, np.minimum.reduceat(found.row, begins))
    places = (groups.place(hearing.case.classes, at) for at in chosen)
    return [None if place is None else _row(place, court) for place in places]


@dataclass(frozen=True, eq=False)
class _Standing:
    """Groups of the release, one after the other: what was counted, where each begins, and its first row."""

    found: Counted
    begins: Ints
    first: Ints

    def place(self, classes: Classes, at: int) -> int | None:
        """The first row of a group with the counts of a class."""
        mine = slice(int(classes.starts[at]), int(classes.starts[at + 1]))
        order = np.argsort(classes.values[mine])
        values, wanted = classes.values[mine][order], classes.counts[mine][order]
        lengths = np.diff(np.append(self.begins, len(self.found.counts)))
        sizes = np.add.reduceat(self.found.counts, self.begins)
        candidates = np.flatnonzero((lengths == len(values)) & (sizes == wanted.sum()))
        for group in candidates[np.argsort(self.first[candidates])].tolist():
            entries = slice(int(self.begins[group]), int(self.begins[group]) + len(values))
            if (self.found.codes[-1][entries] == values).all() and (self.found.counts[entries] == wanted).all():
                return int(self.first[group])
        return None


def _row(place: int, court: Court) -> int:
    """What is counted of a ring are the rows that a person may be, one after the other."""
    return place if court.seen.windows is None else int(court.seen.windows[0][place])
