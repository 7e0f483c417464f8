from __future__ import annotations

import warnings
from typing import Any

import polars as pl
import pytest

from sfumato.errors import SfumatoWarning, TableError
from sfumato.table.read import read
from tests.support.table_policies import policy

FRAME = pl.DataFrame(
    {
        "id": [None, "1", "2", "3"],
        "age": ["30", None, None, "31"],
        "job": ["a", "b", None, "a"],
        "pay": ["1", None, "3", "1"],
        "note": [None, "x", None, None],
    }
)


def roles(**rules: str) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "id": {"role": "identifier"},
        "age": {"role": "quasi"},
        "job": {"role": "quasi"},
        "pay": {"role": "sensitive"},
        "note": {"role": "insensitive"},
    }
    for name, rule in rules.items():
        columns[name]["missing"] = rule
    return columns


def test_category_keeps_and_tells() -> None:
    with pytest.warns(SfumatoWarning) as caught:
        table = read(FRAME, policy(roles()))
    assert [str(each.message) for each in caught] == [
        "polars DataFrame: column 'pay': missing (1 row) counts as one more sensitive value; "
        "if it is none, set the column's missing: drop or error"
    ]
    assert table.rows == 4
    assert table.dropped == 0
    assert table.notes == (
        "column 'age': 2 missing values counted as a category",
        "column 'job': 1 missing value counted as a category",
    ), "of 'pay' there was a warning"


def test_error_names_every_column_and_first_row() -> None:
    with pytest.raises(TableError) as caught:
        read(FRAME, policy(roles(job="category"), missing="error"))
    message = str(caught.value)
    assert "column 'age': 2 missing, the first in row 2" in message
    assert "column 'pay': 1 missing, the first in row 2" in message
    assert "job" not in message
    assert "note" not in message


def test_drop_removes_and_counts() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read(FRAME, policy(roles(), missing="drop"))
    assert table.columns["job"].spread().to_list() == ["a", "a"]
    assert table.rows == 2
    assert table.dropped == 2
    assert table.notes == ("2 rows of 4 dropped for a missing value in 'age' (2), 'job' (1), 'pay' (1)",)


def test_rules_by_column() -> None:
    table = read(FRAME, policy(roles(pay="drop")))
    assert table.columns["job"].spread().to_list() == ["a", None, "a"]
    assert table.notes == (
        "1 row of 4 dropped for a missing value in 'pay' (1)",
        "column 'age': 1 missing value counted as a category",
        "column 'job': 1 missing value counted as a category",
    )


def test_nothing_left() -> None:
    frame = pl.DataFrame({"age": [None, "1"], "pay": ["1", None]})
    with pytest.raises(TableError, match="every row misses a value in 'age' \\(1\\), 'pay' \\(1\\)"):
        read(frame, policy({"age": "quasi", "pay": "sensitive"}, missing="drop"))


def test_digest_is_of_what_was_read() -> None:
    dropped = read(FRAME, policy(roles(), missing="drop"))
    other = read(FRAME, policy(roles(age="drop", job="drop", pay="drop")))
    assert dropped.digest == other.digest
