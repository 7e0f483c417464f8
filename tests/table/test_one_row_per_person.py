"""One row of every person, or of every person and sensitive value, as an option of reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.support.examples import examples
from tests.support.table_policies import frame_of

ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.integers(0, 2)), min_size=1, max_size=20)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of one row per person")


def policy(rows: str, **more: Any) -> dict[str, Any]:
    columns = {
        "person": {"role": "individual", "rows": rows},
        "disease": {"role": "sensitive"},
        "visit": {"role": "quasi", "type": "integer"},
    }
    return {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}], **more}


def frame(rows: list[tuple[str, str, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["person", "disease", "visit"], orient="row")


@settings(max_examples=examples(60))
@given(ROWS, st.randoms())
def test_everybody_keeps_a_row_of_their_own_whatever_the_order(rows: list[tuple[str, str, int]], draw: Any) -> None:
    kept = sf.read(frame(rows), policy("one"))
    found = frame_of(kept).rows()
    assert sorted(person for person, _, _ in found) == sorted({person for person, _, _ in rows})
    assert set(found) <= set(rows)
    assert kept.repeated == len(rows) - len(found)
    shuffled = list(rows)
    draw.shuffle(shuffled)
    assert sorted(frame_of(sf.read(frame(shuffled), policy("one"))).rows()) == sorted(found)
    each = frame_of(sf.read(frame(rows), policy("one-per-value"))).rows()
    assert sorted(row[:2] for row in each) == sorted({row[:2] for row in rows})
    assert frame_of(sf.read(frame(rows), policy("all"))).rows() == rows


def test_which_row_it_is_depends_on_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = frame([(f"p{person}", "x", visit) for person in range(40) for visit in range(3)])
    kept = []
    for secret in ("one key of the holder", "another key of the holder"):
        monkeypatch.setenv("SFUMATO_KEY", secret)
        kept.append(sf.read(rows, policy("one")).columns["visit"].spread().to_list())
    assert kept[0] != kept[1]
    assert {*kept[0]} == {0, 1, 2}, "neither the first of the file nor the last"


def test_a_row_that_is_dropped_as_missing_is_not_the_one_kept() -> None:
    rows = pl.DataFrame({"person": ["a", "a", "b", "b"], "disease": ["x", "y", "x", "y"], "visit": [1, None, None, 2]})
    found = sf.read(rows, policy("one", missing="drop"))
    assert sorted(found.columns["person"].spread()) == ["a", "b"] and (found.dropped, found.repeated) == (0, 2), (
        "nobody is missing"
    )


def test_who_has_only_rows_with_something_missing_is_missing_once() -> None:
    rows = pl.DataFrame(
        {"person": ["a", "a", None, None, "b"], "disease": ["x", "y", "x", "x", "y"], "visit": [None, None, 1, 2, 3]}
    )
    found = sf.read(rows, policy("one", missing="drop"))
    assert found.columns["person"].spread().to_list() == ["b"] and (found.dropped, found.repeated) == (3, 1)
    assert found.lost is not None and found.lost.rows == 3


def test_every_method_serves_then_and_the_rows_are_counted(tmp_path: Path) -> None:
    rows = frame([(f"p{number // 2}", "xyz"[number % 3], number % 5) for number in range(60)])
    asked = policy("one")
    asked["privacy"] = [{"model": "t-closeness", "t": 0.9, "distance": "equal"}, {"model": "k-anonymity", "k": 3}]
    with pytest.raises(sf.Refused):
        sf.publish(rows, policy={**asked, "columns": {**asked["columns"], "person": {"role": "individual"}}})
    release = sf.publish(rows, policy=asked)
    assert release.facts()["repeated"] == 30 and release.facts()["rows"] == 30
    assert any("30 rows of 60 left out; nobody is missing by it" in note for note in release.notes)
    written = release.write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", asked, written.manifest).holds
    assert b"repeated" not in (tmp_path / "out" / "release.json").read_bytes()


def test_only_the_column_that_names_persons_has_it() -> None:
    wrong = policy("one")
    wrong["columns"]["visit"]["rows"] = "one"
    with pytest.raises(sf.PolicyError, match=r"columns\.visit\.rows"):
        sf.read_policy(wrong)


def test_values_of_one_bin_are_one_value() -> None:
    rows = pl.DataFrame(
        {"person": ["a", "a", "a", "b"], "salary": [1000, 1001, 2500, 1000], "age": ["1", "2", "3", "4"]}
    )
    columns = {
        "person": {"role": "individual", "rows": "one-per-value"},
        "salary": {"role": "sensitive", "type": "integer", "bins": {"width": 1000}},
        "age": {"role": "quasi"},
    }
    found = sf.read(rows, {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]})
    assert sorted((person, salary // 1000) for person, salary, _ in frame_of(found).rows()) == [
        ("a", 1),
        ("a", 2),
        ("b", 1),
    ]
