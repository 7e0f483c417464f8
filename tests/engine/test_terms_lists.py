"""Sets of terms as lists: the same type out as came in, lists in Parquet, text in CSV; the auditor reads them all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import TableError

LABELS = {"A": ["a", "x"], "B": ["b", "x"], "C": ["c", "x"], "AB": ["a", "b", "x"]}
TERMS = [["x", "a"], ["b", "a"], ["c", "x"], ["b"], [], ["x"]]
WANTED = [["a", "b"], ["a", "x"], ["b"], ["c", "x"], ["x"], []]
FORMS = ("generalized", "permuted", "anatomized", "sliced")


def policy_of(publish: str = "generalized", **column: Any) -> dict[str, Any]:
    terms = {"role": "quasi-sensitive", "knowledge": {"labels": LABELS}, **column}
    return {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "t": terms},
        "privacy": [{"model": "qs-cl", "c": 1, "l": 2}],
        "form": {"publish": publish},
    }


FRAME = pl.DataFrame({"q": [1] * 6, "t": TERMS})


def in_order(cells: list[list[str]]) -> list[list[str]]:
    return sorted(map(list, cells), key=lambda terms: (not terms, terms))


def test_polars_lists_come_back() -> None:
    table = sf.publish(FRAME, policy=policy_of(), seed=1).table
    assert table.schema["t"] == pl.List(pl.String)
    assert in_order(table["t"].to_list()) == WANTED


def test_lazy_frames_come_back() -> None:
    table = sf.publish(FRAME.lazy(), policy=policy_of(), seed=1).table
    assert isinstance(table, pl.LazyFrame)
    assert in_order(table.collect()["t"].to_list()) == WANTED


def test_arrow_lists_come_back() -> None:
    table = sf.publish(FRAME.to_arrow(), policy=policy_of(), seed=1).table
    assert isinstance(table, pa.Table)
    assert pa.types.is_large_list(table.schema.field("t").type)
    assert in_order(table["t"].to_pylist()) == WANTED


def test_pandas_lists_come_back() -> None:
    table = sf.publish(pd.DataFrame({"q": [1] * 6, "t": TERMS}), policy=policy_of(), seed=1).table
    assert isinstance(table, pd.DataFrame)
    assert all(type(cell) is list for cell in table["t"])
    assert in_order(list(table["t"])) == WANTED


def test_duckdb_lists_come_back() -> None:
    table = sf.publish(duckdb.from_arrow(FRAME.to_arrow()), policy=policy_of(), seed=1).table
    assert in_order([row[1] for row in table.fetchall()]) == WANTED


def test_texts_stay_texts() -> None:
    frame = FRAME.with_columns(pl.col("t").list.join(";"))
    table = sf.publish(frame, policy=policy_of(separator=";"), seed=1).table
    assert table.schema["t"] == pl.String
    assert sorted(table["t"].drop_nulls()) == [";".join(cell) for cell in WANTED if cell]


def test_lists_of_categories_and_lists_that_are_all_empty() -> None:
    cast = FRAME.with_columns(pl.col("t").cast(pl.List(pl.Categorical)))
    assert in_order(sf.publish(cast, policy=policy_of(), seed=1).table["t"].to_list()) == WANTED
    empty = pl.DataFrame({"q": [1, 1], "t": [[], []]})
    assert sf.publish(empty, policy=policy_of(), seed=1).table["t"].to_list() == [[], []]


@pytest.mark.parametrize("publish", FORMS)
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("came", ["lists", "texts"])
def test_parquet_has_lists_and_csv_the_separator(tmp_path: Path, publish: str, kind: Any, came: str) -> None:
    frame = FRAME if came == "lists" else FRAME.with_columns(pl.col("t").list.join(";"))
    policy = policy_of(publish, separator=";")
    release = sf.publish(frame, policy=policy, seed=1)
    written = release.write(tmp_path / "out", kind=kind)
    assert written.audit.holds
    assert sf.audit(tmp_path / "out", policy).holds
    document = json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))
    (entry,) = [each for each in document["tables"] if "t" in each["columns"]]
    file = tmp_path / "out" / entry["file"]
    if kind == "parquet":
        cells = pq.read_table(file)["t"].to_pylist()
    else:
        cells = [text.split(";") if text else [] for text in pl.read_csv(file)["t"].to_list()]
    assert in_order(cells) == WANTED


def test_a_published_parquet_table_can_be_published_again(tmp_path: Path) -> None:
    sf.publish(FRAME, policy=policy_of(), seed=1).write(tmp_path / "one.parquet")
    again = sf.publish(tmp_path / "one.parquet", policy=policy_of(), seed=1)
    assert in_order(again.tables["table"]["t"].to_list()) == WANTED


def test_suppressed_terms_are_marked_in_lists(tmp_path: Path) -> None:
    """The only cheapest way for (1,2) keeps h: the records had three terms each, so two marks stand beside it."""
    labels = {"flu": ["c", "h", "s"], "cold": ["c", "h"], "ache": ["h", "x", "y"]}
    policy = policy_of(knowledge={"labels": labels}, lengths="known") | {
        "partition": {"method": "mondrian", "terms": True}
    }
    release = sf.publish(pl.DataFrame({"q": [1], "t": [["s", "c", "h"]]}), policy=policy, seed=1)
    assert release.table["t"].to_list() == [["h", "*", "*"]]
    assert release.write(tmp_path / "out").audit.holds


@pytest.mark.parametrize("library", ["polars", "arrow", "pandas", "parquet"])
def test_the_auditor_takes_bare_lists(library: str, tmp_path: Path) -> None:
    """{a|b} is one term with the usual separator in it; by it the row may only be D, and the group betrays it."""
    terms = [["x"], ["x", "a"], ["a|b"], None]
    frame = pl.DataFrame({"q": ["1", "1", "2", "3"], "t": terms})
    policy = policy_of(knowledge={"labels": LABELS | {"D": ["a|b"]}})
    source: object = frame
    if library == "arrow":
        source = frame.to_arrow()
    elif library == "pandas":
        source = pd.DataFrame({"q": ["1", "1", "2", "3"], "t": terms})
    elif library == "parquet":
        source = tmp_path / "t.parquet"
        frame.write_parquet(tmp_path / "t.parquet")
    (criterion,) = sf.audit(source, policy).criteria
    assert criterion.beliefs is not None
    told = [(each.labels, each.label, each.kept) for each in criterion.beliefs.groups]
    assert told == [(1, "D", False), (4, "A", True), (5, "A", True)]


def test_lists_that_hide_their_joint_are_refused() -> None:
    frame = pl.DataFrame({"q": ["1"], "t": [["private\x1fb"]]})
    with pytest.raises(TableError, match=r"'t': the control character U\+001F is in terms of 1 row") as error:
        sf.audit(frame, policy_of())
    assert "private" not in str(error.value)


def test_lists_of_other_columns_are_refused() -> None:
    frame = pl.DataFrame({"q": [["1"]], "t": [["a"]]})
    with pytest.raises(TableError, match="cannot use column 'q'"):
        sf.audit(frame, policy_of())


@pytest.mark.parametrize("terms", [["b", "a"], ["a", "a"], ["a", "*"]])
def test_lists_of_a_release_have_one_notation(tmp_path: Path, terms: list[str]) -> None:
    sf.publish(FRAME, policy=policy_of(), seed=1).write(tmp_path / "out", kind="parquet")
    table = tmp_path / "out" / "table.parquet"
    frame = pl.read_parquet(table)
    frame.with_columns(pl.Series("t", [terms, *frame["t"].to_list()[1:]])).write_parquet(table)
    problems = [each for each in sf.audit(tmp_path / "out", policy_of()).problems if "SHA-256" not in each]
    assert any("column 't'" in each for each in problems)
