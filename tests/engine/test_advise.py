"""Advice: the ranges are those of the definitions, and what it calls possible is."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato import datasets
from sfumato.cli.main import run
from sfumato.engine.advise import most_kept


def advised(secrets: list[str], *promises: sf.Promise) -> sf.Advice:
    frame = pl.DataFrame({"q": ["x"] * len(secrets), "s": secrets})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [promise.as_dict() for promise in promises],
    }
    return sf.advise(frame, document)


def test_ranges_of_a_small_table() -> None:
    """Counts 3, 2, 1: at most 3 values, r1/n = 1/2; recursive l=2 needs c > 3/3, l=3 needs c > 3/1."""
    advice = advised(list("aaabbc"), sf.DistinctL(2))
    (column,) = advice.columns
    assert (advice.rows, column.values, column.top, column.best_l) == (6, 3, 3, 2)
    assert sf.DistinctL(3, "s") in column.strongest
    assert sf.SimpleL(2, "s") in column.strongest
    assert column.recursive == {2: pytest.approx(1), 3: pytest.approx(3)}
    assert advice.possible
    assert (advice.reason, advice.nearest, advice.excess) == ("", None, None)


def test_why_a_promise_is_impossible() -> None:
    """Four of six rows share a value: without two of them it is 2 of 4."""
    advice = advised(list("aaaabc"), sf.SimpleL(2))
    assert not advice.possible
    assert advice.excess == 2
    assert advice.nearest is not None
    assert "4 of 6" in advice.reason
    assert "aaaa" not in advice.summary()
    assert "leave out 2 rows" in advice.summary()


def test_too_few_values_cannot_be_mended_by_leaving_rows_out() -> None:
    advice = advised(list("aabb"), sf.DistinctL(3))
    assert not advice.possible
    assert advice.excess is None


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(1, 5))
def test_the_most_rows_that_can_be_kept_are_found(codes: list[int], size: int) -> None:
    counts = list(Counter(codes).values())
    best = 0
    for height in range(1, max(counts) + 1):
        kept = sum(min(count, height) for count in counts)
        if height * size <= kept:
            best = max(best, kept)
    assert most_kept(np.array(counts), size) == best


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=14))
def test_the_strongest_can_be_promised_and_nothing_stronger(secrets: list[str]) -> None:
    (column,) = advised(secrets, sf.KAnonymity(1)).columns
    for promise in column.strongest:
        assert advised(secrets, promise).possible
        l = promise.as_dict()["l"]
        step = 1 if promise.name == "distinct-l" else Fraction(1, 100)
        stronger = {**promise.as_dict(), "l": str(Fraction(str(l)) + step)}
        assert not sf.advise(
            pl.DataFrame({"q": ["x"] * len(secrets), "s": secrets}),
            {"columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}, "privacy": [stronger]},
        ).possible


@pytest.mark.parametrize(
    ("load", "column", "l"),
    [("adult_complete", "income", 1), ("adult_complete", "occupation", 7), ("nursery", "class", 3)],
)
def test_the_largest_l_of_the_paper(load: str, column: str, l: int) -> None:
    """Table 1 of the paper on (τ,ℓ)-diversity."""
    try:
        frame = getattr(datasets, load)()
    except sf.InputError as error:
        pytest.skip(str(error))
    other = frame.columns[1]
    document = {
        "columns": {other: {"role": "quasi"}, column: {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": l}],
    }
    advice = sf.advise(frame.select(other, column).cast(pl.String), document)
    assert advice.columns[0].best_l == l
    assert advice.possible


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data.csv").write_text("q,s\nx,a\nx,a\ny,b\n", encoding="utf-8")
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
    }
    (tmp_path / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        run(["advise", str(tmp_path / "data.csv"), "-p", str(tmp_path / "policy.json"), "--json"])
    assert stopped.value.code == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["possible"], told["excess"], told["columns"][0]["best_l"]) == (False, 1, 1)
