"""`python -m benchmarks.workbench` on a small table: requests are timed while a release is made, and Stop is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import workbench
from benchmarks.workbench import MADE, STOPPED, Figure, lines


@pytest.mark.thorough
def test_pages_are_timed_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workbench, "STORED", tmp_path / "workbench.json")
    monkeypatch.setattr(workbench, "STOPPED_AFTER", 1.0)
    assert workbench.main(["--rows", "10000", "--save"]) == 0
    assert MADE in capsys.readouterr().out
    made, stopped = workbench.stored()
    assert (made.job, made.rows, made.stop, stopped.job) == (MADE, 10_000, None, STOPPED)
    assert stopped.stop is not None and made.requests >= len(workbench.PAGES) <= stopped.requests
    assert 0 < made.most <= made.slowest and 0 < stopped.most <= stopped.slowest
    monkeypatch.setattr(workbench, "measured", lambda rows: [Figure(MADE, rows, 5, 0.1, 0.4)])
    assert workbench.main(["--check"]) == 1
    assert json.loads((tmp_path / "workbench.json").read_text())[0]["rows"] == 10_000


def test_lines() -> None:
    found = [Figure(MADE, 800_000, 1234, 0.01, 0.2), Figure(STOPPED, 800_000, 99, 0.01, 0.2, 2.5)]
    assert [*lines(found)] == [
        (MADE, "800,000", "1,234", "10", "200", "300", "", "", "yes"),
        (STOPPED, "800,000", "99", "10", "200", "300", "2.50", "2", "no"),
    ]
