"""A large table: pages answer while it is read and published, Stop is an end at once, and nothing is written."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.demo.hospital import hospital
from tests.support.workbench import Answered, Served, Visitor

ROWS = 800_000
PAGES = ("/release", "/data", "/columns", "/promise", "/column/1")
PROMISE = {"k": "5", "kind-0": "entropy-l", "l-0-entropy-l": "3", "limit": "0", "missing": "category"}


def watched(visitor: Visitor, done: Callable[[Answered], bool], seconds: float) -> list[float]:
    """How long every page takes to answer, until it is done or the time is over."""
    visitor.heard.clear()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pages = [visitor.get(path) for path in PAGES]
        if any(map(done, pages)):
            break
        time.sleep(0.05)
    return sorted(visitor.heard)


@pytest.mark.large
def test_pages_answer_and_stop_stops(serving: Callable[..., Served], tmp_path: Path) -> None:
    """Nineteen of twenty requests within 0.3 s, on a machine that other tests share; on a quiet one, all of them."""
    table = tmp_path / "hospital.csv"
    hospital(ROWS).write_csv(table)
    served = serving(str(table), "--language", "en")
    visitor = served.entered()
    visitor.until("/data", "What is each column?", 600)
    visitor.post("/columns", {"column": "5", "role": "insensitive"})
    visitor.settled("/promise", 600)
    visitor.post("/run", {**PROMISE, "method": "mondrian", "form": "generalized"})
    heard = watched(visitor, lambda page: "Criterion met" in page.text, 900)
    assert "Criterion met" in visitor.look("/release").text
    assert len(heard) > 100 and heard[len(heard) * 19 // 20] < 0.3, heard[-5:]
    runs = [each for each in served.kept() if each.name.startswith("run-")]
    visitor.post("/run", {**PROMISE, "k": "7", "method": "boxes", "form": "generalized"})
    heard = watched(visitor, lambda page: False, 15)
    assert heard[len(heard) * 19 // 20] < 0.3, heard[-5:]
    began = time.monotonic()
    assert visitor.post("/stop").goes_to == "/promise"
    assert time.monotonic() - began < 2
    assert [each for each in served.kept() if each.name.startswith("run-")] == runs
