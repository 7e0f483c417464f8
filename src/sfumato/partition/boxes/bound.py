"""A lower bound on the loss: no local recoding loses less, whatever method finds it.

Every row has a price, found as boxes finds it (`raising`), and lowered where it is not fair (`fair`). Fair prices add
up to no more than any release loses: each of its classes is a choice of rows of some box that could keep the promise,
and pays no more than the box costs. A suppressed row costs 1, so that no price is more where rows may be suppressed.
This is the dual of facility location with lower bounds.

It ranges over all releases in which every group shows one node of each hierarchy that covers it, and of a column
without a hierarchy an interval or a set (`floors`): full-domain recodings are among them. Of the promise it uses how
many rows and how many different values a class must have, which promises about counts go beyond. Persons who must be
kept apart and limits on blank cells only leave fewer releases: it holds for these too.

Guarantee: not more than the loss of any such release, as exactly as floats count it. For losses that are a weighted
mean over cells.

References: Karger, Minkoff: Building Steiner trees with incomplete global knowledge. FOCS 2000.
https://doi.org/10.1109/SFCS.2000.892329
Guha, Meyerson, Munagala: Hierarchical placement and network design problems. FOCS 2000.
https://doi.org/10.1109/SFCS.2000.892328
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from sfumato.loss.contract import additive, all_columns
from sfumato.models.contract import Model, concerned
from sfumato.partition.boxes.fair import fair
from sfumato.partition.boxes.floors import Floors, Necessary
from sfumato.partition.boxes.items import WHOLE
from sfumato.partition.boxes.search import offered, priced
from sfumato.partition.contract import Task
from sfumato.table.domain import Domain
from sfumato.table.words import counted

__all__ = ["Bound", "bound_of"]


@dataclass(frozen=True)
class Bound:
    """A loss that no release goes below, of those that it ranges over.

    value     0 (all is told) to 1 (nothing is); None if no bound is known
    over      what it ranges over
    uses      what it uses of the promise
    reason    why no bound is known
    """

    value: float | None
    over: str = ""
    uses: str = ""
    reason: str = ""

    def beyond(self, loss: float) -> float | None:
        """How much more a loss is than the least there can be, at most, as a share of it; None: not known."""
        if self.value is None or (not self.value and loss > 0):
            return None
        return max(0.0, loss / self.value - 1) if self.value else 0.0

    def compared(self, loss: float) -> str:
        """How far a loss is from the least, in words."""
        if self.value is None:
            return f"no bound on the loss is known: {self.reason}"
        least, more = f"that {self.over} can have (at least {_down(self.value)})", self.beyond(loss)
        if more is None:
            return f"loss {loss:.4f}: nothing is known of the least loss {least}"
        if more < 0.0005:
            return f"loss {loss:.4f}: the least loss {least}"
        if more >= 1:
            return f"loss {loss:.4f}: at most {ceil(10 * (1 + more)) / 10} times the least loss {least}"
        tenths = ceil(1000 * more)
        share = f"{-(-tenths // 10)}%" if tenths > 100 else f"{tenths / 10}%"
        return f"loss {loss:.4f}: within {share} of the least loss {least}"

    def as_dict(self) -> dict[str, Any]:
        """Plain values; of what is not known, none."""
        return {name: value if value != "" else None for name, value in asdict(self).items()}

    def __str__(self) -> str:
        if self.value is None:
            return f"no bound on the loss is known: {self.reason}"
        return f"no less than {_down(self.value)} for {self.over}, as {self.uses}"


def _down(value: float) -> str:
    """Never more than it is."""
    return f"{floor(value * 10_000) / 10_000:.4f}"


def bound_of(task: Task) -> Bound:
    """The bound for a task whose groups are each shown by what covers them."""
    needed, table = Necessary.of(task.model, task.edits), task.table
    if not additive(task.loss):
        return Bound(None, reason="this loss is not a mean over cells")
    if needed.nothing:
        return Bound(None, reason=_silent(task.model, task.edits))
    uses = f"every class has at least {counted(needed.rows, 'row')}"
    if needed.columns:
        uses += f" and {needed.values} different values of {', '.join(map(repr, needed.columns))}"
    there = int((np.bincount(table.counted_by(needed.columns)) > 0).sum()) if needed.columns else 1
    if table.rows < needed.rows or there < needed.values:
        return Bound(None, reason=f"not even the whole table is a class: {uses}")
    columns = [column for column in table.quasi if column.size > 1]
    value = _value(task, needed) if columns else 0.0
    return Bound(max(value, 0.0), _over(columns), uses)


def _value(task: Task, needed: Necessary) -> float:
    floors, loss = Floors.of(task, needed), task.loss
    prices = priced(floors.items, offered(floors.items))
    value = floors.loss(fair(floors.items, np.minimum(prices, WHOLE) if task.limit else prices))
    if not all_columns(loss):
        return value
    quasi, beside = (sum(map(loss.weight, columns)) for columns in (task.table.quasi, task.table.sensitive))
    return value * quasi / (quasi + beside) if quasi + beside else value  # sensitive values may be told as they are


def _over(columns: Sequence[Domain]) -> str:
    trees = [column.taxonomy is not None for column in columns]
    if all(trees):
        return "any local recoding with these hierarchies"
    if any(trees):
        return "any local recoding with these hierarchies, intervals and sets"
    return "any local recoding with intervals and sets"


def _silent(model: Model, edits: bool) -> str:
    """Why a promise says nothing of how large a class must be."""
    if any(part.knowing for part in model.conjuncts):
        return f"{concerned(model, lambda part: bool(part.knowing), 'asks', 'ask')} of some quasi-identifiers at a time"
    if edits and any(part.counts_induced for part in model.conjuncts):
        who = concerned(model, lambda part: part.counts_induced)
        return f"{who} can be kept by generalizing sensitive values alone"
    return f"{concerned(model, lambda part: True, 'does', 'do')} not say how many rows or values a class must have"
