"""Nothing that Spark shows or writes of rows that stay on it holds a cell or the key."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.table.spark import cells
from sfumato.table.spark.apart import RowsOnSpark
from sfumato.table.spark.session import frame_at
from tests.support.cluster import Cluster
from tests.table.spark.test_same_table import saved
from tests.table.spark.test_silent import POLICY, TOLD, require_silent

pytestmark = [pytest.mark.usefixtures("tight"), pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")]

LARGER = pl.concat([TOLD] * 3).drop("terms")
KEPT: dict[str, Any] = POLICY | {"columns": {name: POLICY["columns"][name] for name in LARGER.columns}}


def events_of(cluster: Cluster) -> bytes:
    """All that was told so far, in the order of its files."""
    return b"".join(file.read_bytes() for file in sorted((cluster.home / "spark-events").rglob("events_*")))


def test_plans_events_and_logs_of_a_run_hold_no_cell_and_no_key(
    spark: Any, spark_cluster: Cluster, here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, asked = io.StringIO(), list[str]()

    def explained(frame: Any) -> None:
        with contextlib.redirect_stdout(shown):
            for mode in ("extended", "formatted", "codegen"):
                frame.explain(mode=mode)

    whole = cells.quietly

    def telling(call: Any) -> Any:
        if hasattr(call, "__self__"):  # a frame that is about to be fetched
            asked.append(str(call.__self__.columns))
            explained(call.__self__)
        return whole(call)

    monkeypatch.setattr("sfumato.stores.spark.store.quietly", telling)
    frame, before = frame_at(spark, str(saved(LARGER, here / "told"))), len(events_of(spark_cluster))
    sf.deliver(frame, "out/", policy=KEPT)
    assert len(asked) > 3
    assert "MapInArrow" in shown.getvalue()
    require_silent(shown.getvalue().encode())
    events = events_of(spark_cluster)[before:]
    assert b"sfumato counts halves" in events and b"MapInArrow" in events
    require_silent(events)
    require_silent(spark_cluster.logs())
    printed = capfd.readouterr()
    require_silent(b"." + (printed.out + printed.err).encode())


def test_what_fails_on_a_worker_says_nothing_of_cells(
    spark: Any, spark_cluster: Cluster, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that was not there when columns were described: rows changed in between."""
    frame = frame_at(spark, str(saved(LARGER, here / "told")))
    other = frame_at(spark, str(saved(LARGER.with_columns(zip=pl.lit("zqz0wold, too")), here / "other")))
    changed = property(lambda source: cells.chosen(other, source.every, source.fields, False))
    monkeypatch.setattr(RowsOnSpark, "rows", changed)
    with pytest.raises(sf.TableError, match="the frame is not the same every time") as told:
        sf.deliver(frame, "out/", policy=KEPT)
    require_silent(str(told.value).encode())
    require_silent(spark_cluster.logs())
