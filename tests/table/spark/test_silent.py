"""Nothing that Spark shows or writes holds a cell or the key: plans, events, logs of every process."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.table.spark.counting import CountedRows
from sfumato.table.spark.session import frame_at
from tests.support.cluster import Cluster
from tests.support.command import KEY
from tests.table.spark.test_same_table import saved

ROWS = 60
TOLD = pl.DataFrame(
    {
        "age": [918_000 + row % 7 for row in range(ROWS)],
        "zip": [f"zqz{row % 4}wold" for row in range(ROWS)],
        "weight": [7_231.5 + row % 3 for row in range(ROWS)],
        "disease": [("xylophagia", "quaverosis", "jambeitis")[row % 3] for row in range(ROWS)],
        "terms": [["vexwort", "plimsy"][: row % 3] for row in range(ROWS)],
    }
)
POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi"},
        "zip": {"role": "quasi"},
        "weight": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
        "terms": {"role": "quasi-sensitive", "knowledge": {"labels": {"A": ["vexwort"], "B": ["plimsy"]}}},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
    "partition": {"method": "mondrian"},
}


def cells() -> list[bytes]:
    """Every value as it could be written."""
    found = {str(cell) for name in ("age", "zip", "weight", "disease") for cell in TOLD[name].to_list()}
    return [each.encode() for each in (*found, "vexwort", "plimsy", KEY)]


def require_silent(said: bytes) -> None:
    assert said
    assert not [place for place, cell in enumerate(cells()) if cell in said]


def test_plans_hold_names_of_columns_alone(spark: Any, here: Path) -> None:
    frame = frame_at(spark, str(saved(TOLD, here / "told")))
    rows = CountedRows.of(frame, ["terms"])
    grouped = rows._grouped(rows.fields)
    grouped.toArrow()
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        for mode in ("extended", "formatted", "codegen"):
            grouped.explain(mode=mode)
    assert "disease" in shown.getvalue()
    require_silent(shown.getvalue().encode())


@pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")
def test_events_and_logs_of_a_run_hold_no_cell_and_no_key(
    spark: Any, spark_cluster: Cluster, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    frame = frame_at(spark, str(saved(TOLD, here / "told")))
    sf.publish(frame, policy=POLICY).write(here / "out")
    with pytest.raises(sf.TableError):
        sf.read(sf.SparkTable(frame, memory="1KB"), POLICY)
    events = b"".join(file.read_bytes() for file in (spark_cluster.home / "spark-events").rglob("*") if file.is_file())
    assert b"HashAggregate" in events
    require_silent(events)
    require_silent(spark_cluster.logs())
    printed = capfd.readouterr()
    require_silent(b"." + (printed.out + printed.err).encode())


def test_the_search_would_find_a_cell(spark: Any, spark_cluster: Cluster, here: Path) -> None:
    """A plan that does hold one, as a filter does."""
    spark.range(2).where("'jambeitis' = CAST(id AS STRING)").count()
    events = b"".join(file.read_bytes() for file in (spark_cluster.home / "spark-events").rglob("*") if file.is_file())
    with pytest.raises(AssertionError):
        require_silent(events)
