"""Cells of terms: read from every kind of source, written in one way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.table.domain import SetDomain
from tests.support.handmade import published

KNOWLEDGE = {"labels": {"flu": ["cough", "fever"], "cold": ["cough"]}}
WANTED = (("cough", "fever"), ("fever",), ())


def policy(**column: Any) -> dict[str, Any]:
    spec = {"role": "quasi-sensitive", "knowledge": KNOWLEDGE, **column}
    columns = {"age": {"role": "quasi", "type": "integer"}, "terms": spec}
    return {"columns": columns, "privacy": [{"model": "qs-cl", "c": 1, "l": 2}]}


def sets_of(table: sf.Table) -> list[tuple[str, ...]]:
    """Of every row, where no two are equal."""
    made = table.encode()
    (column,) = made.sets
    assert made.row is not None and sorted(made.row.tolist()) == list(range(table.rows))
    return [column.sets[code] for code in made.codes[column.name][np.argsort(made.row)].tolist()]


def test_text_is_split_cleaned_and_sorted(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("age,terms\n1,fever | cough|fever\n2,|fever|\n3,\n", encoding="utf-8")
    table = sf.read(path, policy(separator="|"))
    assert sets_of(table) == list(WANTED)
    assert published(table)["terms"].to_list() == ["cough|fever", "fever", None]
    assert table.notes == ("column 'terms': 1 row without terms",)


@pytest.mark.parametrize("library", ["polars", "arrow", "pandas", "parquet"])
def test_lists_of_every_library(library: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "terms": [["fever", "cough", "fever"], ["fever"], []]})
    source: object = frame
    if library == "arrow":
        source = frame.to_arrow()
    elif library == "pandas":
        source = pd.DataFrame({"age": [1, 2, 3], "terms": [["fever", "cough", "fever"], ["fever"], None]})
    elif library == "parquet":
        source = tmp_path / "p.parquet"
        frame.write_parquet(tmp_path / "p.parquet")
    assert sets_of(sf.read(source, policy())) == list(WANTED)


def test_columns_of_zero_and_one_are_one_set() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "fever": ["1", "yes", None], "cough": [True, False, False]})
    table = sf.read(frame, policy(binary=["fever", "cough"]))
    assert sets_of(table) == list(WANTED)
    assert list(table.columns) == ["age", "terms"]


def test_columns_with_a_term_each_are_one_set() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "one": ["fever", "fever", None], "two": [" cough", None, None]})
    assert sets_of(sf.read(frame, policy(wide=["one", "two"]))) == list(WANTED)


def test_codes_do_not_depend_on_the_order_of_rows() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "terms": ["b|a", "c", "a|b", ""]})
    one, other = (sf.read(each, policy(separator="|")).encode() for each in (frame, frame.reverse()))
    assert one.sets[0].sets == other.sets[0].sets == (("a", "b"), ("c",), ())
    assert [each.tolist() for each in one.every] == [each.tolist() for each in other.every]
    assert one.row is not None and other.row is not None
    assert one.row.tolist() == (3 - other.row).tolist()


def test_a_set_is_part_of_a_tuple() -> None:
    frame = pl.DataFrame({"age": [1, 1, 1], "terms": ["cough", "fever", "cough"]})
    made = sf.read(frame, policy(separator="|")).encode()
    assert made.counts.tolist() == [2, 1] and made.codes["terms"].tolist() == [0, 1] and not made.alike


def test_offsets_say_where_the_terms_of_a_row_begin() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "terms": ["a|b", None, "c"]})
    made = sf.read(frame, policy(separator="|")).encode()
    (column,) = made.sets
    assert column.offsets(made.codes["terms"]).tolist() == [0, 2, 2, 3]
    assert column.offsets(made.codes["terms"][[2, 0]]).tolist() == [0, 1, 3]
    assert isinstance(made.each()["terms"], SetDomain)


def test_markers_of_missing_values_are_no_terms() -> None:
    frame = pl.DataFrame({"age": [1, 2], "terms": ["NA|cough", "NA"]})
    table = sf.read(frame, policy(separator="|") | {"input": {"missing_values": ["", "NA"]}})
    assert sets_of(table) == [("cough",), ()]


def test_rows_without_terms_follow_the_missing_rule() -> None:
    frame = pl.DataFrame({"age": [1, 2], "terms": ["cough", None]})
    assert sf.read(frame, policy(separator="|", missing="drop")).dropped == 1
    with pytest.raises(sf.TableError, match="'terms': 1 missing"):
        sf.read(frame, policy(separator="|", missing="error"))


@pytest.mark.parametrize(
    ("frame", "column", "says"),
    [
        ({"terms": ["secret;cough"]}, {}, "say in the policy what parts the terms"),
        ({"terms": [7]}, {"separator": "|"}, "holds Int64"),
        ({"terms": [["secret|cough"]]}, {}, "1 terms that hold its separator"),
        ({"terms": [["a|", "secret"]]}, {"separator": "||"}, "terms of 1 rows could not be told apart"),
        ({"terms": ["secret|*"]}, {"separator": "|"}, "1 terms that are '\\*'"),
        ({"cough": ["0", "secret"]}, {"binary": ["cough"]}, "must be 1 or 0.*1 cells, the first in row 2"),
        ({"one": [3]}, {"wide": ["one"]}, "must hold text"),
        ({"cough": ["1"], "terms": ["secret"]}, {"binary": ["cough"]}, "'terms' of the data is not in the policy"),
    ],
)
def test_errors_name_the_place_and_no_value(frame: dict[str, list[Any]], column: dict[str, Any], says: str) -> None:
    rows = len(next(iter(frame.values())))
    with pytest.raises(sf.TableError, match=says) as error:
        sf.read(pl.DataFrame({"age": [1] * rows, **frame}), policy(**column))
    assert "secret" not in str(error.value)


def test_other_columns_still_refuse_lists() -> None:
    table = pa.table({"age": [[1]], "terms": [["cough"]]})
    with pytest.raises(sf.TableError, match="cannot use column 'age'"):
        sf.read(table, policy())
