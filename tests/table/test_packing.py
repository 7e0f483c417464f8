"""Different combinations of codes: packed, counted, told again; and their places dealt out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.dealing import deal, undecided
from sfumato.table import few, loops, packing
from sfumato.table.packing import Packed
from tests.support.examples import examples

SIZES = (3, 2**20, 2**30, 2**31 - 1)
"""Together more bits than a word has; the first three are not."""

cells = st.integers(0, 2)
tables = st.lists(st.tuples(cells, cells, cells, cells), min_size=1, max_size=40)


@pytest.fixture(scope="module", autouse=True, params=[0, few.FEW], ids=["compiled", "few"])
def whose_loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever is said here holds for the compiled loops and for those of few rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few, "FEW", request.param)
        yield


def packed_of(rows: Sequence[tuple[int, ...]], width: int, canonical: bool, counts: Sequence[int] = ()) -> Packed:
    columns = [(np.array([row[at] for row in rows], dtype=np.int32), SIZES[at]) for at in range(width)]
    return Packed.of(columns, np.array(counts or [1] * len(rows), dtype=np.int64), canonical)


@settings(max_examples=examples(150))
@given(rows=tables, width=st.integers(1, 4), canonical=st.booleans())
def test_combinations_tell_every_row(rows: list[tuple[int, ...]], width: int, canonical: bool) -> None:
    made = packed_of(rows, width, canonical)
    assert made.words.shape[1] == (2 if width == 4 else 1)
    codes = list(zip(*(made.codes(at).tolist() for at in range(width)), strict=True))
    assert made.numbers is not None
    assert [codes[number] for number in made.numbers] == [row[:width] for row in rows]
    assert dict(zip(codes, made.counts.tolist(), strict=True)) == Counter(row[:width] for row in rows)
    if canonical:
        assert codes == sorted(codes, key=lambda code: code[::-1])
    records = made.records()
    assert (records[:, :-1] == made.words).all()
    assert [(word >> 32, word & 0xFFFFFFFF) for word in records[:, -1].tolist()] == list(
        zip(made.counts.tolist(), range(len(codes)), strict=True)
    )


@settings(max_examples=examples(100))
@given(rows=tables, width=st.integers(1, 4), data=st.data())
def test_combinations_are_those_of_numpy(rows: list[tuple[int, ...]], width: int, data: st.DataObject) -> None:
    """In one order whatever order they come in, each with the rows of all that stand for it."""
    counts = data.draw(st.lists(st.integers(1, 2**40), min_size=len(rows), max_size=len(rows)))
    order = data.draw(st.permutations(range(len(rows))))
    made = packed_of([rows[at] for at in order], width, True, [counts[at] for at in order])
    codes = np.array([row[:width][::-1] for row in rows])
    known, place = np.unique(codes, axis=0, return_inverse=True)
    assert np.array_equal(np.stack([made.codes(at) for at in reversed(range(width))], axis=1), known)
    sums = np.zeros(len(known), dtype=np.int64)
    np.add.at(sums, place.reshape(-1), counts)
    assert np.array_equal(made.counts, sums)
    found = made.of_each(np.arange(len(known)))
    assert np.array_equal(found, place.reshape(-1)[np.array(order)])


def test_no_columns_and_no_rows() -> None:
    none = np.zeros(0, dtype=np.int32)
    assert len(Packed.of([(none, 5)], np.zeros(0, dtype=np.int64), canonical=True).counts) == 0
    one = Packed.of([], np.array([2, 3], dtype=np.int64), canonical=True)
    assert one.counts.tolist() == [5] and one.numbers is not None and one.numbers.tolist() == [0, 0]
    assert Packed.of([(np.zeros(3, np.int32), 1)], np.ones(3, np.int64), canonical=True).counts.tolist() == [3]


@pytest.mark.parametrize("canonical", [False, True])
def test_rows_that_hardly_repeat_are_not_numbered_without_need(
    canonical: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "_PATIENCE", 16)
    monkeypatch.setattr(few, "FEW", 0)
    rows = [(0, at % 90) for at in range(100)]
    made = packed_of(rows, 2, canonical)
    if canonical:
        assert made.numbers is not None
        assert sorted(made.counts.tolist()) == [1] * 80 + [2] * 10
    else:
        assert made.numbers is None
        assert made.counts.tolist() == [1] * 100
        assert made.codes(1).tolist() == [at for _, at in rows]


@given(keys=st.lists(st.integers(0, 2**63 - 1), max_size=50), times=st.integers(1, 3))
@settings(max_examples=examples(100))
def test_numbers_follow_appearance(keys: list[int], times: int) -> None:
    numbers, distinct = few.loops_for(1).number(np.array(keys * times, dtype=np.int64), 1 << 16, 0.25)
    assert distinct.tolist() == list(dict.fromkeys(keys))
    assert distinct[numbers].tolist() == keys * times


def test_the_table_of_numbers_grows() -> None:
    keys = np.random.default_rng(0).integers(0, 20_000, 50_000) << 40
    numbers, distinct = loops.number(keys, 1 << 16, 0.25)
    assert (distinct[numbers] == keys).all()
    assert len(distinct) == len(np.unique(keys))


@pytest.mark.parametrize(("repeats", "gives_up"), [(0, True), (28, True), (32, False)])
def test_numbering_gives_up_when_few_rows_will_repeat(repeats: int, gives_up: bool) -> None:
    """It looks at 64 of 127 keys, and expects the share that repeats to grow with their number."""
    keys = np.arange(127)
    keys[1 : 1 + repeats] = 0
    assert (repeats / 64 * 127 / 64 < 0.9) == gives_up
    numbers, _ = loops.number(keys, 64, 0.9)
    assert (len(numbers) == 0) == gives_up


@given(rows=st.lists(st.tuples(st.integers(0, 2**62), st.integers(0, 2)), max_size=60))
@settings(max_examples=examples(100))
def test_order_is_by_the_last_word_and_stable(rows: list[tuple[int, int]]) -> None:
    words = np.array(rows, dtype=np.int64).reshape(-1, 2)
    assert few.loops_for(1).order(words).tolist() == sorted(range(len(rows)), key=lambda at: rows[at][::-1])


@given(places=st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=6), data=st.data())
@settings(max_examples=examples(100))
def test_rows_take_all_places_of_their_tuple(places: list[list[int]], data: st.DataObject) -> None:
    places = [sorted(each) for each in places]
    starts = np.cumsum([0, *map(len, places)])
    groups = np.array([group for each in places for group in each], dtype=np.int32)
    rows = undecided(starts, groups)
    assert rows == sum(len(each) for each in places if len(set(each)) > 1)
    chance = np.array(data.draw(st.lists(st.integers(0, 2**64 - 1), min_size=rows, max_size=rows)), dtype=np.uint64)
    numbers = np.array(data.draw(st.permutations(np.repeat(np.arange(len(places)), np.diff(starts)).tolist())))
    labels = deal(numbers.astype(np.int32), starts, groups, chance)
    for each, wanted in enumerate(places):
        assert sorted(labels[numbers == each].tolist()) == wanted


def test_every_row_is_as_likely_to_take_a_place() -> None:
    rng = np.random.default_rng(0)
    taken = np.zeros(4)
    for _ in range(2000):
        groups = np.array([0, 1, 1, 1], dtype=np.int32)
        labels = deal(np.zeros(4, np.int32), np.array([0, 4]), groups, rng.integers(0, 2**64, 4, dtype=np.uint64))
        taken += labels == 0
    assert (np.abs(taken - 500) < 100).all()
