"""The role `weight`: a number above 0 in every row, offered to whoever measures risk, and never published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import PolicyError, TableError

FRAME = pl.DataFrame(
    {
        "person": ["a", "a", "b", "c", "d", "e", "f", "g"],
        "age": ["30", "30", "31", None, "32", "33", "34", "35"],
        "ill": ["x", "y", "y", "x", "y", "x", "x", "y"],
        "w": ["1.5", "2", "3", "40", "5", "6.25", "7", "8"],
    }
)
FORMS = [
    {"publish": "generalized"},
    {"publish": "anatomized", "insensitive": True},
    {"publish": "permuted", "insensitive": True},
    {"publish": "sliced", "insensitive": True},
    {"publish": "ring"},
    {"publish": "randomized", "insensitive": True, "retention": "1/20"},
]


def policy(weight: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    columns = {
        "person": {"role": "drop"},
        "age": {"role": "quasi", "type": "integer"},
        "ill": {"role": "sensitive"},
        "w": {"role": "weight", **(weight or {})},
    }
    return {"columns": columns, "privacy": [{"model": "distinct-l", "l": 2}], **more}


def problems(given: dict[str, Any]) -> str:
    with pytest.raises(PolicyError) as caught:
        sf.read_policy(given)
    return str(caught.value)


def test_the_table_offers_it_per_row() -> None:
    table = sf.read(FRAME, policy())
    assert table.weights is not None and table.weights.dtype == np.float64
    assert table.weights.tolist() == [1.5, 2.0, 3.0, 40.0, 5.0, 6.25, 7.0, 8.0]
    columns = {**policy()["columns"], "w": {"role": "drop"}}
    assert sf.read(FRAME, {**policy(), "columns": columns}).weights is None


@pytest.mark.parametrize("kind", [pl.Float32, pl.Int64, pl.UInt8])
def test_numbers_of_any_type_are_weights(kind: type[pl.DataType]) -> None:
    frame = FRAME.with_columns(w=pl.int_range(1, 9).cast(kind))
    for weight in ({}, {"type": "number"}, {"type": "integer"}):
        weights = sf.read(frame, policy(weight)).weights
        assert weights is not None and weights.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_it_is_written_as_other_numbers_are(tmp_path: Path) -> None:
    file = tmp_path / "survey.csv"
    file.write_text("age;ill;w\n30;x;1,5\n31;y; 2,25\n", encoding="utf-8")
    columns = {name: each for name, each in policy()["columns"].items() if name != "person"}
    weights = sf.read(file, {**policy(input={"decimal": ","}), "columns": columns}).weights
    assert weights is not None and weights.tolist() == [1.5, 2.25]


def test_rows_that_are_left_out_are_left_out_here_too() -> None:
    table = sf.read(FRAME, policy(missing="drop"))
    assert (table.rows, table.dropped) == (7, 1)
    assert table.weights is not None and table.weights.tolist() == [1.5, 2.0, 3.0, 5.0, 6.25, 7.0, 8.0]
    columns = {**policy()["columns"], "person": {"role": "individual", "rows": "one"}}
    once = sf.read(FRAME, {**policy(), "columns": columns})
    assert once.weights is not None and once.repeated == 1
    told = dict(zip(once.distinct["person"].spread().to_list(), once.weights.tolist(), strict=True))
    assert told.pop("a") in (1.5, 2.0)
    assert told == {"b": 3.0, "c": 40.0, "d": 5.0, "e": 6.25, "f": 7.0, "g": 8.0}


@pytest.mark.parametrize("rule", ["category", "error", "drop"])
def test_every_row_needs_one_above_zero(rule: str) -> None:
    """Whatever the missing rule is: a row without a weight is no row that is dropped for a missing value."""
    weights = ["1", None, "0", "-2", "5", None, "7", "8"]
    frame = FRAME.with_columns(pl.Series("w", weights), age=pl.lit(30))
    with pytest.raises(TableError) as caught:
        sf.read(frame, policy(missing=rule))
    message = str(caught.value)
    assert "column 'w': 4 rows without a sampling weight" in message
    assert "(2 missing, the first in row 2; 2 not above 0, the first in row 3)" in message
    assert "the role drop" in message and "-2" not in message


@pytest.mark.parametrize("wrong", ["many", "NaN", "inf"])
def test_what_is_no_number_is_refused(wrong: str) -> None:
    frame = FRAME.with_columns(pl.Series("w", [wrong, *["1"] * 7]))
    with pytest.raises(TableError, match=r"column 'w': 1 cell is not a"):
        sf.read(frame, policy())


def test_the_policy_has_one_and_it_is_a_number() -> None:
    assert sf.read_policy(policy()).weight == "w"
    assert "a sampling weight is a number: integer or number" in problems(policy({"type": "text"}))
    assert "has its order already" in problems(policy({"order": ["1", "2"]}))
    assert "every row needs its sampling weight" in problems(policy({"missing": "drop"}))
    assert "only quasi, sensitive and quasi-sensitive columns have one" in problems(policy({"hierarchy": "flat"}))
    two = {**policy()["columns"], "v": {"role": "weight"}}
    assert "only one column can hold sampling weights" in problems({**policy(), "columns": two})
    several = {**policy()["columns"], "w*": {"role": "weight"}}
    assert "is of one column: name it" in problems({**policy(), "columns": several})
    assert "is of one column: name it" in problems(policy(others={"role": "weight"}))
    sliced = policy(form={"publish": "sliced", "slices": [["age", "w"]]})
    assert "form.slices: must name a column with the role quasi or sensitive" in problems(sliced).replace("'w' ", "")
    assert "must be a sensitive column" in problems(policy(privacy=[{"model": "distinct-l", "l": 2, "on": "w"}]))


def test_it_is_content_that_was_read() -> None:
    """Another weight is another table: the digest tells, and with it all chance; the codes are the same."""
    other = FRAME.with_columns(pl.Series("w", ["9", *FRAME["w"].to_list()[1:]]))
    one, two = sf.read(FRAME, policy()), sf.read(other, policy())
    assert one.digest != two.digest
    assert "w" not in one.encode().codes and one.encode().counts.tolist() == two.encode().counts.tolist()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["publish"])
def test_no_form_shows_it(form: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "person": rng.integers(0, 9, 60).astype(str),
            "age": rng.integers(0, 90, 60),
            "ill": rng.choice(list("xyz"), 60),
            "w": rng.random(60) + 0.5,
        }
    )
    release = sf.publish(frame, policy=policy(form=form, partition={"method": "lattice"}), seed=1)
    assert all("w" not in table.columns for table in release.tables.values())
    written = release.write(tmp_path / "out")
    told = (tmp_path / "out" / "release.json").read_text(encoding="utf-8")
    assert '"w"' not in told and "weight" not in told.replace('"weights"', "")
    assert written.audit.holds


def test_a_published_weight_is_a_problem() -> None:
    frame = pl.DataFrame({"age": ["*"] * 4, "ill": list("xyxy"), "w": [1, 2, 3, 4]})
    found = sf.audit(frame, policy())
    assert "column 'w': it holds sampling weights, and is published" in found.problems and not found.holds
    assert sf.audit(frame.drop("w"), policy()).holds
