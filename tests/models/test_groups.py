"""Counts of groups: added up and regrouped they are what counting everything at once gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.models.contract import Groups
from sfumato.partition.contract import Partition
from sfumato.table.tuples import Tuples
from tests.support.examples import examples
from tests.support.handmade import column_with, counted, rows_of

STATISTICS = (("s",), ("s", "u"))
MOST = 4
Rows = list[tuple[int, int, int]]
"""Two sensitive values, and the group, of every row."""

rows_drawn = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, MOST - 1)), max_size=40)


def table_of(rows: Rows) -> Tuples:
    return rows_of(
        [],
        [
            column_with("s", [row[0] for row in rows], list("abcd")),
            column_with("u", [row[1] for row in rows], list("xyz")),
        ],
    )


def groups_of(table: Tuples, labels: list[int]) -> Groups:
    """With a group of no rows at the end if need be, so that there are as many as can be."""
    made = Groups.of(table, np.array(labels, dtype=np.int64), STATISTICS)
    return made.regrouped(np.arange(len(made.sizes)), MOST)


def told(groups: Groups) -> list[object]:
    histograms = [groups[columns] for columns in STATISTICS]
    return [
        groups.sizes.tolist(),
        *([each.starts.tolist(), each.values.tolist(), each.counts.tolist()] for each in histograms),
    ]


@settings(max_examples=examples(150))
@given(rows=rows_drawn, data=st.data())
def test_counts_of_two_parts_add_up(rows: Rows, data: st.DataObject) -> None:
    table, labels = table_of(rows), [row[2] for row in rows]
    first = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    one, other = (
        groups_of(table, [label if here == side else -1 for label, here in zip(labels, first, strict=True)])
        for side in (True, False)
    )
    assert told(one + other) == told(other + one) == told(groups_of(table, labels))


@settings(max_examples=examples(150))
@given(rows=rows_drawn, owner=st.lists(st.integers(-1, 2), min_size=MOST, max_size=MOST))
def test_regrouped_counts_are_those_of_merged_groups(rows: Rows, owner: list[int]) -> None:
    table, labels = table_of(rows), [row[2] for row in rows]
    found = groups_of(table, labels).regrouped(np.array(owner, dtype=np.int64), MOST)
    assert told(found) == told(groups_of(table, [-1 if label < 0 else owner[label] for label in labels]))


@settings(max_examples=examples(100))
@given(rows=rows_drawn)
def test_tuples_and_parts_count_as_their_rows_do(rows: Rows) -> None:
    """Rows one by one, and as many rows of every tuple as go to each group."""
    table, few = table_of(rows), counted(table_of(rows))
    place = {key: at for at, key in enumerate(zip(few.codes["s"].tolist(), few.codes["u"].tolist(), strict=True))}
    parts = sorted({(place[row[:2]], row[2]) for row in rows})
    counts = [sum((place[row[:2]], row[2]) == part for row in rows) for part in parts]
    tuples, groups = (np.array([part[side] for part in parts], dtype=np.int64) for side in (0, 1))
    made = Groups.of_parts(few, tuples, groups, np.array(counts, dtype=np.int64), STATISTICS)
    assert told(made) == told(Groups.of(table, np.array([row[2] for row in rows], dtype=np.int64), STATISTICS))
    labels = Partition(tuples, groups, np.array(counts, dtype=np.int64)).labels
    assert told(Groups.of(few.each(), labels, STATISTICS)) == told(made)
    for group in range(len(made.sizes)):
        assert made.only(group).sizes.tolist() == [made.sizes[group]]


def test_only_the_same_groups_can_be_added() -> None:
    one, two = (Groups.of_counts("s", rows) for rows in ([{0: 1}], [{0: 1}, {1: 2}]))
    with pytest.raises(ValueError, match="1 and 2 groups"):
        _ = one + two
    both = one.beside(two)
    assert both.sizes.tolist() == [1, 1, 2] and both[("s",)].values.tolist() == [0, 0, 1]
