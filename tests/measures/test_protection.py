"""Excessive protection by hand, and never of a class that breaks its promise."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest

from sfumato.measures import protection
from sfumato.measures.protection import excess_of_class, excessive_protection

HALF = (Fraction(1, 2), Fraction(3, 4))
"""psi of (1/2, 3)."""


def test_by_hand() -> None:
    # psi: 1/2 3/4 1 1. F of 2 1 1 1: 2/5 3/5 4/5 1.
    assert excess_of_class(HALF, [1, 2, 1, 1]) == Fraction(1, 10) + Fraction(3, 20) + Fraction(1, 5)
    assert excess_of_class(HALF, [2, 1, 1]) == 0
    assert excess_of_class(HALF, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 0]) == 0
    assert excess_of_class(HALF[:1], [1, 1, 1, 1]) == Fraction(1, 4) + Fraction(1, 2) + Fraction(1, 4)


def test_of_a_release_it_is_the_least() -> None:
    assert excessive_protection(HALF, [[1, 1, 1, 1], [2, 1, 1]]) == 0
    assert excessive_protection(HALF, [[1, 1, 1, 1]]) == Fraction(1, 4) + Fraction(1, 4) + Fraction(1, 4)


@pytest.mark.parametrize("classes", [[[3, 1, 1]], [[2, 1, 1], [2, 2, 1]], [[1, 1]], [[5]]], ids=str)
def test_a_violation_is_no_protection(classes: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="allowed"):
        excessive_protection(HALF, classes)


def test_no_rows() -> None:
    with pytest.raises(ValueError, match="without rows"):
        excess_of_class(HALF, [])


def test_documented_example() -> None:
    assert doctest.testmod(protection).failed == 0 and doctest.testmod(protection).attempted
