"""What rows that stay on a cluster do not allow: refused by name, with the reason, and nothing is there afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.stores.budget import Budget
from sfumato.table.spark.session import frame_at
from tests.stores.test_blocks import PROMISES, in_parts
from tests.stores.test_deliver import COLUMNS, people, policy

pytestmark = [pytest.mark.usefixtures("tight"), pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")]

K = [{"model": "k-anonymity", "k": 2}]
TERMS = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": {"A": ["north"], "B": ["south"]}}}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "persons": ({"columns": {**COLUMNS, "name": {"role": "individual"}}, "privacy": K}, "'name': rows of one person"),
    "weights": ({"columns": {**COLUMNS, "age": {"role": "weight"}}, "privacy": K}, "'age': sampling weights"),
    "sets of terms": ({"columns": {**COLUMNS, "ward": TERMS}, "privacy": K}, "'ward': sets of terms"),
    "rows dropped": (
        {"columns": {**COLUMNS, "town": {"role": "quasi", "missing": "drop"}}},
        "'town': rows with a missing value are dropped",
    ),
    "bins by a difference": (
        {
            "columns": {**COLUMNS, "age": {"role": "sensitive", "type": "integer", "difference": 5}},
            "privacy": K,
        },
        "'age': bins by a difference",
    ),
    "several columns at once": (
        {
            "columns": {**COLUMNS, "ward": {"role": "sensitive"}},
            "privacy": [{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}],
        },
        "combination",
    ),
    "group ids": ({"form": {"publish": "generalized", "group_id": True}}, "group_id"),
    "lattice": ({"partition": {"method": "lattice"}, "privacy": K}, "of lattice one recoding"),
    "incognito": ({"partition": {"method": "incognito"}, "privacy": K}, "of incognito one recoding"),
    "sweep": ({"partition": {"method": "sweep"}, "privacy": PROMISES["distinct"]}, "of sweep one recoding"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_all_rows_is_refused_by_name(spark: Any, here: Path, what: str) -> None:
    more, says = REFUSED[what]
    frame = frame_at(spark, in_parts(people(), here / "data"))
    with pytest.raises(sf.Refused, match=says):
        sf.deliver(frame, "out/", policy=policy(**more))
    assert {path.name for path in here.iterdir()} == {"data"}
    assert not spark.sparkContext._jsc.getPersistentRDDs()


@pytest.mark.parametrize("what", ["persons", "weights"])
def test_where_they_fit_the_same_is_served(spark: Any, here: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: 10_000)
    frame = frame_at(spark, in_parts(people(), here / "data"))
    more, _ = REFUSED[what]
    assert sf.deliver(frame, "out/", policy=policy(**more)).audit.holds


def test_values_of_columns_have_to_fit(spark: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "values", property(lambda budget: 50_000))
    table = people().with_columns(ward=pl.format("ward number {}", pl.int_range(pl.len())))
    frame = sf.SparkTable(frame_at(spark, in_parts(table, here / "data")), called="people")
    with pytest.raises(sf.TableError) as refused:
        sf.deliver(frame, "out/", policy=policy())
    assert "people: column 'ward' has 400 different values" in str(refused.value)
    assert "50 KB are left for them, so none was fetched" in str(refused.value)


def test_an_error_names_the_row_of_a_column_that_is_sorted(spark: Any, here: Path) -> None:
    columns = {**COLUMNS, "town": {"role": "quasi", "missing": "error"}}
    frame = frame_at(spark, in_parts(people(), here / "data"))
    missing = people()["town"].null_count()
    with pytest.raises(sf.TableError, match=f"'town': {missing} missing, the first in row 1 of them sorted"):
        sf.deliver(frame, "out/", policy=policy(columns=columns))


def test_a_frame_that_changes_is_told(spark: Any, here: Path) -> None:
    place = in_parts(people(), here / "data")
    frame = frame_at(spark, place).withColumn("ward", _drawn())
    with pytest.raises(sf.TableError, match=r"the frame is not the same every time; write it to files"):
        sf.deliver(frame, "out/", policy=policy())


def _drawn() -> Any:
    """Other texts whenever somebody looks."""
    from pyspark.sql import functions

    return functions.expr("reflect('java.util.UUID', 'randomUUID')")
