"""Estimates from sampling weights, against sums over the distribution itself."""

from __future__ import annotations

from math import exp, lgamma, log

import numpy as np
import pytest

from sfumato.risk.estimates import mean_share, right_if_unique, uniques_of_population


def summed(rows: int, weights: float) -> float:
    """The mean of 1/F, F being the trial of so many successes with probability rows / weights; term by term."""
    p = rows / weights
    if p >= 1:
        return 1 / rows
    found = 0.0
    for size in range(rows, int(80 * weights) + 2000):
        chances = lgamma(size) - lgamma(rows) - lgamma(size - rows + 1) + rows * log(p) + (size - rows) * log(1 - p)
        found += exp(chances) / size
    return found


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7, 30, 100])
@pytest.mark.parametrize("each", [1.0, 1.0005, 1.01, 1.5, 4.0, 25.0])
def test_mean_of_one_over_the_class_in_the_population(rows: int, each: float) -> None:
    found = mean_share(np.array([rows]), np.array([rows * each]))[0]
    assert found == pytest.approx(summed(rows, rows * each), rel=1e-9)
    assert 1 / (rows * each) <= found + 1e-12 and found <= 1 / rows + 1e-12


def test_by_hand() -> None:
    """One row of weight 2: log 2. Two of 4 in all: 1 - log 2."""
    assert mean_share(np.array([1, 2]), np.array([2.0, 4.0])).tolist() == pytest.approx([log(2), 1 - log(2)])


def test_weights_below_the_rows_count_as_these() -> None:
    assert mean_share(np.array([1, 4]), np.array([0.2, 1.0])).tolist() == pytest.approx([1, 1 / 4])
    assert uniques_of_population(np.array([1]), np.array([0.2])) == 1


def test_population_uniques() -> None:
    """Rows of weight 2 and 10 are unique with probability 1/2 and 1/10; a pair is not."""
    assert uniques_of_population(np.array([1, 1, 2]), np.array([2.0, 10.0, 20.0])) == pytest.approx(0.6)


def test_right_if_unique() -> None:
    """With equal weights 1/π it is Skinner and Elliot's π n1 / (π n1 + 2 (1 - π) n2): here 3/10 and 7/5."""
    rows, weights = np.array([1, 1, 1, 2]), np.array([10.0, 10.0, 10.0, 20.0])
    assert right_if_unique(rows, weights) == pytest.approx(0.3 / (0.3 + 2 * 0.9))
    assert right_if_unique(np.array([2]), np.array([20.0])) is None
