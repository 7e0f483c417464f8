"""Rows without a group: left out, put together with others, or together with others left out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.leftover import settled
from sfumato.randomness import Randomness
from tests.support.handmade import column_with, rows_of

Ints = NDArray[np.int64]


def task_of(values: list[int], promise: sf.Promise, limit: str, missed: sf.Promise | None, keep: bool = False) -> Task:
    names = pl.Series("s", [f"v{value}" for value in range(9)])
    secret = column_with("s", values, names)
    table = rows_of((), (secret,))
    facts = Facts.of(table)
    kept = None if missed is None else bind(missed, facts)
    return Task(table, bind(promise, facts), NCP(), Randomness.fixed(1), limit=Fraction(limit), keep=keep, missed=kept)


def counts(values: list[int], rows: NDArray[np.bool_]) -> list[int]:
    return sorted(np.bincount(np.array(values)[rows]).tolist(), reverse=True)


def test_what_may_be_left_out_is() -> None:
    task = task_of([0, 1, 0, 1, 0], sf.SimpleL(2), "0.2", None)
    found = settled(task, np.array([0, 0, 1, 1, -1]))
    assert found is not None and found[0].tolist() == [0, 0, 1, 1, -1] and found[1] == ""


@pytest.mark.parametrize("missed", [None, sf.SimpleL(2)])
def test_as_few_groups_as_will_do_take_rows_in(missed: sf.Promise | None) -> None:
    """Groups of six values each; three rows of value 0 need two of them to be no more than a third."""
    values = [*list(range(6)) * 5, 0, 0, 0]
    labels = np.append(np.repeat(np.arange(5), 6), [-1, -1, -1])
    task = task_of(values, sf.SimpleL(3), "0" if missed is None else "1", missed)
    found = settled(task, labels)
    assert found is not None
    made = found[0]
    assert sorted(np.bincount(made).tolist()) == [6, 6, 6, 15]
    assert "3 rows that found no group, put together with others" in found[1]
    largest = made == np.argmax(np.bincount(made))
    assert largest[-3:].all() and counts(values, largest) == [5, 2, 2, 2, 2, 2]


def test_the_whole_table_may_not_be_enough() -> None:
    assert settled(task_of([0, 0, 0, 1], sf.SimpleL(2), "0", None), np.array([0, -1, -1, 0])) is None


def test_nobody_is_missing_alone() -> None:
    """Different values do not survive merging: groups are left out beside the row until no value fills over 1/3."""
    values = [*[0, 1, 2] * 6, 0]
    labels = np.append(np.repeat(np.arange(6), 3), -1)
    found = settled(task_of(values, sf.PairwiseL(3), "1/2", sf.SimpleL(3)), labels)
    assert found is None  # 0 has always one row more than a third
    values[-1] = 3
    found = settled(task_of(values, sf.PairwiseL(3), "1/2", sf.SimpleL(3)), labels)
    assert found is not None
    left = found[0] < 0
    assert counts(values, left) == [1, 1, 1, 1] and left[-1] and "3 rows more left out" in found[1]
    assert sorted(set(found[0].tolist())) == [-1, 0, 1, 2, 3, 4]


def test_more_is_not_left_out_than_the_policy_allows() -> None:
    labels, values = np.append(np.repeat(np.arange(6), 3), -1), [*[0, 1, 2] * 6, 3]
    assert settled(task_of(values, sf.PairwiseL(3), "3/19", sf.SimpleL(3)), labels) is None
    assert settled(task_of(values, sf.PairwiseL(3), "4/19", sf.SimpleL(3)), labels) is not None


def test_a_class_that_stays_keeps_the_promise_itself() -> None:
    labels, values = np.append(np.repeat(np.arange(6), 3), -1), [*[0, 1, 2] * 6, 3]
    assert settled(task_of(values, sf.PairwiseL(3), "1", sf.SimpleL(3), keep=True), labels) is None


def test_nobody_is_said_to_be_missing_who_is_not() -> None:
    """Rows in excess go back into a group if they may not be a class of their own, and no note says otherwise."""
    frame = pl.DataFrame({"q": [str(row) for row in range(10)], "s": ["a"] * 6 + list("bcde")})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 2}],
        "suppression": {"limit": "0.5", "keep": True},
        "partition": {"method": "anatomy"},
    }
    release = sf.publish(frame, policy=policy, seed=1)
    assert release.suppressed == 0
    assert not any("left out" in note for note in release.notes)
    assert any("put together with others" in note for note in release.notes)
