"""ID3 against the textbook's example, and against a tree that is grown row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.measures.uses.loops.id3 import grown, said
from tests.support.examples import examples

# Quinlan 1986, Table 1: outlook, temperature, humidity, windy, class.
_SATURDAYS = """
sunny hot high false N
sunny hot high true N
overcast hot high false P
rain mild high false P
rain cool normal false P
rain cool normal true N
overcast cool normal true P
sunny mild high false N
sunny cool normal false P
rain mild normal false P
sunny mild normal true P
overcast mild high true P
overcast hot normal false P
rain mild high true N
"""


def coded(rows: Sequence[Sequence[str]]) -> tuple[np.ndarray, list[list[str]]]:
    names = [sorted({row[at] for row in rows}) for at in range(len(rows[0]))]
    return np.array([[names[at].index(row[at]) for row in rows] for at in range(len(names))], dtype=np.int32), names


def test_saturday_mornings() -> None:
    """Outlook first; sunny ones by humidity, rainy ones by wind; 3 + 2 + 2 + 1 nodes."""
    codes, names = coded([line.split() for line in _SATURDAYS.strip().splitlines()])
    sizes = np.array([len(each) for each in names[:4]])
    tree = grown(np.ascontiguousarray(codes[:4]), sizes, codes[4], 2)
    assert tree.column.tolist() == [0, -1, 3, 2, -1, -1, -1, -1]
    assert [names[0][code] for code in tree.value[1:4].tolist()] == ["overcast", "rain", "sunny"]
    assert (said(tree, np.ascontiguousarray(codes[:4])) == codes[4]).all()


def test_what_was_not_met_is_the_commonest_so_far() -> None:
    """Column 0 tells 0 from 1; where it is 2, rows are mostly 1; among equals the least is said."""
    codes = np.array([[0, 0, 1, 1, 1]], dtype=np.int32)
    tree = grown(codes, np.array([4]), np.array([0, 0, 1, 1, 2], dtype=np.int32), 3)
    assert said(tree, np.array([[0, 1, 2, 3]], dtype=np.int32)).tolist() == [0, 1, 0, 0]


def test_no_column_is_one_leaf() -> None:
    tree = grown(np.zeros((0, 3), dtype=np.int32), np.zeros(0, dtype=np.int64), np.array([1, 2, 2], dtype=np.int32), 3)
    assert tree.column.tolist() == [-1] and said(tree, np.zeros((0, 2), dtype=np.int32)).tolist() == [2, 2]


def entropy(targets: Sequence[int]) -> float:
    return -sum(count / len(targets) * log2(count / len(targets)) for count in Counter(targets).values())


def slow(rows: list[tuple[list[int], int]], columns: Sequence[int], asked: Sequence[int]) -> int:
    """What the tree of some rows says of another, by the definition."""
    targets = [target for _, target in rows]
    counted = Counter(targets)
    commonest = min(counted, key=lambda target: (-counted[target], target))
    costs = {}
    for column in columns:
        values = {codes[column] for codes, _ in rows}
        parts = [[target for codes, target in rows if codes[column] == value] for value in values]
        if len(values) > 1:
            costs[column] = sum(len(part) * entropy(part) for part in parts)
    if len(counted) == 1 or not costs:
        return commonest
    least = min(costs.values())
    best = min(column for column, cost in costs.items() if cost < least + 1e-7)
    mine = [(codes, target) for codes, target in rows if codes[best] == asked[best]]
    return slow(mine, [column for column in columns if column != best], asked) if mine else commonest


@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.integers(0, 2)), min_size=1, max_size=30)
)
def test_trees_are_those_of_the_definition(rows: list[tuple[list[int], int]]) -> None:
    codes = np.array([codes for codes, _ in rows], dtype=np.int32).T.copy()
    tree = grown(codes, np.array([4, 4, 4]), np.array([target for _, target in rows], dtype=np.int32), 3)
    every = np.array(np.meshgrid(*[np.arange(4)] * 3)).reshape(3, -1).astype(np.int32)
    answers = said(tree, np.ascontiguousarray(every)).tolist()
    assert answers == [slow(rows, [0, 1, 2], asked) for asked in every.T.tolist()]


def test_trees_of_many_nodes() -> None:
    """More nodes than there is room for to begin with: every row told apart."""
    codes = np.stack([np.arange(5000) // 70, np.arange(5000) % 70]).astype(np.int32)
    targets = (np.arange(5000) * 7919 % 13).astype(np.int32)
    tree = grown(codes, np.array([72, 70]), targets, 13)
    assert len(tree.column) > 5000 and (said(tree, codes) == targets).all()
