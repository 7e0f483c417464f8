"""Numbers and dates of a CSV file whose type nobody said are text, and a person is told: a group would list them."""

from __future__ import annotations

import warnings

import polars as pl
import pytest

import sfumato as sf

AGES = [str(age) for age in range(5, 35)]


def told(values: list[str], **settings: object) -> list[str]:
    policy = {
        "columns": {"x": {"role": "quasi", **settings}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sf.read(pl.DataFrame({"x": values, "s": ["a"] * len(values)}), policy)
    return [str(each.message) for each in caught]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (AGES, "integer"),
        ([f"{age}.5" for age in AGES], "number"),
        ([f"20{age:02}-03-05" for age in range(30)], "date"),
    ],
)
def test_it_is_told_until_the_type_is_said(values: list[str], kind: str) -> None:
    [message] = told(values)
    assert (
        "column 'x': 30 different values taken for text" in message and f"say type: {kind}, else type: text" in message
    )
    assert told(values, type=kind) == told(values, type="text") == told(values, hierarchy="flat") == []
    assert told(values, order=sorted(values)) == []


@pytest.mark.parametrize(
    "values",
    [
        AGES[:20],
        [f"{code:05}" for code in range(30)],
        [f"0{age}" for age in AGES],
        [f"13{code}" for code in range(100, 130)],
        ["abc", *AGES],
    ],
    ids=["few", "zeros", "leading zeros", "codes of one length", "text"],
)
def test_codes_and_texts_are_no_doubt(values: list[str]) -> None:
    assert told(values) == []
