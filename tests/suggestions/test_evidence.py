"""Figures of columns, against hand computation and a slow reference."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.suggestions.evidence import combination, evidence_of
from tests.support.examples import examples

cells = st.lists(st.sampled_from(["a", "b", "c", "d", None]), max_size=25)


def test_a_column_by_hand() -> None:
    found, known = evidence_of(pl.Series("x", ["a", "a", "b", None]))
    assert (found.rows, found.missing, found.distinct, found.values, found.unique, found.most) == (4, 1, 2, 3, 2, 2)
    assert found.entropy == 1.5  # 1/2·1 + 1/4·2 + 1/4·2
    assert found.normalised_entropy == 0.75  # of log2 4 = 2 bits
    assert found.separation == pytest.approx(5 / 6)  # of 6 pairs only (a, a) is alike
    assert found.uniqueness == 0.5
    assert found.distinctness == 0.75
    assert found.best_l == 2
    assert dict(known.iter_rows()) == {"a": 2, "b": 1}


def test_columns_together_by_hand() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "x", "y"], "b": [1, 1, 2, 1]})
    found = combination(frame, ["a", "b"])
    assert (found.columns, found.rows, found.distinct, found.unique) == (("a", "b"), 4, 3, 2)
    assert found.separation == pytest.approx(5 / 6)
    assert found.distinctness == 0.75
    assert combination(frame, ["a"]).separation == pytest.approx(3 / 6)


def test_an_empty_table() -> None:
    found, _ = evidence_of(pl.Series("x", [], dtype=pl.String))
    assert (found.rows, found.entropy, found.separation, found.uniqueness, found.best_l) == (0, 0, 0, 0, 0)
    assert combination(pl.DataFrame({"x": pl.Series([], dtype=pl.String)}), ["x"]).distinctness == 0


def test_names_do_not_clash_with_counting() -> None:
    frame = pl.DataFrame({"rows": ["a", "a"], "value": [1, 2]})
    assert combination(frame, ["rows", "value"]).unique == 2
    assert evidence_of(frame["rows"])[0].unique == 0


@settings(max_examples=examples(60))
@given(cells)
def test_figures_equal_the_slow_ones(column: list[str | None]) -> None:
    found, _ = evidence_of(pl.Series("x", column, dtype=pl.String))
    counts = Counter(column)
    pairs = list(combinations(column, 2))
    apart = sum(one != two for one, two in pairs)
    assert found.separation == pytest.approx(apart / len(pairs) if pairs else 0)
    assert found.unique == sum(count == 1 for count in counts.values())
    assert found.most == max(counts.values(), default=0)
    bits = sum(count / len(column) * math.log2(len(column) / count) for count in counts.values())
    assert found.entropy == pytest.approx(bits, abs=1e-12)


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=20))
def test_a_combination_tells_no_less_than_a_part(rows: list[tuple[str, str]]) -> None:
    frame = pl.DataFrame(rows, schema=["one", "two"], orient="row")
    both, one = combination(frame, ["one", "two"]), combination(frame, ["one"])
    assert both.separation >= one.separation
    assert both.distinct >= one.distinct
    assert both.distinct == len(set(rows))
