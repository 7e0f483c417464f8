"""A partition says how many rows of each tuple go where; parts that share everything are one; chance deals rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.knowledge.table import Knowledge
from sfumato.partition.contract import Partition, Task
from sfumato.partition.dealing import dealt
from sfumato.partition.sound import arranged
from sfumato.randomness import Randomness
from sfumato.table.domain import SetDomain
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, counted, moved, rows_of

SETS = (("a", "b", "c"), ("b",), ())
TREE = Taxonomy.of(Node("*", (Node("0"), Node("1"), Node("2"))))
Row = tuple[int, int, int, int]
"""A quasi-identifier, a set, and the group and the node of a row."""

rows_drawn = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(-1, 2), st.integers(2, 3)), min_size=1, max_size=25
)


def sets(codes: list[int]) -> Column:
    domain = SetDomain(
        "t",
        column_with("t", codes, ["a|b|c", "b", ""]).domain.values,
        np.bincount(codes, minlength=3).astype(np.int64),
        sets=SETS,
        knowledge=Knowledge.of([("A", ["a", "b", "c"])]),
    )
    return Column(domain, np.array(codes, dtype=np.int32))


def table_of(rows: list[Row]) -> Tuples:
    """One by one, in the order given."""
    quasi = column_with("q", [row[0] for row in rows], ["u", "v", "w"])
    secret = column_with("s", [0] * len(rows), ["0", "1", "2"], TREE)
    return rows_of([quasi], [secret], sets=[sets([row[1] for row in rows])])


def lines(parts: list[list[bool]]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([each for part in parts for each in part], dtype=np.bool_)


def test_all_rows_of_a_tuple_in_one_group() -> None:
    table = counted(table_of([(0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0)]))
    found = Partition.of(table, np.array([1, -1]))
    assert (found.tuples.tolist(), found.groups.tolist(), found.counts.tolist()) == ([0, 1], [1, -1], [2, 1])
    assert found.labels.tolist() == [1, 1, -1]
    assert found.suppressed == 1
    edited = Partition.of(table, np.array([0, 0]), edits={"s": np.array([3, 0])})
    assert edited.edits_of_each("s").tolist() == [3, 3, 0]


def test_every_row_by_itself() -> None:
    table = counted(table_of([(0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0)]))
    found = Partition.of_each(table, np.array([1, 0, -1]), edits={"s": np.array([0, 3, 1])})
    assert (found.tuples.tolist(), found.groups.tolist(), found.counts.tolist()) == ([0, 0, 1], [1, 0, -1], [1, 1, 1])
    assert found.labels.tolist() == [1, 0, -1] and found.edits_of_each("s").tolist() == [0, 3, 1]
    assert found.suppressed == 1


def test_terms_of_parts_are_those_of_their_rows() -> None:
    table = counted(table_of([(0, 0, 0, 0)] * 3 + [(0, 1, 0, 0)] * 2 + [(0, 2, 0, 0)]))
    (domain,) = table.sets
    stays = lines([[True, False, True], [False, False, True], [True]])
    parts = Partition(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1]), np.array([2, 1, 2, 1]), terms={"t": stays})
    assert table.codes["t"].tolist() == [0, 1, 2]
    found = parts.terms_of_each(domain, table)
    assert found is not None
    assert found.tolist() == [True, False, True] * 2 + [False, False, True] + [True] * 2
    assert Partition.of(table, np.zeros(3, dtype=np.int64)).terms_of_each(domain, table) is None
    each = Partition.of_each(table, parts.labels, terms={"t": found})
    again = each.terms_of_each(domain, table)
    assert again is not None and np.array_equal(again, found)


@settings(max_examples=examples(150))
@given(rows=rows_drawn, data=st.data())
def test_parts_that_share_everything_are_one_in_one_order(rows: list[Row], data: st.DataObject) -> None:
    table = counted(table_of(rows))
    kept = [data.draw(st.lists(st.booleans(), min_size=len(SETS[row[1]]), max_size=len(SETS[row[1]]))) for row in rows]

    def of(order: list[int]) -> Partition:
        """A part per row: rows of a tuple in the order given."""
        place = {key: at for at, key in enumerate(zip(*(table.codes[name].tolist() for name in "qt"), strict=True))}
        tuples = np.array([place[rows[at][:2]] for at in order], dtype=np.int64)
        chosen = [order[at] for at in np.argsort(tuples, kind="stable").tolist()]
        groups = np.array([rows[at][2] for at in chosen], dtype=np.int64)
        edits = {"s": np.array([rows[at][3] for at in chosen], dtype=np.int64)}
        terms = {"t": lines([kept[at] for at in chosen])}
        return Partition(np.sort(tuples), groups, np.ones(len(rows), dtype=np.int64), None, edits, ("n",), terms)

    first = arranged(of(list(range(len(rows)))), table)
    again = arranged(of(data.draw(st.permutations(range(len(rows))))), table)
    for one, other in (
        (first.tuples, again.tuples),
        (first.groups, again.groups),
        (first.counts, again.counts),
        (first.edits["s"], again.edits["s"]),
        (first.terms["t"], again.terms["t"]),
    ):
        assert np.array_equal(one, other)
    assert (np.diff(first.tuples) >= 0).all() and first.notes == ("n",)
    begins = table.sets[0].offsets(table.codes["t"][first.tuples]).tolist()
    parts = [
        (*key, group, node, tuple(first.terms["t"][begins[at] : begins[at + 1]].tolist()))
        for at, (key, group, node) in enumerate(
            zip(
                zip(*(table.codes[name][first.tuples].tolist() for name in "qt"), strict=True),
                first.groups.tolist(),
                first.edits["s"].tolist(),
                strict=True,
            )
        )
    ]
    expected = Counter((*row, tuple(each)) for row, each in zip(rows, kept, strict=True))
    assert dict(zip(parts, first.counts.tolist(), strict=True)) == expected
    assert len(parts) == len(expected)


def test_nothing_to_arrange() -> None:
    table = counted(table_of([]))
    none = np.zeros(0, dtype=np.int64)
    assert len(arranged(Partition(none, none, none), table).counts) == 0


@settings(max_examples=examples(100))
@given(
    places=st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=6), min_size=1, max_size=6),
    data=st.data(),
    seed=st.integers(0, 99),
)
def test_every_row_gets_a_place_of_those_that_look_like_it(
    places: list[list[int]], data: st.DataObject, seed: int
) -> None:
    places = [sorted(each) for each in places]
    counts = np.array([len(each) for each in places], dtype=np.int64)
    looks = np.repeat(np.arange(len(places), dtype=np.int32), counts)
    looks = looks[np.array(data.draw(st.permutations(range(len(looks)))))]
    groups = np.array([group for each in places for group in each], dtype=np.int32)
    labels = dealt(looks, counts, groups.copy(), Randomness.fixed(seed))
    for look, wanted in enumerate(places):
        assert sorted(labels[looks == look].tolist()) == wanted
    assert np.array_equal(labels, dealt(looks, counts, groups.copy(), Randomness.fixed(seed))), "the same key"


def test_chance_deals_evenly() -> None:
    """Six rows that look the same, two places of three groups each: 15 × 6 ways, over 9,000 keys; 99.9 % below 135."""
    seen: Counter[tuple[int, ...]] = Counter()
    looks, counts = np.zeros(6, dtype=np.int32), np.array([6])
    for seed in range(9000):
        places = np.array([0, 0, 1, 1, 2, 2], dtype=np.int32)
        seen[tuple(dealt(looks, counts, places, Randomness.fixed(seed)).tolist())] += 1
    assert len(seen) == 90
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 135


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2]])
def test_a_task_with_rows_one_by_one_is_the_same(order: list[int]) -> None:
    table = counted(moved(table_of([(0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 0)]), np.array(order)))
    task = Task(table, None, None, Randomness.fixed(0))  # type: ignore[arg-type]
    each = task.each()
    assert each.table.counts.tolist() == [1] * 4 and each.table.content.tolist() == [0, 0, 0, 1]
    assert each.each().table is each.table
