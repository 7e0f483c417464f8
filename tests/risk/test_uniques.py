"""Minimal sample uniques, against looking at every row and every set of columns."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.risk import uniques as module
from sfumato.risk.uniques import Coded, Uniques, uniques

Row = tuple[int, ...]


def coded(rows: list[Row], sizes: list[int]) -> Coded:
    counts = Counter(rows)
    codes = [np.array([row[at] for row in counts], dtype=np.int32) for at in range(len(sizes))]
    people = np.array([*counts.values()], dtype=np.int64)
    return Coded(tuple(f"c{at}" for at in range(len(sizes))), codes, tuple(sizes), people)


def unique_by(rows: list[Row], places: tuple[int, ...]) -> set[int]:
    counts = Counter(tuple(row[at] for at in places) for row in rows)
    return {number for number, row in enumerate(rows) if counts[tuple(row[at] for at in places)] == 1}


def check(rows: list[Row], width: int, found: Uniques, size: int = 3) -> None:
    """Every number from its definition."""
    whole = unique_by(rows, tuple(range(width)))
    assert found.rows == len(whole)
    if not whole:
        return
    minimal: dict[tuple[int, ...], set[int]] = {}
    least: Counter[int] = Counter()
    for many in range(1, min(size, width) + 1):
        for places in combinations(range(width), many):
            fewer = (part for less in range(1, many) for part in combinations(places, less))
            minimal[places] = unique_by(rows, places).difference(*(unique_by(rows, part) for part in fewer))
    for number in whole:
        least[min((len(places) for places, mine in minimal.items() if number in mine), default=0)] += 1
    for each in found.sizes:
        mine = [len(members) for places, members in minimal.items() if len(places) == each.size]
        assert (each.sets, each.looked, each.minimal, each.rows) == (len(mine), len(mine), sum(mine), least[each.size])
    every = sum(map(len, minimal.values()))
    for at, part in enumerate(found.columns):
        mine_too = sum(len(members) for places, members in minimal.items() if at in places)
        others = tuple(place for place in range(width) if place != at)
        assert part.share == pytest.approx(mine_too / max(every, 1))
        assert part.without == len(whole - unique_by(rows, others))
    for shown in found.sets:
        places = tuple(int(name[1:]) for name in shown.columns)
        assert (shown.unique, shown.minimal) == (len(unique_by(rows, places)), len(minimal[places]))
    most = sorted((len(unique_by(rows, places)) for places, mine in minimal.items() if mine), reverse=True)
    assert [each.unique for each in found.sets] == most[:10]


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 5), st.booleans())
def test_every_set_of_columns(seed: int, count: int, width: int, far: bool) -> None:
    """Near keys are counted side by side, far ones looked up: both find the same."""
    draw = random.Random(seed)
    sizes = [draw.choice([1, 2, 3, 9]) for _ in range(width)]
    rows = [tuple(draw.randrange(size) for size in sizes) for _ in range(count)]
    given = coded(rows, [size * (10**9 if far else 1) for size in sizes])
    check(rows, width, uniques(given))


def test_far_keys_that_share_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows and few counts: those that are not alone by chance are looked up."""
    monkeypatch.setattr(module, "_ROOM", 0)
    draw = random.Random(1)
    rows = [tuple(draw.randrange(150) for _ in range(3)) for _ in range(1500)]
    found = uniques(coded(rows, [10**6, 10**6, 10**6]))
    for each, size in zip(found.sizes, (1, 2, 3), strict=True):
        places = [*combinations(range(3), size)]
        assert each.rows == len(
            set().union(*(unique_by(rows, set_) for set_ in places))
            - set().union(*(unique_by(rows, part) for less in range(1, size) for part in combinations(range(3), less)))
        )


def test_by_hand() -> None:
    """Of four rows one is the only 1 in the first column; two others are told apart from it and each other by both."""
    found = uniques(coded([(0, 0), (0, 1), (1, 1), (0, 2)], [2, 3]))
    assert found.rows == 4
    assert [(each.minimal, each.rows) for each in found.sizes] == [(3, 3), (1, 1)]
    assert [(each.column, each.without) for each in found.columns] == [("c0", 2), ("c1", 3)]
    assert [(each.columns, each.unique, each.minimal) for each in found.sets] == [
        (("c0", "c1"), 4, 1),
        (("c1",), 2, 2),
        (("c0",), 1, 1),
    ]


def test_a_limit_on_work_is_told() -> None:
    rows: list[Row] = [(at, at % 3, at % 5, at % 7) for at in range(20)]
    given = coded(rows, [20, 3, 5, 7])
    found = uniques(given, work=6 * 20)
    assert [(each.sets, each.looked) for each in found.sizes] == [(4, 4), (6, 2), (4, 0)] and found.capped
    assert not uniques(given).capped
