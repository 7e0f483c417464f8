"""`numbers: bounds`: numbers and dates as a lower and an upper column, typed, both included; the auditor reads them."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.forms.bounds import _bounds
from tests.support.examples import examples

FORM = {"publish": "generalized", "numbers": "bounds"}
COLUMNS: dict[str, dict[str, Any]] = {
    "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10]}},
    "height": {"role": "quasi", "type": "number"},
    "born": {"role": "quasi", "type": "date", "hierarchy": {"dates": ["month", "year"]}},
    "town": {"role": "quasi"},
    "disease": {"role": "sensitive"},
}


def table(rows: int = 8) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + each for each in range(rows)],
            "height": [1.5 + each / 4 for each in range(rows)],
            "born": [dt.date(2000, 1 + each, 15) for each in range(rows)],
            "town": ["a", "b"] * (rows // 2),
            "disease": ["flu", "gout"] * (rows // 2),
        }
    )


def policy(k: int = 2, **more: Any) -> dict[str, Any]:
    return {"columns": COLUMNS, "privacy": [{"model": "k-anonymity", "k": k}], "form": FORM, **more}


def test_bounds_are_numbers_and_days_that_cover_every_row() -> None:
    release = sf.publish(table(), policy=policy(), seed=1)
    frame = release.table
    assert frame.schema == {
        "age_lower": pl.Int64,
        "age_upper": pl.Int64,
        "height_lower": pl.Float64,
        "height_upper": pl.Float64,
        "born_lower": pl.Date,
        "born_upper": pl.Date,
        "town": pl.String,
        "disease": pl.String,
    }
    people = release.published.people
    assert people is not None
    rows = release.tuples.row
    assert rows is not None
    original = table()[rows[people]]
    for name in ("age", "height", "born"):
        assert ((frame[f"{name}_lower"] <= original[name]) & (original[name] <= frame[f"{name}_upper"])).all()
    whole = sf.publish(table(), policy=policy(8), seed=1).table.row(0, named=True)
    assert (whole["age_lower"], whole["age_upper"]) == (20, 29)
    assert (whole["height_lower"], whole["height_upper"]) == (1.5, 3.25)
    assert (whole["born_lower"], whole["born_upper"]) == (dt.date(2000, 1, 1), dt.date(2000, 12, 31))


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("28", "integer", (28, 28)),
        ("[20, 25)", "integer", (20, 24)),
        ("[20, 25)", "number", (20.0, 25.0)),
        ("[23, 37]", "integer", (23, 37)),
        ("[90, inf)", "integer", (90, None)),
        ("(-inf, 30)", "integer", (None, 29)),
        ("*", "integer", (None, None)),
        ("old", "integer", None),
        ("2024-Q1", "date", (dt.date(2024, 1, 1), dt.date(2024, 3, 31))),
        ("2024-02", "date", (dt.date(2024, 2, 1), dt.date(2024, 2, 29))),
        ("2020s", "date", (dt.date(2020, 1, 1), dt.date(2029, 12, 31))),
        ("[2024-01-01, 2024-06-01)", "date", (dt.date(2024, 1, 1), dt.date(2024, 5, 31))),
        ("[2024-01-01, 2024-06-01]", "date", (dt.date(2024, 1, 1), dt.date(2024, 6, 1))),
    ],
)
def test_what_a_label_comes_to(text: str, kind: str, expected: object) -> None:
    assert _bounds(text, kind) == expected


def test_suppressed_and_missing_stay_apart() -> None:
    frame = pl.DataFrame({"height": [None, None, 1.5, 1.5], "disease": ["flu", "gout"] * 2})
    columns = {name: COLUMNS[name] for name in frame.columns}
    apart = sf.publish(frame, policy={**policy(2), "columns": columns}, seed=1).table.drop("disease")
    assert sorted(apart.rows(), key=str) == [(1.5, 1.5, False)] * 2 + [(None, None, True)] * 2
    together = sf.publish(frame, policy={**policy(4), "columns": columns}, seed=1).table.drop("disease")
    assert together.rows() == [(None, None)] * 4 and together.columns == ["height_lower", "height_upper"]


def test_labels_that_are_no_intervals_are_refused() -> None:
    columns = {"age": {**COLUMNS["age"], "hierarchy": {"tree": {"young": ["20", "21"], "old": ["80", "81"]}}}}
    frame = pl.DataFrame({"age": [20, 21, 80, 81], "disease": ["flu", "gout"] * 2})
    given = {**policy(2), "columns": {**columns, "disease": COLUMNS["disease"]}}
    with pytest.raises(sf.TableError, match="column 'age': 2 of its published labels are no intervals"):
        sf.publish(frame, policy=given, seed=1)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_written_release_is_audited_by_its_bounds(kind: Any, tmp_path: Path) -> None:
    release = sf.publish(table(), policy=policy(), seed=1)
    release.write(tmp_path / "out", kind=kind)
    audit = sf.audit(tmp_path / "out", policy())
    assert audit.holds and audit.reached.k >= 2
    document = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))
    assert document["shown"]["bounds"]["age"] == ["age_lower", "age_upper"]
    assert document["dictionary"]["age_lower"]["technique"] == "lower bound of 'age', included"


def broken(tmp_path: Path, change: Any, words: Any = lambda document: None) -> sf.Audit:
    """The audit of a release that was changed by hand, its digests put right."""
    import hashlib

    sf.publish(table(), policy=policy(), seed=1).write(tmp_path / "out", kind="csv")
    file = tmp_path / "out" / "table.csv"
    change(pl.read_csv(file, infer_schema=False)).write_csv(file)
    path = tmp_path / "out" / "release.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["tables"][0]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    words(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    return sf.audit(tmp_path / "out", policy())


def first(frame: pl.DataFrame, column: str, value: str) -> pl.DataFrame:
    return frame.with_columns(pl.Series(column, [value, *frame[column].to_list()[1:]]))


def test_one_bound_changed_breaks_its_group(tmp_path: Path) -> None:
    audit = broken(tmp_path, lambda frame: first(frame, "age_lower", "3"))
    assert [criterion.verdict for criterion in audit.criteria] == ["fails"]


def test_one_number_written_otherwise_is_the_same_number(tmp_path: Path) -> None:
    """It tells no row from another, but a table has one way to write a number."""
    audit = broken(tmp_path, lambda frame: first(frame, "height_lower", f"{float(frame['height_lower'][0]):.3f}"))
    assert all(criterion.holds for criterion in audit.criteria) and not audit.holds


def test_bounds_out_of_order_or_not_numbers_are_found(tmp_path: Path) -> None:
    audit = broken(tmp_path, lambda frame: first(first(frame, "age_lower", "99"), "height_upper", "tall"))
    assert not audit.holds and len([each for each in audit.problems if "no numbers or days in order" in each]) == 2
    assert not any("tall" in each or "99" in each for each in audit.problems)


def test_free_words_about_bounds_are_found(tmp_path: Path) -> None:
    def words(document: dict[str, Any]) -> None:
        document["dictionary"]["age_lower"]["technique"] = "Ann is 20"

    assert not broken(tmp_path, lambda frame: frame, words).holds


@settings(max_examples=examples(30))
@given(st.lists(st.integers(0, 40), min_size=4, max_size=20), st.integers(1, 3), st.booleans())
def test_classes_are_those_of_the_intervals(ages: list[int], k: int, balanced: bool) -> None:
    """Judged by bounds as by texts: the same groups, the same smallest one."""
    frame = pl.DataFrame({"age": ages, "disease": ["flu"] * len(ages)})
    spec = (
        {**COLUMNS["age"], "hierarchy": {"balanced": {"fanout": 2}}}
        if balanced
        else {"role": "quasi", "type": "integer"}
    )
    given = {**policy(k), "columns": {"age": spec, "disease": {"role": "sensitive"}}}
    by_bounds = sf.publish(frame, policy=given, seed=1).judged()
    by_texts = sf.publish(frame, policy={**given, "form": {"publish": "generalized"}}, seed=1).judged()
    assert (by_bounds.groups, by_bounds.reached.k) == (by_texts.groups, by_texts.reached.k)
    assert by_bounds.holds
