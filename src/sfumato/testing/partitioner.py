"""Does an algorithm group rows as it must, for every promise that it accepts?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engine.grouping import grouping
from sfumato.engine.suppressed import parted
from sfumato.errors import Infeasible, NoneFound
from sfumato.extension import installed
from sfumato.fit import KeepsPersonsApart
from sfumato.measure.registry import loss_of
from sfumato.models.contract import Columns, Facts
from sfumato.partition.contract import Partition, Partitioner, Recoding, Task
from sfumato.partition.terms import Asked
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import Method
from sfumato.policy.promises import PROMISES, DistinctL, KAnonymity, Promise
from sfumato.randomness import Randomness
from sfumato.table.coded import CodedColumn, CodedTable
from sfumato.testing.counting import Bound
from sfumato.testing.tables import Broken, Tables, Trial

__all__ = ["check_partitioner", "sampled_promises"]

Ints = NDArray[np.int64]


def sampled_promises() -> tuple[Promise, ...]:
    """Every installed promise with its example parameters, and two at once."""
    single = [words.sample() for words in installed(PROMISES, "sfumato.promises").values()]
    return (*single, KAnonymity(3) & DistinctL(2))


def check_partitioner(
    method: Method, seed: int = 0, rounds: int = 10, promises: Sequence[Promise] | None = None
) -> None:
    """Check an algorithm, by its settings, with every promise that is installed, or with those given.

    - `fit` says why it refuses, and how it adapts;
    - labels count from 0 without gaps, and no more rows are suppressed than the task allows;
    - every group keeps the promise, and so do kept suppressed rows;
    - a recoding shows every group as something that covers it, at the level it says;
    - the same task gives the same groups, in whatever order the rows come;
    - `NoneFound` is raised only where no grouping of all rows keeps the promise; an algorithm that adapts to it, and
      asks for more than the promise does, may raise it sooner, but never as `Infeasible`;
    - no group holds two rows of one person, if it says that it keeps them apart (`fit_persons`).
    """
    for promise in sampled_promises() if promises is None else promises:
        tables = Tables.of(promise)
        for trial in tables.draws(seed, rounds):
            trial.require(f"partitioner {method.method}", _checked(method, trial))
        for trial in tables.draws(seed, max(rounds // 2, 1)):
            trial.with_persons().require(
                f"partitioner {method.method}, persons", _checked(method, trial.with_persons())
            )


def _checked(method: Method, trial: Trial) -> Iterator[Broken]:
    bound, rng = Bound.of(trial.promise, trial.read().encode()), trial.rng("partitioner")
    algorithm = grouping(method, Facts.of(bound.table))
    fit = algorithm.fit(bound.model)
    if bound.table.person is not None:
        if not isinstance(algorithm, KeepsPersonsApart):
            return
        fit = algorithm.fit_persons(bound.model)
    if fit.status != "native" and not fit.why:
        yield "fit says how it adapts, or why it refuses", repr(fit)
    if fit.status == "refused":
        return
    loss = loss_of(str(rng.choice(sorted(installed(LOSS_METRICS, "sfumato.losses")))), {})
    limit = (Fraction(0), Fraction(1, 5), Fraction(1))[int(rng.integers(3))]
    keep = bool(rng.random() < 0.5)
    task = Task(bound.table, bound.model, loss, Randomness.fixed(trial.seed), limit=limit, keep=keep)
    try:
        found = algorithm.partition(task)
    except NoneFound as error:
        excused = fit.status != "native" and not isinstance(error, Infeasible)
        if not excused and bound.decides and bound.attainable and bound.table.person is None:
            yield "nothing is found only where no grouping of all rows keeps the promise", str(error)
        return
    wrong = [*_labels(found, task)]
    yield from wrong or (
        *_groups(found, task, bound),
        *(_recoding(found.labels, found.recoding, bound.table) if found.recoding is not None else ()),
        *_repeated(algorithm, task, found, rng),
    )


def _labels(found: Partition, task: Task) -> Iterator[Broken]:
    labels, rows = found.labels, task.table.rows
    if labels.shape != (rows,) or labels.dtype != np.int64:
        yield f"a partition has an int64 label for each of {rows} rows", f"{labels.dtype} {labels.shape}"
        return
    used = np.unique(labels[labels >= 0])
    if labels.min() < -1 or not len(used) or not np.array_equal(used, np.arange(len(used))):
        yield "labels count from 0 without gaps, -1 is a suppressed row, and a group is left", f"{np.unique(labels)}"
    if found.suppressed > task.limit * rows:
        yield f"at most {task.limit} of {rows} rows are suppressed", f"{found.suppressed}"


def _groups(found: Partition, task: Task, bound: Bound) -> Iterator[Broken]:
    labels = found.labels
    kept = np.flatnonzero(labels >= 0)
    model, asked = parted(bound.model, Facts.of(bound.table)) if found.terms else (bound.model, ())
    shown = replace(bound, codes=_edited(found, bound))
    groups = shown.groups(kept, labels[kept], int(labels.max()) + 1)
    holds = model.holds(groups) & _terms_hold(found, asked, len(groups.sizes))
    bad = np.flatnonzero(~holds)
    if len(bad):
        yield "every group keeps the promise", f"{len(bad)} of {len(groups.sizes)} do not, rows: {groups.sizes[bad]}"
    left = np.flatnonzero(labels < 0)
    hidden = replace(found, labels=np.where(labels < 0, 0, -1))
    if (
        task.keep
        and len(left)
        and not (model.holds(shown.groups(left, np.zeros_like(left), 1)) & _terms_hold(hidden, asked, 1))[0]
    ):
        yield "kept suppressed rows keep the promise as a class of their own", f"{len(left)} rows do not"
    if task.table.person is not None:
        yield from _persons(
            labels if task.keep else labels[kept], task.table.person if task.keep else task.table.person[kept]
        )


def _terms_hold(found: Partition, asked: Sequence[Asked], count: int) -> NDArray[np.bool_]:
    """Which groups keep their promises with the terms that stay."""
    holds = np.ones(count, np.bool_)
    for each in asked:
        column = each.column
        stays = found.terms.get(column.name, np.ones(int(column.offsets[-1]), np.bool_))
        for group in range(count):
            rows = np.flatnonzero(found.labels == group)
            keep = [stays[column.offsets[row] : column.offsets[row + 1]] for row in rows.tolist()]
            holds[group] &= each.holds(rows, keep)
    return holds


def _persons(labels: Ints, person: NDArray[np.int32]) -> Iterator[Broken]:
    pairs = set(zip(labels.tolist(), person.tolist(), strict=True))
    if len(pairs) < len(labels):
        yield "no group, nor the kept suppressed rows, hold two rows of one person", f"{len(labels) - len(pairs)} more"


def _edited(found: Partition, bound: Bound) -> dict[Columns, NDArray[Any]]:
    """The codes that are counted, with sensitive values as the algorithm generalized them."""
    return {
        columns: found.edits.get(columns[0], codes) if len(columns) == 1 else codes
        for columns, codes in bound.codes.items()
    }


def _recoding(labels: Ints, recoding: Recoding, table: CodedTable) -> Iterator[Broken]:
    names = {column.name for column in table.quasi}
    told = [*recoding.shown, *recoding.spans]
    if set(told) != names or len(told) != len(names) or not recoding.levels.keys() <= recoding.shown.keys():
        yield "a recoding speaks of every quasi-identifier", f"{sorted(told)}, {sorted(recoding.levels)}"
        return
    for column in table.quasi:
        low, high = recoding.span(column)
        if {low.shape, high.shape} != {(int(labels.max()) + 1,)}:
            yield f"a recoding of {column.name!r} shows something for every group", f"{low.shape}, {high.shape}"
            continue
        kept = labels >= 0
        codes, mine = column.codes[kept].astype(np.int64), labels[kept]
        outside = int(((codes < low[mine]) | (codes > high[mine])).sum())
        if outside:
            yield f"a recoding of {column.name!r} covers its group", f"not in {outside} rows"
        level = recoding.levels.get(column.name)
        if level is None:
            continue
        if not np.array_equal(recoding.shown[column.name][mine], _at_level(column, *level)[codes]):
            yield f"a recoding of {column.name!r} is at the level it says", f"not {level[0]} of {level[1]}"


def _at_level(column: CodedColumn, level: int, top: int) -> Ints:
    """What every code shows at a level of full-domain recoding."""
    if column.taxonomy is not None:
        return column.taxonomy.at_level(level)
    return np.full(column.size, -1) if level and level == top else np.arange(column.size)


def _repeated(algorithm: Partitioner, task: Task, found: Partition, rng: np.random.Generator) -> Iterator[Broken]:
    """Once more, and once more with the rows in another order."""
    content = _Content.of(task.table)
    expected = content.of_groups(found, np.arange(task.table.rows))
    if content.of_groups(algorithm.partition(task), np.arange(task.table.rows)) != expected:
        yield "the same task gives the same groups", "others"
    order = rng.permutation(task.table.rows)
    columns = [tuple(column.take(order) for column in each) for each in (task.table.quasi, task.table.sensitive)]
    person = None if task.table.person is None else task.table.person[order]
    beside = tuple(codes[order] for codes in task.table.beside)
    sets = tuple(column.take(order) for column in task.table.sets)
    table = CodedTable(task.table.rows, columns[0], columns[1], person, beside, sets)
    again = algorithm.partition(replace(task, table=table, model=Bound.of(task.model.promise, table).model))
    if content.of_groups(again, order) != expected:
        yield "the order of the rows does not change the groups", "others"


@dataclass(frozen=True, eq=False)
class _Content:
    """What a row holds, as one number: rows that hold the same may change places."""

    numbers: Ints
    lengths: Mapping[str, Ints]

    @classmethod
    def of(cls, table: CodedTable) -> _Content:
        persons = () if table.person is None else (table.person,)
        codes = np.stack([*(column.codes for column in table.columns), *persons], axis=1)
        lengths = {column.name: np.diff(column.offsets) for column in table.sets}
        return cls(np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1), lengths)

    def of_groups(self, found: Partition, order: Ints) -> list[tuple[list[Any], list[Any]]]:
        """What every group holds and shows, suppressed rows first."""
        numbers, groups = self.numbers[order], range(-1, int(found.labels.max()) + 1)
        stays = [
            [part.tolist() for part in np.split(found.terms[name], np.cumsum(self.lengths[name][order])[:-1])]
            for name in sorted(found.terms)
        ]
        chosen = found.recoding
        spans = {name: np.stack(span, axis=1) for name, span in chosen.spans.items()} if chosen is not None else {}
        shown = {**chosen.shown, **spans} if chosen is not None else {}
        return sorted(
            (
                sorted(
                    [int(numbers[row]), *(kept[row] for kept in stays)]
                    for row in np.flatnonzero(found.labels == group).tolist()
                ),
                [shown[name][group].tolist() for name in sorted(shown)] if group >= 0 else [-2],
            )
            for group in groups
        )
