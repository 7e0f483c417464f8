"""Correspondence loss: the paper's definition by hand, against loops, and the order that its comparison claims."""

from __future__ import annotations

import doctest
import random
import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from benchmarks.comparison import METHODS, compared, main, sample
from sfumato import datasets
from sfumato.measures import correspondence
from sfumato.measures.correspondence import alike, glp, nlp_of_groups, nlp_of_rings
from tests.support.examples import examples
from tests.support.golden import golden
from tests.support.handmade import column_with, counted, rows_of

GOLDEN = golden("rings")
Rows = list[tuple[int, int, int]]


def slow(people: list[int], values: list[int], candidates: list[list[int]]) -> Fraction:
    """The definition: per row the values that it may have, by loops."""
    total = Fraction(0)
    for person, may in zip(people, candidates, strict=True):
        known = {value for other, value in zip(people, values, strict=True) if other == person}
        shares = Counter(may)
        total += Fraction(sum(count for value, count in shares.items() if value not in known), len(may))
    return total / len(people)


@pytest.mark.parametrize("case", GOLDEN["glp"], ids=lambda case: str(case["groups"]))
def test_worked_examples(case: dict[str, Any]) -> None:
    people = np.array([ord(text) for text in case["nsa"]])
    values = np.array([ord(text) for text in case["sa"]])
    labels = np.zeros(len(people), dtype=np.int64)
    for label, rows in enumerate(case["groups"]):
        labels[rows] = label
    assert glp(nlp_of_groups(people, values, labels)) == Fraction(case["glp"])


@settings(max_examples=examples(150))
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=25))
def test_groups_against_loops(rows: Rows) -> None:
    people, values, labels = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    members = [[value for _, value, group in rows if group == mine] for _, _, mine in rows]
    assert glp(nlp_of_groups(people, values, labels)) == slow(people.tolist(), values.tolist(), members)
    once = [sorted(set(each)) for each in members]
    assert glp(nlp_of_groups(people, values, labels, once=True)) == slow(people.tolist(), values.tolist(), once)


@settings(max_examples=examples(100))
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=2, max_size=20),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_rings_against_loops(rows: list[tuple[int, int]], width: int, random: Any) -> None:
    people, values = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    order = list(range(len(rows)))
    random.shuffle(order)
    cut = random.randrange(1, len(rows))
    starts = [0, cut, len(rows)]
    widths = [min(width, cut), min(width, len(rows) - cut)]
    may, who = [], []
    for begin, end, wide in zip(starts, starts[1:], widths, strict=False):
        ring = order[begin:end]
        for place, row in enumerate(ring):
            who.append(row)
            may.append([values.tolist()[ring[(place + step) % len(ring)]] for step in range(wide)])
    by_row = [may[who.index(row)] for row in range(len(rows))]
    found = nlp_of_rings(people, values, np.array(order), np.array(starts), np.array(widths))
    assert glp(found) == slow(people.tolist(), values.tolist(), by_row)


def test_rings_of_different_width() -> None:
    """Everybody is alone: all but the own value count, 1 of 2 and 3 of 4."""
    people = np.arange(7)
    found = nlp_of_rings(people, people, np.arange(7), np.array([0, 2, 7]), np.array([2, 4]))
    assert [each.tolist() for each in found] == [[1, 1, 3, 3, 3, 3, 3], [2, 2, 4, 4, 4, 4, 4]]
    assert glp(found) == (2 * Fraction(1, 2) + 5 * Fraction(3, 4)) / 7


def test_suppressed_rows_do_not_count() -> None:
    people, values = np.array([0, 1, 2]), np.array([0, 1, 2])
    assert glp(nlp_of_groups(people, values, np.array([0, 0, -1]))) == Fraction(1, 2)


def test_what_suppressed_rows_have_goes_with_people_alike() -> None:
    """Two are alike and one of them is left out: the other may have that value, which is somebody else's there."""
    people, values = np.array([0, 1, 0]), np.array([0, 1, 1])
    assert glp(nlp_of_groups(people, values, np.array([0, 0, -1]))) == Fraction(1, 4)
    some = nlp_of_groups(people[:2], values[:2], np.array([0, 0]), among=(people, values))
    assert glp(some) == Fraction(1, 4)
    assert glp(nlp_of_groups(people[:2], values[:2], np.array([0, 0]))) == Fraction(1, 2)


@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_rings_and_groups_shown_whole_beside_one_another(seed: int, rows: int) -> None:
    """Of one table: who is alike may be anywhere."""
    draw = random.Random(seed)
    frame = pl.DataFrame({"q": [draw.choice("xyz") for _ in range(rows)], "s": [f"{row % 4}" for row in range(rows)]})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}
    policy = {"columns": columns, "privacy": [{"model": "simple-l", "l": 2}], "form": {"publish": "ring"}}
    release = sf.publish(frame, policy={**policy, "partition": {"method": "mondrian"}}, seed=seed)
    assert release.published.rings is not None and release.lost is not None
    order, starts, width = (each.tolist() for each in release.published.rings)
    codes = release.tuples.codes
    people, values, may = [], [], []
    for begin, end, wide in zip(starts, starts[1:], width, strict=False):
        ring = order[begin:end]
        for place, mine in enumerate(ring):
            people.append(int(codes["q"][mine]))
            values.append(int(codes["s"][mine]))
            may.append([int(codes["s"][ring[(place + step) % len(ring)]]) for step in range(min(wide, len(ring)))])
    assert release.lost.correspondence == pytest.approx(float(slow(people, values, may)))


def test_nobody_to_be_told_from_loses_nothing() -> None:
    table = rows_of((), (column_with("s", [0, 1, 2], list("abc")),))
    assert alike(table).tolist() == [0, 0, 0]
    assert glp(nlp_of_groups(alike(table), np.array([0, 1, 2]), np.array([0, 0, 0]))) == 0


def test_rows_of_equal_quasi_identifiers_are_alike() -> None:
    table = rows_of((column_with("q", [2, 0, 2, 1, 0], list("abc")),), (column_with("s", [0, 0, 0, 1, 1], list("ab")),))
    assert alike(table).tolist() == [2, 0, 2, 1, 0]
    few = counted(table)
    assert len(few) == 4 and alike(few).tolist() == few.codes["q"].tolist()
    assert len(alike(counted(rows_of((), (column_with("s", [0, 0, 1], list("ab")),))))) == 2, "a number per tuple"


def test_documented_example() -> None:
    assert doctest.testmod(correspondence).failed == 0 and doctest.testmod(correspondence).attempted


@pytest.mark.data
def test_comparison_on_adult(real: Callable[[Callable[[], Any]], Any], capsys: pytest.CaptureFixture[str]) -> None:
    """ARP and rings lose least and about the same. That Anatomy loses most is true for l = 2, not for l = 5."""
    real(datasets.adult)
    table = sample(20_000)
    found = {each.name: each for each in compared(table, 5)}
    assert list(found) == list(METHODS) == ["AIP", "ARP", "NG", "AT"]
    assert abs(found["ARP"].glp - found["NG"].glp) < 0.01
    assert max(found["ARP"].glp, found["NG"].glp) < min(found["AIP"].glp, found["AT"].glp)
    assert found["AT"].groups == found["ARP"].groups == 4000
    few = {each.name: each.glp for each in compared(table, 2)}
    assert few["NG"] < few["AIP"] < few["AT"] and few["ARP"] < few["AIP"]
    assert all(few[name] < found[name].glp for name in METHODS), "it rises with l"
    assert all(each.glp == 0 for each in compared(sample(20_000, 1), 2) if each.name != "AT"), (
        "one column of two values"
    )
    assert main(["--rows", "2000", "--l", "2"]) == 0
    assert "GLP" in capsys.readouterr().out


@pytest.mark.data
def test_the_documented_figures_are_those_that_come_out(real: Callable[[Callable[[], Any]], Any]) -> None:
    real(datasets.adult)
    table = sample(20_000)
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "benchmarks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-9]) \| ([.0-9]+) \| ([.0-9]+) \| ([.0-9]+) \| ([.0-9]+) \|$", page, re.MULTILINE)
    assert [row[0] for row in rows] == ["2", "3", "5", "7"]
    for l, *figures in rows:
        assert [f"{each.glp:.3f}"[1:] for each in compared(table, int(l))] == figures
