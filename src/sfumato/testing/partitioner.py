"""Does an algorithm group rows as it must, for every promise that it accepts?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.engine.task import task_of
from sfumato.errors import Infeasible, NoneFound
from sfumato.extension import installed
from sfumato.fit import KeepsPersonsApart
from sfumato.forms.registry import publisher
from sfumato.loss.registry import loss_of
from sfumato.models.contract import Columns, Facts
from sfumato.models.registry import binding
from sfumato.partition.contract import Partition, Partitioner, Recoding, Task
from sfumato.partition.registry import grouping
from sfumato.partition.sound import arranged
from sfumato.partition.steps.terms.suppressed import parted
from sfumato.partition.steps.terms.suppression import Asked
from sfumato.policy.forms import Generalized
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import Method
from sfumato.policy.promises import PROMISES, Promise, groups_of, promise_class
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.testing.counting import BoundPromise
from sfumato.testing.tables import Broken, Tables, Trial

__all__ = ["check_partitioner", "sampled_promises"]

Ints = NDArray[np.int64]


def sampled_promises() -> tuple[Promise, ...]:
    """Every installed promise with its example parameters, and two at once."""
    single = [words.sample() for words in installed(PROMISES, "sfumato.promises").values()]
    return (*single, groups_of(3) & promise_class("distinct-l").sample())


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
    rng = trial.rng("partitioner")
    given = trial.without_numbers() if rng.random() < 0.5 else trial
    read = given.read()
    bound = BoundPromise.of(trial.promise, read.encode())
    algorithm = grouping(method, binding(Facts.of(bound.table)))
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
    asked = task_of(read.policy, bound.table, bound.model, publisher(Generalized()), Randomness.fixed(trial.seed))
    task = replace(asked, loss=loss, limit=limit, keep=keep)
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
        *_repeated(algorithm, task, found),
    )


def _labels(found: Partition, task: Task) -> Iterator[Broken]:
    rows, given = task.table.rows, (found.tuples, found.groups, found.counts)
    if any(each.dtype != np.int64 or each.shape != found.groups.shape for each in given):
        yield "a partition has an int64 tuple, group and count for each part", f"{[each.dtype for each in given]}"
        return
    held = np.zeros(len(task.table), dtype=np.int64)
    np.add.at(held, found.tuples, found.counts)
    if (np.diff(found.tuples) < 0).any() or (found.counts < 1).any() or (held != task.table.counts).any():
        yield "parts are in the order of their tuples, and make up all rows of each", f"{held} of {task.table.counts}"
        return
    labels = found.labels
    used = np.unique(labels[labels >= 0])
    if labels.min() < -1 or not len(used) or not np.array_equal(used, np.arange(len(used))):
        yield "labels count from 0 without gaps, -1 is a suppressed row, and a group is left", f"{np.unique(labels)}"
    if found.suppressed > task.limit * rows:
        yield f"at most {task.limit} of {rows} rows are suppressed", f"{found.suppressed}"


def _groups(found: Partition, task: Task, bound: BoundPromise) -> Iterator[Broken]:
    labels = found.labels
    kept = np.flatnonzero(labels >= 0)
    model, promises = parted(bound.model, binding(Facts.of(bound.table))) if found.terms else (bound.model, ())
    codes = bound.table.each().codes
    asked = [Asked(column, each, codes[column.name]) for column, each in promises]
    shown = replace(bound, codes=_edited(found, bound))
    groups = shown.groups(kept, labels[kept], int(labels.max()) + 1)
    stays = {each.column.name: found.terms_of_each(each.column, bound.table) for each in asked}
    holds = model.holds(groups) & _terms_hold(labels, stays, asked, len(groups.sizes))
    bad = np.flatnonzero(~holds)
    if len(bad):
        yield "every group keeps the promise", f"{len(bad)} of {len(groups.sizes)} do not, rows: {groups.sizes[bad]}"
    left = np.flatnonzero(labels < 0)
    hidden = np.where(labels < 0, 0, -1)
    if (
        task.keep
        and len(left)
        and not (model.holds(shown.groups(left, np.zeros_like(left), 1)) & _terms_hold(hidden, stays, asked, 1))[0]
    ):
        yield "kept suppressed rows keep the promise as a class of their own", f"{len(left)} rows do not"
    if task.table.person is not None:
        person = np.repeat(task.table.person, task.table.counts)
        yield from _persons(labels if task.keep else labels[kept], person if task.keep else person[kept])


def _terms_hold(
    labels: Ints, terms: Mapping[str, NDArray[np.bool_] | None], asked: Sequence[Asked], count: int
) -> NDArray[np.bool_]:
    """Which groups keep their promises with the terms that stay."""
    holds = np.ones(count, np.bool_)
    for each in asked:
        stays = terms[each.column.name]
        stays = np.ones(int(each.offsets[-1]), np.bool_) if stays is None else stays
        for group in range(count):
            rows = np.flatnonzero(labels == group)
            keep = [stays[each.offsets[row] : each.offsets[row + 1]] for row in rows.tolist()]
            holds[group] &= each.holds(rows, keep)
    return holds


def _persons(labels: Ints, person: NDArray[np.int32]) -> Iterator[Broken]:
    pairs = set(zip(labels.tolist(), person.tolist(), strict=True))
    if len(pairs) < len(labels):
        yield "no group, nor the kept suppressed rows, hold two rows of one person", f"{len(labels) - len(pairs)} more"


def _edited(found: Partition, bound: BoundPromise) -> dict[Columns, NDArray[Any]]:
    """The codes that are counted, with sensitive values as the algorithm generalized them."""
    return {
        columns: found.edits_of_each(columns[0]) if len(columns) == 1 and columns[0] in found.edits else codes
        for columns, codes in bound.codes.items()
    }


def _recoding(labels: Ints, recoding: Recoding, table: Tuples) -> Iterator[Broken]:
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
        codes, mine = table.each().codes[column.name][kept].astype(np.int64), labels[kept]
        outside = int(((codes < low[mine]) | (codes > high[mine])).sum())
        if outside:
            yield f"a recoding of {column.name!r} covers its group", f"not in {outside} rows"
        level = recoding.levels.get(column.name)
        if level is None:
            continue
        if not np.array_equal(recoding.shown[column.name][mine], _at_level(column, *level)[codes]):
            yield f"a recoding of {column.name!r} is at the level it says", f"not {level[0]} of {level[1]}"


def _at_level(column: Domain, level: int, top: int) -> Ints:
    """What every code shows at a level of full-domain recoding."""
    if column.taxonomy is not None:
        return column.taxonomy.at_level(level)
    return np.full(column.size, -1) if level and level == top else np.arange(column.size)


def _repeated(algorithm: Partitioner, task: Task, found: Partition) -> Iterator[Broken]:
    """Once more, and once more with the rows one by one: whoever counts them differently has the same table."""
    expected = _content(found, task.table)
    if _content(algorithm.partition(task), task.table) != expected:
        yield "the same task gives the same groups", "others"
    each = replace(task, table=task.table.each())
    if _content(algorithm.partition(each), each.table) != expected:
        yield "rows one by one give the same groups as when equal ones are counted", "others"


def _content(found: Partition, table: Tuples) -> list[Any]:
    """What every group holds and shows, suppressed rows first: rows that hold the same may change places."""
    made = arranged(replace(found, tuples=table.content[found.tuples]), _of_content(table))
    chosen = made.recoding
    spans = {name: np.stack(span, axis=1) for name, span in chosen.spans.items()} if chosen is not None else {}
    shown = {**chosen.shown, **spans} if chosen is not None else {}
    groups: dict[int, list[Any]] = {}
    stays = _of_parts(made, _of_content(table))
    for part, group in enumerate(made.groups.tolist()):
        edits = [int(made.edits[name][part]) for name in sorted(made.edits)]
        kept = [flags[part] for flags in stays]
        groups.setdefault(group, []).append([int(made.tuples[part]), int(made.counts[part]), edits, kept])
    return sorted(
        [held, [shown[name][group].tolist() for name in sorted(shown)] if group >= 0 else [-2]]
        for group, held in groups.items()
    )


def _of_content(table: Tuples) -> Tuples:
    """The different rows of a table whose rows may stand one by one."""
    first = np.unique(table.content, return_index=True)[1]
    codes = {name: each[first] for name, each in table.codes.items()}
    return replace(
        table, counts=np.bincount(table.content, weights=table.counts).astype(np.int64), codes=codes, counted=None
    )


def _of_parts(found: Partition, table: Tuples) -> list[list[list[bool]]]:
    """Per quasi-sensitive column whose terms are suppressed, which stay of every part."""
    made = []
    for domain in table.sets:
        if domain.name in found.terms:
            begins = domain.offsets(table.codes[domain.name][found.tuples])
            made.append([part.tolist() for part in np.split(found.terms[domain.name], begins[1:-1])])
    return made
