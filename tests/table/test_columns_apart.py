"""Columns known apart from one another: values and counts of all parts, and rows that are coded by them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.table.alike import AlikeRows
from sfumato.table.coder import RowCoder
from sfumato.table.distinct import Distinct, distinct
from sfumato.table.marginals import column_counted, columns_apart
from sfumato.table.origin import Origin


def counted(values: list[str | None], times: list[int]) -> Distinct:
    """Values that somebody else counted."""
    made = distinct(pl.Series("a", values, dtype=pl.String))
    return Distinct(made.values, made.codes, AlikeRows(np.array(times), np.arange(len(times))))


def test_values_that_came_in_parts_are_one_column() -> None:
    found = column_counted([counted(["c", None], [5, 2]), counted(["b", "a"], [1, 4])])
    assert found.values.to_list() == ["a", "b", "c"]
    assert found.counts.tolist() == [4, 1, 5] and found.missing == 2 and found.rows == 12
    assert found.entries is not None
    assert found.codes.tolist() == [0, 1, 2, -1]
    # Sorted by the column: two that miss a value, then a four times, b once, c five times.
    assert found.entries.first.tolist() == [2, 6, 7, 0]


def test_nothing_is_missing() -> None:
    found = column_counted([counted(["b", "a"], [3, 1])])
    assert found.missing == 0 and found.entries is not None and found.entries.first.tolist() == [0, 1]


def test_it_is_the_column_that_parts_give() -> None:
    rows = ["b", None, "a", "b", "c", None, "b"]
    parts = [({"a": distinct(pl.Series("a", some))}, Origin("csv", "a")) for some in (rows[:3], rows[3:])]
    read, _ = columns_apart(parts)
    tallied = pl.Series("a", rows).value_counts()
    made = column_counted([counted(tallied["a"].to_list(), tallied["count"].to_list())])
    assert made.values.equals(read["a"].values)
    assert made.codes.tolist() == read["a"].codes.tolist()
    assert made.counts.tolist() == read["a"].counts.tolist() and made.missing == read["a"].missing


def test_rows_are_coded_by_what_was_read() -> None:
    read = {"n": distinct(pl.Series("n", [0.0, -0.0, 2.5, None])), "t": distinct(pl.Series("t", ["x", "y"]))}
    coder = RowCoder.of(read, {"n": np.array([4, 5, 6, 9], np.int32)})
    part = {"n": distinct(pl.Series("n", [2.5, None, 0.0, -0.0, 2.5])), "t": distinct(pl.Series("t", list("yxyxy")))}
    codes, places = coder.coded(part)
    assert codes["n"].tolist() == [6, 9, 5, 4, 6]  # -0.0 comes before 0.0
    assert [each.tolist() for each in places] == [[2, -1, 1, 0, 2], [1, 0, 1, 0, 1]]


def test_a_value_that_was_not_read_is_no_row() -> None:
    coder = RowCoder.of({"t": distinct(pl.Series("t", ["x", "y"]))}, {})
    with pytest.raises(sf.TableError, match="column 't' is not the same every time") as told:
        coder.coded({"t": distinct(pl.Series("t", ["x", "plague"]))})
    assert "plague" not in str(told.value)
