"""Columns without a type in the policy have that of their frame or Parquet file; in CSV they are text."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf

AGES = [38, 4, 40, 41, 5, 6]
BORN = [date(1980, 5, day) for day in (1, 30, 2, 3, 29, 28)]
PAY = [10, 10, 20, 30, 20, 30]
FRAME = pl.DataFrame({"age": AGES, "born": BORN, "pay": PAY})


def policy(**types: str) -> dict[str, Any]:
    roles = {"age": "quasi", "born": "quasi", "pay": "sensitive"}
    columns = {name: {"role": role, **({"type": types[name]} if name in types else {})} for name, role in roles.items()}
    privacy: list[dict[str, Any]] = [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 3}]
    return {"columns": columns, "privacy": privacy}


def types_of(table: sf.Table) -> list[str]:
    return [column.kind for column in table.policy.columns.values()]


def shown(release: sf.Release) -> set[tuple[Any, ...]]:
    return set(pl.DataFrame(release.table).select("age", "born").rows())


def test_numbers_and_dates_of_a_frame_become_intervals() -> None:
    """The three young ones and the three old ones, by hand."""
    release = sf.publish(FRAME, policy=policy(), seed=1)
    assert shown(release) == {("[4, 6]", "[1980-05-28, 1980-05-30]"), ("[38, 41]", "[1980-05-01, 1980-05-03]")}
    said = policy(age="integer", born="date", pay="integer")
    assert shown(sf.publish(FRAME, policy=said, seed=1)) == shown(release)


def test_pandas_and_parquet_have_types_too(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "data.parquet")
    for source in (FRAME.to_pandas(), FRAME.to_arrow(), FRAME.lazy(), tmp_path / "data.parquet"):
        assert types_of(sf.read(source, policy())) == ["integer", "date", "integer"]


def test_what_the_policy_says_goes_first() -> None:
    table = sf.read(FRAME, policy(age="text", born="text"))
    assert types_of(table) == ["text", "text", "integer"]
    assert table.distinct["age"].spread().to_list() == [str(age) for age in AGES]
    ordered = policy()
    ordered["columns"]["age"]["order"] = [str(age) for age in sorted(AGES)]
    assert types_of(sf.read(FRAME, ordered))[0] == "text"


def test_csv_stays_text(tmp_path: Path) -> None:
    """ZIP codes keep their zeros."""
    (tmp_path / "data.csv").write_text("age,born,pay\n02138,1980-05-01,1\n", encoding="utf-8")
    table = sf.read(tmp_path / "data.csv", policy())
    assert types_of(table) == ["text"] * 3
    assert table.distinct["age"].spread().to_list() == ["02138"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.5, 2.0], "number"),
        ([Decimal("1.50"), Decimal("2.00")], "number"),
        ([datetime(2020, 1, 1), datetime(2020, 1, 2)], "date"),
        ([datetime(2020, 1, 1, 12), datetime(2020, 1, 2)], "text"),
        ([True, False], "text"),
        (["1", "2"], "text"),
        ([None, None], "text"),
    ],
)
def test_what_a_type_becomes(values: list[Any], kind: str) -> None:
    assert types_of(sf.read(FRAME[:2].with_columns(pl.Series("age", values)), policy()))[0] == kind


def test_a_policy_stands_for_the_document_that_was_given() -> None:
    given = sf.read_policy(policy())
    table = sf.read(FRAME, given)
    assert table.policy.given is given
    assert table.policy.digest == given.digest and table.policy.as_dict() == given.as_dict()
    assert sf.read(table, given) is table
    stronger = given.changed(promise=sf.KAnonymity(2))
    assert types_of(sf.read(table, stronger)) == ["integer", "date", "integer"]
    assert sf.publish(table, sf.KAnonymity(6), seed=1).table.height == 6


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_audit_reads_types_from_the_release(tmp_path: Path, kind: Any) -> None:
    release = sf.publish(FRAME, policy=policy(), seed=1)
    written = release.write(tmp_path / "out", kind=kind)
    for manifest in (None, written.manifest):
        assert sf.audit(tmp_path / "out", policy(), manifest).holds
    document = json.loads((tmp_path / "out" / "release.json").read_text("utf-8"))
    assert {name: entry["type"] for name, entry in document["dictionary"].items()} == {
        "age": "integer",
        "born": "date",
        "pay": "integer",
    }
    said = sf.publish(FRAME, policy=policy(age="integer", born="date", pay="integer"), seed=1)
    said.write(tmp_path / "said", kind=kind)
    document = json.loads((tmp_path / "said" / "release.json").read_text("utf-8"))
    assert {entry["type"] for entry in document["dictionary"].values()} == {None}, "the policy says it"


def test_a_bare_table_is_judged_by_its_own_types() -> None:
    """Two spellings of one number are two texts, and one number."""
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}
    judged = {"columns": columns, "privacy": [{"model": "distinct-l", "l": 2}]}
    texts = pl.DataFrame({"q": ["x", "x"], "s": ["1.0", "1.00"]})
    assert sf.audit(texts, judged, whole=True).holds
    numbers = texts.with_columns(pl.col("s").cast(pl.Float64))
    assert not sf.audit(numbers, judged, whole=True).holds
