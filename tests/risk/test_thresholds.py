"""Thresholds as numbers of rows: exact, and the convention is said."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.risk.thresholds import Threshold, thresholds_of


@pytest.mark.parametrize(
    ("given", "k"),
    [
        *(("0.09", 12), (0.09, 12), ("<=0.09", 12), ("0.2", 6), ("<=0.2", 5), ("<= 1/5", 5), ("1/11", 12), ("1", 2)),
        *(("<=1", 1), ("<0.05", 21), ("1/3", 4), ("<=1/3", 3), (Fraction(2, 7), 4), ("0.3333333333333333", 4)),
    ],
)
def test_least_number_of_rows(given: str | float | Fraction, k: int) -> None:
    """0.09 is 12 under both readings, since 1/11 is more; 1/k itself is what they differ by."""
    assert [each.k for each in thresholds_of(given)] == [k]


@given(st.integers(1, 400), st.integers(1, 400), st.booleans())
def test_k_is_the_least_that_keeps_it(numerator: int, denominator: int, strict: bool) -> None:
    value = Fraction(min(numerator, denominator), max(numerator, denominator))
    found = Threshold(value, strict)
    kept = [Fraction(1, k) < value if strict else Fraction(1, k) <= value for k in range(1, 500)]
    assert found.k == kept.index(True) + 1
    rows = np.arange(1, 500).astype(np.float64)
    assert found.broken(rows).tolist() == [not each for each in kept]
    halves = [Fraction(2, k) < value if strict else Fraction(2, k) <= value for k in range(2, 500)]
    assert found.broken(np.arange(2, 500) / 2).tolist() == [not each for each in halves]


def test_no_threshold_but_between_0_and_1() -> None:
    for wrong in ("0", "-0.1", "1.5", "often", "<=0", "nan"):
        with pytest.raises(sf.InputError, match="threshold"):
            thresholds_of(wrong)


def test_largest_first_and_each_once() -> None:
    assert [str(each) for each in thresholds_of(["0.05", "1/20", "0.5", "<=0.05"])] == [
        *("below 0.5", "at most 0.05", "below 0.05")
    ]
    assert [each.k for each in thresholds_of(None)] == [6, 12, 21]
