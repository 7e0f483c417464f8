"""Every built-in algorithm passes the conformance suite, and one that goes wrong does not."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

import sfumato as sf
from sfumato.extend import Fit, Infeasible, Model, Partition, Recoding, Task
from sfumato.models.contract import Groups
from sfumato.partition.lattice.lattice import LatticePartitioner
from sfumato.partition.registry import PARTITIONERS
from sfumato.policy.methods import METHODS, Method
from sfumato.testing import check_partitioner
from tests.support.examples import examples, some

PROMISES = [sf.KAnonymity(2), sf.DistinctL(2)]


@pytest.mark.thorough
@pytest.mark.parametrize("words", METHODS.values(), ids=lambda words: words.__name__)
def test_the_built_in_algorithms_pass(words: type[Method]) -> None:
    check_partitioner(words.model_validate({}), seed=200, rounds=examples(4, fewest=1))
    for settings in some(words.others):
        check_partitioner(words.model_validate(settings), seed=300, rounds=examples(2, fewest=1))


def test_options_pass_as_well() -> None:
    check_partitioner(sf.Mondrian(relaxed=True), rounds=examples(10, fewest=4), promises=PROMISES)
    check_partitioner(sf.Lattice(choose="random"), rounds=examples(10, fewest=4), promises=PROMISES)


def whole(task: Task) -> bool:
    return bool(task.model.holds(Groups.whole(task.table, task.model.statistics))[0])


class EveryRowForItself(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        super().partition(task)
        return Partition.of_each(task.table, np.arange(task.table.rows))


class Gaps(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        return replace(found, groups=2 * found.groups)


class LosesAPart(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        return replace(found, tuples=found.tuples[1:], groups=found.groups[1:], counts=found.counts[1:])


class CountsTwice(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        return replace(found, counts=2 * found.counts)


class NothingLeft(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        super().partition(task)
        return Partition.of(task.table, np.full(len(task.table), -1))


class LeavesTooMuchOut(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        labels = super().partition(task).groups
        return Partition.of(task.table, np.where(labels == labels.max(), -1, labels) if labels.max() else labels)


class KeepsAnybody(LatticePartitioner):
    """Suppresses one row of a table that is one group; that row then stands alone."""

    def partition(self, task: Task) -> Partition:
        labels = super().partition(replace(task, limit=task.limit * 0)).labels.copy()
        if labels.max() == 0 and len(labels) > 2 and task.limit == 1 and task.model.promise.name == "k-anonymity":
            labels[0] = -1
        return Partition.of_each(task.table, labels)


class CountsTuplesAsRows(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        halves = (np.arange(len(task.table)) >= len(task.table) // 2).astype(np.int64)
        split = Groups.of(task.table, halves, [each for each in task.model.statistics if each])
        return Partition.of(task.table, halves) if len(task.table) > 1 and task.model.holds(split).all() else found


CALLS = count()


class NeverTheSame(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        one = Partition.of(task.table, np.zeros(len(task.table), np.int64))
        return one if next(CALLS) % 2 and whole(task) else found


class CoversLess(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        first = [found.tuples[np.flatnonzero(found.groups == group)[0]] for group in range(found.groups.max() + 1)]
        shown = {column.name: task.table.codes[column.name][first].astype(np.int64) for column in task.table.quasi}
        return replace(found, recoding=Recoding(shown, {}))


class SaysAnotherLevel(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        found = super().partition(task)
        assert found.recoding is not None
        levels = {name: (max(level - 1, 0), top) for name, (level, top) in found.recoding.levels.items()}
        return replace(found, recoding=replace(found.recoding, levels=levels))


class ForgetsAColumn(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        return replace(super().partition(task), recoding=Recoding({}, {}))


class GivesUp(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        raise Infeasible("too hard")


class RefusesWithoutAWord(LatticePartitioner):
    def fit(self, model: Model) -> Fit:
        return Fit("refused")


class AdaptsWithoutAWord(LatticePartitioner):
    def fit(self, model: Model) -> Fit:
        return Fit("adapted")


class Breaks(LatticePartitioner):
    def partition(self, task: Task) -> Partition:
        raise KeyError("of its own")


class MixesPersons(LatticePartitioner):
    def fit_persons(self, model: Model) -> Fit:
        return self.fit(model)


LIARS: list[tuple[type[LatticePartitioner], str]] = [
    (EveryRowForItself, "every group keeps the promise"),
    (Gaps, "labels count from 0 without gaps"),
    (LosesAPart, "make up all rows of each"),
    (CountsTwice, "make up all rows of each"),
    (NothingLeft, "a group is left"),
    (LeavesTooMuchOut, "rows are suppressed"),
    (KeepsAnybody, "kept suppressed rows keep the promise"),
    (CountsTuplesAsRows, "rows one by one give the same groups"),
    (NeverTheSame, "the same task gives the same groups"),
    (CoversLess, "covers its group"),
    (SaysAnotherLevel, "is at the level it says"),
    (ForgetsAColumn, "a recoding speaks of every quasi-identifier"),
    (GivesUp, "nothing is found only where no grouping"),
    (RefusesWithoutAWord, "fit says how it adapts, or why it refuses"),
    (AdaptsWithoutAWord, "fit says how it adapts, or why it refuses"),
    (Breaks, "nothing else is raised"),
    (MixesPersons, "no group, nor the kept suppressed rows, hold two rows of one person"),
]


@pytest.mark.parametrize(("liar", "message"), LIARS, ids=lambda given: getattr(given, "__name__", None))
def test_an_algorithm_that_goes_wrong_is_caught(
    liar: type[LatticePartitioner], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARTITIONERS.homes, "lattice", liar)
    with pytest.raises(AssertionError, match=message):
        check_partitioner(sf.Lattice(), rounds=60, promises=PROMISES)
