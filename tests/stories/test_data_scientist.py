"""A data scientist with typed frames: numbers, dates and truth values come out as such, without a word about types."""

from __future__ import annotations

import json
import random
import re
from datetime import date, timedelta

import pandas as pd
import polars as pl
import pytest

from tests.support.desk import Desk, grammatical

ROWS = 240
POLICY = """\
columns:
  age: {role: quasi}
  birth: {role: quasi}
  income: {role: quasi}
  smoker: {role: quasi}
  region: {role: quasi}
  children: {role: quasi}
  member: {role: insensitive}
  weight: {role: insensitive, unique: accepted}
  disease: {role: sensitive}
privacy:
  - {model: distinct-l, l: 3}
partition: {method: mondrian}
"""


def people(seed: int = 5) -> pl.DataFrame:
    draw = random.Random(seed)
    each = range(ROWS)
    return pl.DataFrame(
        {
            "age": [draw.randint(18, 90) for _ in each],
            "birth": [date(1930, 1, 1) + timedelta(days=draw.randint(0, 25000)) for _ in each],
            "income": [draw.choice([0.5, 1.25, 2.0]) * draw.randint(10000, 60000) for _ in each],
            "smoker": [draw.random() < 0.3 for _ in each],
            "region": pl.Series([draw.choice(["north", "south", "east"]) for _ in each], dtype=pl.Categorical),
            "children": [None if draw.random() < 0.1 else draw.randint(0, 5) for _ in each],
            "member": [draw.random() < 0.5 for _ in each],
            "weight": [draw.uniform(40, 120) for _ in each],
            "disease": [draw.choice(["flu", "gout", "asthma", "ulcer"]) for _ in each],
        }
    )


@pytest.fixture
def desk(desk: Desk) -> Desk:
    people().write_parquet(desk.place / "people.parquet")
    desk.write("p.yaml", POLICY)
    return desk


def published(desk: Desk, policy: str = "p.yaml") -> tuple[pl.DataFrame, float]:
    """The table, read back, and the loss that was told."""
    done = desk("anonymize", "people.parquet", "-p", policy, "-o", "out", "--json")
    assert done.code == 0, done.out
    judged = desk("audit", "out", "-p", policy, "--manifest", "out.internal.json")
    assert judged.code == 0 and grammatical(judged.out)
    return pl.read_parquet(desk.place / "out" / "table.parquet"), done.json["release"]["loss"]["value"]


def ends(label: str) -> tuple[float, float]:
    """The two ends of `[a, b]`, or a value twice; days are counted."""
    found = re.fullmatch(r"\[(.+), (.+)\]", label)
    low, high = (found[1], found[2]) if found else (label, label)
    return _number(low), _number(high)


def _number(text: str) -> float:
    return date.fromisoformat(text).toordinal() if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else float(text)


def test_types_are_those_of_the_file(desk: Desk) -> None:
    """Ages are intervals, not lists of texts; what is not generalized has the type that it had."""
    table, loss = published(desk)
    assert table.schema["member"] == pl.Boolean and table.schema["weight"] == pl.Float64
    raw = people()
    assert sorted(table["weight"]) == sorted(raw["weight"])
    for name in ("age", "income", "birth"):
        assert all(low <= high for low, high in map(ends, table[name])), name
    assert not [cell for name in ("age", "birth", "income", "children") for cell in table[name] if "{" in (cell or "")]
    assert loss == pytest.approx(by_hand(table, raw))
    assert 0.05 < loss < 0.6, "a plausible loss: wide intervals are not called exact"


def by_hand(table: pl.DataFrame, raw: pl.DataFrame) -> float:
    """NCP by its definition, from what is published and the ranges of the original columns."""
    lost = 0.0
    for name in ("age", "birth", "income", "smoker", "region", "children"):
        values = raw[name].drop_nulls()
        listed = name in ("smoker", "region")
        span = (
            values.n_unique() - 1
            if listed
            else max(map(_number, map(str, values))) - min(map(_number, map(str, values)))
        )
        for cell in table[name]:
            if cell == "*":
                lost += 1
            elif listed:
                lost += (cell.count(", ") if cell.startswith("{") else 0) / span
            elif cell is not None:
                low, high = ends(cell)
                lost += (high - low) / span
    return lost / (6 * table.height)


def test_bounds_are_numbers_and_dates(desk: Desk) -> None:
    desk.edit("p.yaml", {"privacy:": "form: {publish: generalized, numbers: bounds}\nprivacy:"})
    table, _ = published(desk)
    raw = people()
    for name, dtype in (("age", pl.Int64), ("birth", pl.Date), ("income", pl.Float64), ("children", pl.Int64)):
        lower, upper = table[f"{name}_lower"], table[f"{name}_upper"]
        assert lower.dtype == upper.dtype == dtype
        assert (lower <= upper).all()
        assert lower.min() == raw[name].min() and upper.max() == raw[name].max()
    assert "age" not in table.columns
    frame = pd.read_parquet(desk.place / "out" / "table.parquet")
    assert frame["age_lower"].dtype == "int64" and frame["income_upper"].dtype == "float64"
    assert frame["member"].dtype == "bool" and 18 <= frame["age_lower"].mean() <= frame["age_upper"].mean() <= 90
    document = json.loads(desk.read("out/release.json"))
    assert document["shown"]["bounds"]["age"] == ["age_lower", "age_upper"]
    assert document["dictionary"]["age_lower"]["technique"] == "lower bound of 'age', included"


def test_a_hierarchy_of_dates(desk: Desk) -> None:
    """Where a type must be known before the data is seen, the message says what to write."""
    desk.edit("p.yaml", {"birth: {role: quasi}": "birth: {role: quasi, hierarchy: {dates: [month, year, decade]}}"})
    refused = desk("anonymize", "people.parquet", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and "columns.birth.hierarchy: dates need the column's type: date" in refused.err
    desk.edit("p.yaml", {"birth: {role: quasi,": "birth: {role: quasi, type: date,"})
    table, _ = published(desk)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d|\d{4}-\d\d|\d{4}|\d{3}0s|\*", cell) for cell in table["birth"])


def test_suggestions_for_a_typed_file(desk: Desk) -> None:
    """Only what is left to decide is edited."""
    begun = desk.process("init", "people.parquet")
    assert begun.code == 0 and "smoker" in begun.out.splitlines()[-1]
    text = desk.read("people.yaml")
    text = re.sub(r"role: decide(, type: \w+)?", "role: insensitive, unique: accepted", text)
    text = text.replace(
        "income: {role: sensitive, type: number}", "income: {role: sensitive, type: number, bins: {width: 20000}}"
    )
    desk.write("people.yaml", text)
    table, _ = published(desk, "people.yaml")
    assert set(table["income"]) <= {f"[{low}, {low + 20000})" for low in range(0, 120000, 20000)}
    assert table.schema["smoker"] == pl.Boolean


def test_csv_of_the_same_people_says_which_type_it_lacks(desk: Desk) -> None:
    """In CSV nothing has a type: a number that is taken for text is told, and with types it is the same release."""
    people().write_csv(desk.place / "people.csv")
    told = desk("anonymize", "people.csv", "-p", "p.yaml", "-o", "text")
    assert "column 'age'" in told.err and "type: integer" in told.err
    typed = {"age": "integer", "birth": "date", "income": "number", "children": "integer"}
    desk.edit(
        "p.yaml", {f"{name}: {{role: quasi}}": f"{name}: {{role: quasi, type: {kind}}}" for name, kind in typed.items()}
    )
    done = desk("anonymize", "people.csv", "-p", "p.yaml", "-o", "typed", "--json")
    assert done.code == 0 and not done.err
    assert done.json["release"]["loss"]["value"] == published(desk)[1]
