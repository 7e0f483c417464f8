"""Intervals and masks as people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.taxonomy.notation import Interval, Mask, read_interval, read_mask

F = Fraction


@pytest.mark.parametrize(
    ("text", "expected", "written"),
    [
        ("[20, 30[", Interval(F(20), F(30)), "[20, 30)"),
        ("[20,30)", Interval(F(20), F(30)), "[20, 30)"),
        ("[20,30]", Interval(F(20), F(30), high_closed=True), "[20, 30]"),
        ("]20; 30]", Interval(F(20), F(30), False, True), "(20, 30]"),
        ("(20, 30)", Interval(F(20), F(30), False), "(20, 30)"),
        ("20-29", Interval(F(20), F(29), high_closed=True), "[20, 29]"),
        (" 20 – 29 ", Interval(F(20), F(29), high_closed=True), "[20, 29]"),
        ("-5--1", Interval(F(-5), F(-1), high_closed=True), "[-5, -1]"),
        ("0.5-1.25", Interval(F(1, 2), F(5, 4), high_closed=True), "[0.5, 1.25]"),
        ("<20", Interval(None, F(20), False), "(-inf, 20)"),
        ("<= 20", Interval(None, F(20), False, True), "(-inf, 20]"),
        ("≤20", Interval(None, F(20), False, True), "(-inf, 20]"),
        (">80", Interval(F(80), None, False), "(80, inf)"),
        (">=80", Interval(F(80), None), "[80, inf)"),
        ("[80, inf)", Interval(F(80), None), "[80, inf)"),
        ("(-inf, 1/3)", Interval(None, F(1, 3), False), "(-inf, 1/3)"),
    ],
)
def test_read_and_write_intervals(text: str, expected: Interval, written: str) -> None:
    assert read_interval(text) == expected
    assert str(expected) == written


@pytest.mark.parametrize("text", ["", "20", "30-20", "2024-03", "[a, b)", "[20, 30", "81***", "1-2-3", "<", "٢-٣"])
def test_what_is_no_interval(text: str) -> None:
    assert read_interval(text) is None


def test_bounds() -> None:
    half_open = Interval(F(20), F(25))
    assert [F(number) in half_open for number in (19, 20, 24, 25)] == [False, True, True, False]
    assert [F(number) in Interval(F(20), F(25), False, True) for number in (20, 21, 25, 26)] == [
        False,
        True,
        True,
        False,
    ]
    assert F(10**9) in Interval(F(20), None) and F(-(10**9)) in Interval(None, F(20))


def test_masks() -> None:
    assert read_mask("81***") == Mask("81", 3, "right")
    assert read_mask("***81") == Mask("81", 3, "left")
    assert read_mask("*é") == Mask("é", 1, "left")
    assert Mask("81", 3, "right").length == 5
    assert [read_mask(text) for text in ("", "81", "***", "8*1", "*8*", "*")] == [None] * 6


@given(
    st.one_of(st.none(), st.fractions()), st.one_of(st.none(), st.fractions(min_value=0)), st.booleans(), st.booleans()
)
def test_what_is_written_reads_back(
    low: Fraction | None, span: Fraction | None, low_closed: bool, high_closed: bool
) -> None:
    high = span if low is None or span is None else low + span
    interval = Interval(low, high, low_closed and low is not None, high_closed and high is not None)
    assert read_interval(str(interval)) == interval


@given(st.text(st.characters(exclude_characters="*", codec="utf-8"), min_size=1), st.integers(1, 9), st.booleans())
def test_masks_read_back(kept: str, masked: int, left: bool) -> None:
    mask = Mask(kept, masked, "left" if left else "right")
    assert read_mask(str(mask)) == mask
