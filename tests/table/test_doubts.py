from __future__ import annotations

import warnings
from typing import Any

import polars as pl
import pytest

from sfumato.errors import SfumatoWarning
from sfumato.table.read import read
from tests.support.table_policies import policy


def told(frame: dict[str, list[Any]], columns: dict[str, Any], **settings: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(pl.DataFrame(frame), policy(columns, **settings))
    assert all(issubclass(each.category, SfumatoWarning) for each in caught)
    return [str(each.message).removeprefix("polars DataFrame: ") for each in caught]


def test_values_that_collide() -> None:
    """Two pairs and a triple: seven values that become three; the values stay as they are and are not told."""
    values = ["Café", "Cafe\u0301", "x", " x", "x\t", "y", "z", "z "]
    found = told({"q": values}, {"q": "quasi"})
    assert len(found) == 1
    assert "column 'q': 7 different values become 3 " in found[0]
    assert "Caf" not in found[0]
    kept = None
    with pytest.warns(SfumatoWarning):
        kept = read(pl.DataFrame({"q": values}), policy({"q": "quasi"}))
    assert kept.columns["q"].spread().to_list() == values
    assert kept.encode()["q"].size == 8


def test_no_doubt_about_other_roles_and_distinct_values() -> None:
    assert told({"q": ["x", "X", "é"], "n": ["x", "x ", ""]}, {"q": "quasi", "n": "insensitive"}) == []


def test_empty_text_is_not_missing() -> None:
    found = told({"q": ["", "x", "", None]}, {"q": "quasi"})
    assert len(found) == 1
    assert "an empty text, which is not missing, in 2 cells" in found[0]
    assert told({"q": ["", "x"]}, {"q": "quasi"}, input={"missing_values": ["", '""']}) == []


def numbers(count: int, rows: int) -> list[float]:
    return [1000 + (row % count) / 100 for row in range(rows)]


@pytest.mark.parametrize(
    ("values", "column", "doubtful"),
    [
        (numbers(30, 40), {"type": "number"}, True),
        (numbers(21, 41), {"type": "number"}, True),
        (numbers(21, 42), {"type": "number"}, False),
        (numbers(20, 20), {"type": "number"}, False),
        (list(range(30)), {"type": "integer"}, True),
        ([str(each) for each in numbers(30, 40)], {}, True),
        ([f"{each},5 " for each in range(30)], {}, True),
        ([*map(str, range(30)), "none"], {}, False),
        (numbers(30, 40), {"type": "number", "bins": {"width": 1}}, False),
        (numbers(30, 40), {"type": "number", "difference": 1}, False),
    ],
)
def test_nearly_continuous_secrets(values: list[Any], column: dict[str, Any], doubtful: bool) -> None:
    frame = {"q": ["a"] * len(values), "pay": values}
    found = told(frame, {"q": "quasi", "pay": {"role": "sensitive", **column}})
    assert len(found) == int(doubtful)
    if doubtful:
        assert "bins: or difference:" in found[0]


def test_quasi_identifiers_may_be_continuous() -> None:
    assert told({"q": numbers(30, 30)}, {"q": {"role": "quasi", "type": "number"}}) == []
