"""Sorts and growing arrays of compiled loops against those of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.compiled import ascending, falling, first_not_below, longer, stable_order
from tests.support.examples import examples

WORK = settings(deadline=None, max_examples=examples(100))
KINDS = st.sampled_from([np.int32, np.int64, np.float64])
numbers = st.lists(st.integers(-9, 9), max_size=70)


@WORK
@given(numbers, KINDS)
def test_numbers_are_sorted_where_they_stand(given: list[int], kind: type[Any]) -> None:
    made = np.array(given, dtype=kind)
    ascending(made)
    assert made.tolist() == sorted(given)


@WORK
@given(numbers, KINDS)
def test_the_highest_come_first_and_the_others_stay(given: list[int], kind: type[Any]) -> None:
    before = np.array(given, dtype=kind)
    assert falling(before).tolist() == sorted(given, reverse=True)
    assert before.tolist() == given


@WORK
@given(numbers, st.sampled_from([np.int32, np.int64, np.float64]))
def test_equal_keys_stay_in_their_order(given: list[int], kind: type[Any]) -> None:
    keys = np.array(given, dtype=kind)
    assert stable_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_large_keys_without_a_sign() -> None:
    keys = np.array([2**64 - 1, 0, 2**63, 2**63, 1], dtype=np.uint64)
    assert stable_order(keys).tolist() == [1, 4, 2, 3, 0]


@pytest.mark.parametrize(("wanted", "room"), [(0, 3), (3, 3), (4, 6), (6, 6), (20, 20)])
def test_what_grows_keeps_what_it_has(wanted: int, room: int) -> None:
    made = longer(np.array([3, 1, 2]), wanted)
    assert len(made) == room and made[:3].tolist() == [3, 1, 2]


@WORK
@given(numbers, st.integers(-11, 11))
def test_the_first_that_is_not_below(given: list[int], least: int) -> None:
    ordered = np.sort(np.array(given, dtype=np.int64))
    assert first_not_below(ordered, least) == np.searchsorted(ordered, least)
