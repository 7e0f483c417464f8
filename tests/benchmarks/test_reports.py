"""`python -m benchmarks.reports` on a small table: reports are timed, weighed, shown and stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import reports
from benchmarks.reports import Figure, lines
from tests.support.tiny_adult import tiny_adult


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(reports, "adult", lambda: (table, document))
    monkeypatch.setattr(reports, "STORED", tmp_path / "reports.json")


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
def test_reports_are_timed_and_stored(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert reports.main(["--rows", "300", "--rounds", "1", "--save", "--check"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(job in shown for job in reports.JOBS)
    kept = reports.stored()
    assert [each.job for each in kept] == [*reports.JOBS] and all(each.rows == 300 for each in kept)
    assert all(each.cpu and each.floor and 10_000 < each.size < 100_000 for each in kept)
    monkeypatch.setattr(reports, "LARGEST", 1000)
    assert reports.main(["--rows", "300", "--rounds", "1", "--check"]) == 1


def test_lines() -> None:
    found = [Figure("a", 10, 2.0, 0.5, 3000), Figure("b", 10, 11.0, 0.5, 3_000_000)]
    assert [*lines(found)] == [
        ("a", "2.00", "10", "yes", "4", "3", "2000", "yes"),
        ("b", "11.00", "10", "no", "22", "3000", "2000", "no"),
    ]
