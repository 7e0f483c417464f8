"""Counted shard by shard, classes are what they are when counted at once, in the same order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.release.classes import Classes
from sfumato.table import shards, tally
from sfumato.table.tally import CodedRows
from tests.support.examples import examples

SIZES = (3, 2, 40, 5)


def drawn(seed: int, rows: int, weighted: bool) -> CodedRows:
    chance = np.random.default_rng(seed)
    columns = {str(place): (chance.integers(-1, size, rows), size) for place, size in enumerate(SIZES)}
    return CodedRows(columns, -1, chance.integers(1, 4, rows) if weighted else None)


@given(
    seed=st.integers(0, 2**32), rows=st.integers(1, 400), at_once=st.integers(1, 120), known=st.integers(0, 3),
    weighted=st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(300))
def test_the_same_classes(seed: int, rows: int, at_once: int, known: int, weighted: bool) -> None:
    given_rows, names = drawn(seed, rows, weighted), [str(place) for place in range(known)]
    whole = Classes.of(given_rows, names, "3", SIZES[3] + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "AT_ONCE", at_once)
        parts = Classes.of(given_rows, names, "3", SIZES[3] + 1)
        every = [*given_rows.shards(names)]
    for name in ("starts", "values", "counts", "alike"):
        assert getattr(whole, name).tolist() == getattr(parts, name).tolist()
    assert sum(shard.rows for shard in every) == given_rows.rows
    assert len(every) > 1 or known < 3 or rows < 10 * at_once


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 300))
@settings(max_examples=examples(100))
def test_rows_that_are_equal_share_a_shard(seed: int, rows: int) -> None:
    given_rows, names = drawn(seed, rows, weighted=False), ["0", "1", "2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "AT_ONCE", 20)
        seen: dict[tuple[int, ...], int] = {}
        for number, shard in enumerate(given_rows.shards(names)):
            for combination in zip(*shard.count(names).codes, strict=True):
                assert seen.setdefault(tuple(map(int, combination)), number) == number


@given(seed=st.integers(0, 2**32), rows=st.integers(1, 300), weighted=st.booleans(), known=st.integers(1, 4))
@settings(max_examples=examples(200))
def test_a_counter_for_each_combination_counts_the_same(seed: int, rows: int, weighted: bool, known: int) -> None:
    given_rows, names = drawn(seed, rows, weighted), [str(place) for place in range(known)]
    whole = given_rows.count(names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "_BLOCK", 7)
        patch.setattr(shards, "_COUNTERS", 1 << 12)
        counted = given_rows.count(names)
    assert [each.tolist() for each in counted.codes] == [each.tolist() for each in whole.codes]
    assert counted.counts.tolist() == whole.counts.tolist()
