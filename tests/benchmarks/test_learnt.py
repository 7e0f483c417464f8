"""Five methods side by side: every measure and every adversary has its line, and what is stored is what was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import learnt
from benchmarks.learnt import WAYS
from sfumato.adversaries.registry import ADVERSARIES
from sfumato.measures.registry import MEASURES
from tests.support.tiny_adult import tiny_adult


def test_every_measure_and_adversary_has_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(learnt, "adult", lambda: (table, document))
    monkeypatch.setattr(learnt, "PROMISE", {"model": "distinct-l", "l": 2})
    monkeypatch.setattr(learnt, "STORED", tmp_path / "stored.json")
    assert learnt.main(["--way", "mondrian", "--save"]) == 0
    found = learnt.stored()
    assert [*found] == ["mondrian"] and [*found["mondrian"]["measures"]] == [*MEASURES]
    named = [line[0].split("`")[1] for line in learnt.lines(found) if "`" in line[0]]
    assert named == [*MEASURES, *ADVERSARIES]
    assert "discernibility" in capsys.readouterr().out


def test_ways_are_policies() -> None:
    assert len(WAYS) == 5 and len({way["partition"]["method"] for way in WAYS.values()}) == 5
