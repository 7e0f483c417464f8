"""`init` suggests a ready hierarchy where the values are ones that it knows."""

from __future__ import annotations

import polars as pl
import pytest

import sfumato as sf

ICD9 = [f"{each}.{each % 10}" for each in range(240, 280)] + ["V57.1", "E909"]
ICD10 = [f"E{each:02d}.{each % 10}" for each in range(40)]
COUNTRIES = ["DE", "FR", "US", "BR", "JP", "NO", "KE"] * 6


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("birth_country", COUNTRIES, None),  # few values: sets of them will do
        ("region", [*ICD10], {"ready": "icd10"}),
        ("region", [*ICD10[:-1], "not coded"], {"ready": "icd10", "unknown": "other"}),
        ("region", [*ICD9], {"ready": "icd9"}),
        ("region", [*ICD10[:20], *[f"x{each}" for each in range(20)]], {"balanced": {"fanout": 3}}),
    ],
)
def test_values_that_are_known(name: str, values: list[str], expected: object) -> None:
    (suggestion,) = sf.suggest(pl.DataFrame({name: values * 2}))
    assert suggestion.hierarchy == expected


def test_plain_numbers_are_no_codes() -> None:
    (suggestion,) = sf.suggest(pl.DataFrame({"region": [str(each) for each in range(100, 140)] * 2}))
    assert suggestion.hierarchy is None or "ready" not in suggestion.hierarchy


def test_namibia_is_a_country() -> None:
    (suggestion,) = sf.suggest(pl.DataFrame({"birth_country": [*COUNTRIES, "NA"]}))
    assert suggestion.marks == ()
    (suggestion,) = sf.suggest(pl.DataFrame({"birth_country": [*COUNTRIES, "NA", "Kenya"]}))
    assert suggestion.marks == ("NA",)
