"""SWEEP: close classes from the most informative levels on; what is left climbs, and at last its sensitive values too.

Level vectors, one level per quasi-identifier, are taken from the most informative down to `*` everywhere (see
`information`). At each, rows that are still open and look alike form a class; a class that keeps the promise is closed.
The last class, if it breaks a (tau,l) promise, has its sensitive values generalized.

Guarantee: every class keeps the promise, for any model that survives merging; no row is suppressed. It always ends:
where generalizing does not help, or other promises speak of the column, closed classes join the last one. Several
sensitive columns each keep their own promise; that is less than a promise about both (multi-attribute). The adversary
is that of every method: they know everybody's quasi-identifiers and read the release, and do not reason from how
groups were found.

Deviations from the paper, which `faithful: true` undoes: a class is closed whole or not at all. The paper sweeps single
rows of the dominant value out of a class, and generalizes single sensitive values, so who knows the algorithm can tell
from what is missing, or from what was generalized, which value was too frequent; and of generalized values, also who
knows how often each occurs in the table. Here rows with equal quasi-identifiers always stay together, so that these
alone decide who is in which class, and a class together with what was swept out of it is the class itself: by true
values it keeps the promise, since that is why it was closed, or all its values below a node climbed together. The whole
table is not generalized first.

Where (tau,l) of one column is all that is promised, a class that breaks it may be closed with its sensitive values
generalized by whole subtrees (`generalize: anywhere`), on the way up if that costs less than the way that is to be
expected, and at the end if a class costs more than its parts would (`dissolve`). A generalized sensitive value is as
dear as a quasi-identifier times `balance`; the paper leaves open how to weigh one against the other. Without it, a
sensitive column is as dear as all quasi-identifiers together.

Limits: 200,000 level vectors, and 5e10 visits of different rows to vectors. A column of 100,000 numbers without a
hierarchy has six levels; with it and eight more columns, a million different rows take minutes, and 4.6 million are
refused.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011.
https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, Refused, one_line
from sfumato.fit import NATIVE, Fit, adapted, refused
from sfumato.models.contract import Model, ShareCaps, concerned, speaks_of_several
from sfumato.partition.contract import Partition, Recoding, Task
from sfumato.partition.sweep.blur import Blur, least_bounds
from sfumato.partition.sweep.information import Levels, level_vectors
from sfumato.partition.sweep.whole import Swept, Whole, bounds_of
from sfumato.table.tuples import Tuples

if TYPE_CHECKING:
    from sfumato.policy.methods import Sweep as Options

__all__ = ["SweepPartitioner"]

Ints = NDArray[np.int64]

_MOST = 200_000
_FAITHFUL = (
    "faithful SWEEP sweeps and generalizes single rows of too frequent values; who knows the algorithm can infer them,"
    " and so can who knows how often each value occurs. Leave out `faithful` for what is published"
)


@dataclass(frozen=True)
class SweepPartitioner:
    """The partitioner of `partition: {method: sweep}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if not model.survives_merging:
            who = concerned(model, lambda part: not part.survives_merging, "does", "do")
            return refused(f"SWEEP climbs levels, which merges groups; {who} not survive merging")
        general = _general(model)
        if self.options.faithful and self.options.refine:
            return refused("refine looks at sensitive values as they are, and faithful SWEEP generalizes them")
        if self.options.faithful and not _only_caps(model):
            return refused("faithful SWEEP serves tau-l promises and no other, one weighting per column")
        if self.options.balance is not None and (not _only_caps(model) or len(general) != 1 or self.options.faithful):
            return refused("SWEEP's balance is for tau-l promises about one column and no other, and not for faithful")
        if self.options.balance is not None and self.options.generalize == "last":
            return refused("SWEEP's balance weighs what is generalized anywhere, and generalize is set to last")
        return NATIVE if general or not any(model.statistics) else adapted("without generalizing sensitive values")

    def fit_blocks(self) -> Fit:
        return refused("one recoding is chosen for all rows, which are then looked at together")

    def partition(self, task: Task) -> Partition:
        table = task.table
        worth, given = self.options.worth, self.options.value_weights
        levels = tuple(Levels.of(column, worth, given.get(column.name)) for column in table.quasi)
        _require_few(levels)
        vectors = level_vectors(levels, self._important([column.name for column in table.quasi]))
        general = _general(task.model)
        blurs = {name: Blur.of(table[name], found) for name, found in general.items()}
        if self.options.faithful:
            from sfumato.partition.sweep.faithful import sweep_faithfully

            swept = sweep_faithfully(task.each(), levels, vectors, blurs)
            return _shown(task.each(), table, levels, swept, (_FAITHFUL,))
        alone = next(iter(general.values())) if len(general) == 1 and _only_caps(task.model) else ()
        bounds = least_bounds(alone) if alone else ()
        balance = self._balance(task, bounds)
        swept = Whole(task, levels, vectors, blurs, bounds, balance).swept()
        return _shown(task, table, levels, swept, ())

    def _balance(self, task: Task, bounds: tuple[Fraction, ...]) -> Fraction | None:
        """How dear a generalized sensitive value is; None: they are generalized in the last class alone, if at all."""
        if not task.edits or not bounds or self.options.generalize == "last":
            return None
        if self.options.balance is None and bounds_of(bounds, task.table.rows) is None:
            return None
        return self.options.balance or Fraction(max(len(task.table.quasi), 1))

    def _important(self, names: list[str]) -> list[int]:
        unknown = [name for name in self.options.importance if name not in names]
        if unknown:
            raise InputError(
                f"partition.importance: {unknown[0]!r} is not a quasi-identifier: {', '.join(map(one_line, names))}"
            )
        return [names.index(name) for name in self.options.importance]


def _general(model: Model) -> dict[str, list[ShareCaps]]:
    """Columns whose values may be generalized: nothing but caps of induced values is promised of them."""
    if speaks_of_several(model):
        return {}
    about: dict[str, list[ShareCaps]] = {}
    others: set[str] = set()
    for part in model.conjuncts:
        caps = part.caps()
        if caps is None:
            others |= {name for columns in part.statistics for name in columns}
        else:
            about.setdefault(caps.column, []).append(caps)
    return {
        name: found
        for name, found in about.items()
        if name not in others and len({caps.weights for caps in found}) == 1
    }


def _only_caps(model: Model) -> bool:
    """Whether such caps are all that is promised, and of every column with one weighting."""
    return sum(map(len, _general(model).values())) == len(model.conjuncts)


def _require_few(levels: tuple[Levels, ...]) -> None:
    combinations = prod(map(len, levels))
    if combinations > _MOST:
        raise Refused(
            f"SWEEP looks at every combination of levels, {combinations} of them here; {_MOST} are the most. Use"
            " hierarchies with fewer levels, or fewer quasi-identifiers"
        )


def _shown(task: Task, counted: Tuples, levels: tuple[Levels, ...], swept: Swept, notes: tuple[str, ...]) -> Partition:
    """With what every class shows; the task has the tuples of the table as they are counted, or one by one."""
    table = task.table
    shown: dict[str, Ints] = {}
    spans: dict[str, tuple[Ints, Ints]] = {}
    for axis, (column, each) in enumerate(zip(table.quasi, levels, strict=True)):
        codes, at = table.codes[column.name][swept.first], swept.vectors[:, axis]
        if column.taxonomy is not None:
            shown[column.name] = np.stack(each.nodes)[at, codes]
        else:
            spans[column.name] = np.stack(each.first)[at, codes], np.stack(each.last)[at, codes]
    changed = {name: nodes for name, nodes in swept.edits.items() if (nodes != table.codes[name]).any()}
    rows = sum(int(table.counts[nodes != table.codes[name]].sum()) for name, nodes in changed.items())
    told = (f"{rows} sensitive values were generalized",) if rows else ()
    made = Partition.of if table is counted else Partition.of_each
    return made(counted, swept.labels, Recoding(shown, {}, spans), changed, (*notes, *swept.notes, *told))
