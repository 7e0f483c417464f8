"""Counting against a slow reference: tuples of codes in dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.release.classes import Classes
from sfumato.release.codes import Codes
from sfumato.table import few
from tests.support.auditing import classes_of
from tests.support.examples import examples

WORK = settings(max_examples=examples(200))
SIZES = [1, 2, 3, 200, 2**16, 2**20, 2**31, 2**32, 2**33, 2**62]
KINDS: list[type[np.integer[Any]]] = [np.uint8, np.uint16, np.uint32, np.int32, np.int64, np.uint64]

Histogram = tuple[tuple[int, int], ...]
Table = tuple[list[list[int]], list[int]]
"""Codes of the columns and of the counted one, row by row."""


@pytest.fixture(scope="module", autouse=True, params=[0, few.FEW], ids=["compiled", "few"])
def whose_loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever is said here holds for the compiled loops and for those of few rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(few, "FEW", request.param)
        yield


def coded(codes: Sequence[int], size: int) -> Codes:
    """The codes in the narrowest type that holds the size, and in a signed one now and then."""
    fitting = [kind for kind in KINDS if size - 1 <= np.iinfo(kind).max]
    kind = fitting[size % 2 if len(fitting) > 1 else 0]
    return Codes(np.array(codes, dtype=kind), size)


def slow(table: Table) -> Counter[Histogram]:
    """How many classes have which histogram, most frequent values first, ties by value."""
    groups: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
    for row, value in enumerate(table[1]):
        groups[tuple(column[row] for column in table[0])][value] += 1
    return Counter(tuple(sorted(group.items(), key=lambda pair: (-pair[1], pair[0]))) for group in groups.values())


def fast(classes: Classes) -> Counter[Histogram]:
    found: Counter[Histogram] = Counter()
    for begin, end, alike in zip(classes.starts[:-1], classes.starts[1:], classes.alike, strict=True):
        pairs = zip(classes.values[begin:end].tolist(), classes.counts[begin:end].tolist(), strict=True)
        histogram = tuple(pairs)
        assert histogram not in found  # each stands there once
        found[histogram] = int(alike)
    return found


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[int], int]:
    """A table, the sizes of its columns and that of the counted one; codes close to either end of their range."""
    rows, sizes = draw(st.integers(1, 40)), draw(st.lists(st.sampled_from(SIZES), max_size=7))
    size = draw(st.sampled_from([1, 2, 5, 300, 2**20, 2**32]))

    def codes(size: int) -> st.SearchStrategy[list[int]]:
        ends = sorted({0, min(1, size - 1), size // 2, size - 1})
        return st.lists(st.sampled_from(ends), min_size=rows, max_size=rows)

    return ([draw(codes(each)) for each in sizes], draw(codes(size))), sizes, size


def counted(table: Table, sizes: Sequence[int], size: int) -> Classes:
    return classes_of([coded(*pair) for pair in zip(table[0], sizes, strict=True)], coded(table[1], size))


@WORK
@given(tables())
def test_every_histogram_is_counted(given: tuple[Table, list[int], int]) -> None:
    table, sizes, size = given
    classes = counted(table, sizes, size)
    assert fast(classes) == slow(table)
    assert classes.groups == len(set(zip(*table[0], strict=True))) if table[0] else classes.groups == 1
    assert int(classes.sizes @ classes.alike) == len(table[1])


@WORK
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(given: tuple[Table, list[int], int], random: Any) -> None:
    table, sizes, size = given
    order = list(range(len(table[1])))
    random.shuffle(order)
    shuffled = [[column[row] for row in order] for column in table[0]], [table[1][row] for row in order]
    for mine, theirs in zip(arrays(counted(table, sizes, size)), arrays(counted(shuffled, sizes, size)), strict=True):
        assert mine.tolist() == theirs.tolist()


def arrays(classes: Classes) -> list[NDArray[np.int64]]:
    return [classes.starts, classes.values, classes.counts, classes.alike]


def test_keys_beyond_64_bits() -> None:
    """Rows that only the first, a middle or the last of ten wide columns tells apart; 2**200 possible rows."""
    base = [7] * 10
    rows = [base, base, *([*base[:at], 2**20 - 1, *base[at + 1 :]] for at in (0, 4, 9))]
    columns = [list(column) for column in zip(*rows, strict=True)]
    classes = counted((columns, [0, 1, 1, 1, 1]), [2**20] * 10, 2)
    assert fast(classes) == {((0, 1), (1, 1)): 1, ((1, 1),): 3}


@pytest.mark.parametrize("rows", [100, 20_000])
def test_more_rows_than_a_block(rows: int) -> None:
    rng = np.random.default_rng(5)
    columns = [rng.integers(0, 2**22, rows) % 2**digits for digits in (22, 6, 3)]
    values = np.minimum(rng.geometric(0.05, rows) - 1, 99)
    table = [column.tolist() for column in columns[1:]], values.tolist()
    assert fast(counted(table, [2**6, 2**3], 100)) == slow(table)
    wide = [column.tolist() for column in columns * 3], values.tolist()
    assert fast(counted(wide, [2**22] * 9, 100)) == slow(wide)


@WORK
@given(st.lists(st.integers(1, 60), min_size=1, max_size=400), st.integers(1, 5))
def test_one_class_with_many_values(counts: list[int], times: int) -> None:
    """Frequencies in any order come out descending, whatever the number of values; equal classes are one."""
    values = np.repeat(np.arange(len(counts)), counts)
    labels = np.repeat(np.arange(times), len(values))
    classes = classes_of([Codes(labels, times)], Codes(np.tile(values, times), len(counts)))
    assert classes.counts.tolist() == sorted(counts, reverse=True)
    assert classes.values.tolist() == sorted(range(len(counts)), key=lambda value: (-counts[value], value))
    assert classes.alike.tolist() == [times]


def test_histograms_with_one_hash_are_told_apart() -> None:
    """Two classes of one value each, the second count chosen so that both mix to the same number."""
    from sfumato.release.loops import histograms as loops

    halfway = [value * 0x9E3779B97F4A7C15 % 2**64 for value in (1, 2)]
    halfway = [mixed ^ mixed >> 32 for mixed in halfway]
    keys = np.array([1, 3 + 2], dtype=np.uint64)  # classes 0 and 1, radix 3
    counts = np.array([5, 5 ^ halfway[0] ^ halfway[1]], dtype=np.uint64)
    values = np.array([1, 2], dtype=np.uint64)
    with np.errstate(over="ignore"):
        assert loops._mixed.py_func(values, counts, 0, 1) == loops._mixed.py_func(values, counts, 1, 2)
    starts, alike = np.zeros(3, dtype=np.int64), np.zeros(2, dtype=np.int64)
    assert loops.distinct_histograms(keys, counts, 3, np.zeros(4, dtype=np.uint32), starts, alike) == 2
    assert (keys.tolist(), starts.tolist(), alike.tolist()) == ([1, 2], [0, 1, 2], [1, 1])


def test_no_columns_one_row_and_no_rows() -> None:
    assert fast(classes_of([], coded([3, 1, 3], 5))) == {((3, 2), (1, 1)): 1}
    assert fast(classes_of([coded([2], 9)], coded([4], 5))) == {((4, 1),): 1}
    empty = classes_of([coded([], 4)], coded([], 1))
    assert (len(empty), empty.groups, empty.sizes.tolist()) == (0, 0, [])
    assert len(classes_of([], coded([], 0)).just_rows()) == 0


@WORK
@given(tables())
def test_just_rows(given: tuple[Table, list[int], int]) -> None:
    table, sizes, size = given
    rows = counted(table, sizes, size).just_rows()
    reference = slow((table[0], [0] * len(table[1])))
    assert fast(rows) == reference


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        ([Codes(np.array([0, 3]), 3)], Codes(np.array([0, 0]), 1)),
        ([Codes(np.array([0, -1]), 3)], Codes(np.array([0, 0]), 1)),
        ([Codes(np.array([0, -1], dtype=np.int8), 300)], Codes(np.array([0, 0]), 1)),
        ([Codes(np.array([0, 2**33]), 2**33)], Codes(np.array([0, 0]), 1)),
        ([], Codes(np.array([0, 1]), 1)),
        ([Codes(np.array([0]), 1)], Codes(np.array([0, 0]), 1)),
        ([], Codes(np.array([0, 1]), 2**33)),
    ],
)
def test_codes_that_would_be_miscounted_are_refused(columns: list[Codes], values: Codes) -> None:
    with pytest.raises(ValueError, match="code"):
        classes_of(columns, values)


@WORK
@given(st.lists(st.sampled_from(["", " ", "a", "b", "*", None]), max_size=30))
def test_texts_become_codes(texts: list[str | None]) -> None:
    codes, meant = Codes.of(pl.Series(texts, dtype=pl.String))
    assert [meant[code] for code in codes.rows] == texts
    assert codes.size == len(meant) == len(set(texts))


@pytest.mark.parametrize("different", [254, 255, 256, 65_535, 65_536])
def test_a_missing_value_is_told_apart_from_all_others(different: int) -> None:
    texts: list[str | None] = [str(number) for number in range(different)]
    codes, _ = Codes.of(pl.Series([*texts, None, None]))
    assert len(set(codes.rows.tolist())) == codes.size == different + 1
    assert codes.rows[-1] == codes.rows[-2]
