"""Whole jobs: what is measured is a job that ends well, and the floor does what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import endtoend
from benchmarks.endtoend import ran
from tests.support.examples import some
from tests.support.tiny_adult import tiny_adult


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(endtoend, "adult", lambda: (table, document))
    monkeypatch.setattr(endtoend, "SIZES", {"tiny": 300, "4.6M": 4_600_000})
    monkeypatch.setattr(endtoend, "STORED", tmp_path / "stored.json")


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(("kind", "job"), some([("csv", "mondrian, k=5"), ("parquet", "mondrian, distinct 3")]))
def test_a_job_and_its_floor_are_measured_and_stored(kind: str, job: str) -> None:
    assert endtoend.main(["--jobs", job, "--kinds", kind, "--sizes", "tiny", "--rounds", "1", "--save"]) == 0
    (stored,) = json.loads(endtoend.STORED.read_text(encoding="utf-8"))
    assert (stored["job"], stored["kind"], stored["rows"]) == (job, kind, 300)
    assert stored["cpu"] > 0 and stored["floor"] > 0 and 0 < stored["memory"] < 10
    assert endtoend.Figure(**stored).ratio == stored["cpu"] / stored["floor"]


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
def test_a_job_that_fails_is_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can promise so many rows of a table this small."""
    greedy = {"privacy": [{"model": "k-anonymity", "k": 301}], "partition": {"method": "mondrian"}}
    monkeypatch.setitem(endtoend.JOBS, "greedy", greedy)
    with pytest.raises(RuntimeError, match="ended with"):
        list(endtoend.measured(["greedy"], ["csv"], ["tiny"], 1))


def test_a_process_is_charged_for_itself_alone() -> None:
    held = b"x" * 200_000_000
    small = ran([sys.executable, "-c", "raise SystemExit(3)"])
    large = ran([sys.executable, "-c", "import sys; held = b'x' * 150_000_000; sys.exit('too much')"])
    assert len(held) == 200_000_000 and small.memory < 0.1 < large.memory < 0.2
    assert (small.code, small.told, large.code, large.told) == (3, "", 1, "too much\n")
