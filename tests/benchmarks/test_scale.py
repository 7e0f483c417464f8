"""`python -m benchmarks.scale`: what is stored, and which targets a figure meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import scale
from benchmarks.scale import Figure, kept, lines


def test_what_was_not_measured_again_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [Figure("easy", 10, 3.0, 0.5), Figure("hard", 10, 4.0, 0.5)]
    monkeypatch.setattr(scale, "STORED", tmp_path / "scale.json")
    monkeypatch.setattr(scale, "measured", lambda data, sizes: iter([Figure(data[0], sizes[0], 5.0, 0.7)]))
    monkeypatch.setattr(scale, "stored", lambda: before)
    assert kept([Figure("hard", 10, 5.0, 0.7)]) == [before[0], Figure("hard", 10, 5.0, 0.7)]
    assert scale.main(["--only", "hard", "--rows", "10", "--save"]) == 0
    monkeypatch.undo()
    monkeypatch.setattr(scale, "STORED", tmp_path / "scale.json")
    assert scale.stored() == [before[0], Figure("hard", 10, 5.0, 0.7)]


def test_lines() -> None:
    found = [Figure("easy", 1_000_000, 1.9, 1.9), Figure("hard", 1_000_000, 6.1, 1.0), Figure("easy", 10, 0.0, 2.1)]
    assert [line[-1] for line in lines(found)] == ["yes", "no", "no"]
    assert next(lines(found)) == ("easy", "1,000,000", "2", "1.90", "2", "1.90", "2GB", "yes")
