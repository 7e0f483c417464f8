"""`python -m benchmarks.measures` on a small table: every measure and the risk are timed, shown and stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import measures
from benchmarks.measures import Figure, lines
from sfumato.measures.registry import MEASURES
from tests.support.tiny_adult import tiny_adult


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(measures, "adult", lambda: (table, document))
    monkeypatch.setattr(measures, "STORED", tmp_path / "measures.json")


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
def test_every_measure_is_timed_and_stored(capsys: pytest.CaptureFixture[str]) -> None:
    gone = [{"measure": "gone", "rows": 1}, {"measure": "risk", "rows": 1, "cpu": 99.0, "floor": 1.0}]
    measures.STORED.write_text(json.dumps(gone), encoding="utf-8")
    assert measures.main(["--rows", "300", "--rounds", "1", "--save", "--check"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in (*MEASURES, "risk"))
    kept = measures.stored()
    assert [each.measure for each in kept] == [*MEASURES, "risk"]
    for each in kept:
        assert each.rows == 300
        assert each.lacks or (each.cpu and each.floor and each.ratio == each.cpu / each.floor)
    assert not [each.measure for each in kept if "original" in each.lacks]


@pytest.mark.usefixtures("tiny")
def test_some_are_measured_and_others_stay() -> None:
    assert measures.main(["--rows", "300", "--rounds", "1", "--only", "risk", "--save"]) == 0
    assert measures.main(["--rows", "300", "--rounds", "1", "--only", "discernibility", "--save"]) == 0
    assert [each.measure for each in measures.stored()] == ["discernibility", "risk"]


@pytest.mark.usefixtures("tiny")
def test_a_missed_target_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "TARGET", 0.0)
    assert measures.main(["--rows", "300", "--rounds", "1", "--only", "risk", "--check"]) == 1
    assert measures.main(["--rows", "300", "--rounds", "1", "--only", "risk"]) == 0


def test_lines() -> None:
    found = [Figure("a", 10, 2.0, 0.5), Figure("b", 10, 11.0, 0.5), Figure("c", 10, lacks="the original table")]
    assert [*lines(found)] == [
        ("a", "2.00", "10", "yes", "4.0", ""),
        ("b", "11.00", "10", "no", "22.0", ""),
        ("c", "–", "", "", "", "the original table"),
    ]
