"""`python -m benchmarks.sidebyside` with a comparison that was made before: what is timed, shown and stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from benchmarks import sidebyside
from sfumato import datasets
from sfumato.comparisons.compared import Compared, Tried


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How the comparison was asked for."""
    calls: list[dict[str, Any]] = []
    kept = [Tried(f"way {at}", "kept", "", 0.1, 0.2 - at / 100, 0.3, 0.5, 0.1, 0, 40, 1.5, 300.0) for at in range(12)]

    def compare(frame: pl.DataFrame, policy: dict[str, Any], **settings: Any) -> Compared:
        calls.append({"rows": frame.height, **settings})
        return Compared("ncp", frame.height, (*kept, Tried("other", "infeasible", "why")))

    monkeypatch.setattr(sf, "compare", compare)
    monkeypatch.setattr(datasets, "adult_arx", lambda: pl.DataFrame({"age": range(2000), "disease": ["a", "b"] * 1000}))
    columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    monkeypatch.setattr(
        sidebyside, "policy_of", lambda how: {"columns": columns, "privacy": [{"model": "distinct-l", "l": 2}]}
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sidebyside, "STORED", tmp_path / "sidebyside.json")
    return calls


def test_it_is_timed_when_all_is_compiled(asked: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert sidebyside.stored() is None and not [*sidebyside.lines(None)]
    assert sidebyside.main(["--save", "--check"]) == 0
    assert [call["rows"] for call in asked] == [1000, 2000] and asked[1]["levels"] == {"l": [3, 99]}
    assert "13 ways, 12 kept, 1 infeasible" in capsys.readouterr().out
    figure = sidebyside.stored()
    assert figure is not None and figure.met and figure.rows == 2000
    first, *_ = sidebyside.lines(figure)
    assert first == ("way 11", "0.1000", "0.0900", "0.3000", "40", "1.5", "300")


@pytest.mark.usefixtures("asked")
def test_a_missed_target_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidebyside, "FEWEST", 13)
    assert sidebyside.main(["--check"]) == 1
    assert sidebyside.main([]) == 0
