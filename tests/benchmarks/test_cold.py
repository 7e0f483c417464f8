"""First runs: each begins with nothing compiled, all of them end well, and what is short is short when repeated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks import cold
from sfumato.partition.registry import PARTITIONERS
from tests.support.tiny_adult import tiny_adult


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(cold, "adult", lambda: (table, document))
    monkeypatch.setattr(cold, "ROWS", 200)
    monkeypatch.setattr(cold, "STORED", tmp_path / "stored.json")
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
def test_a_first_run_and_a_later_one_are_measured_and_stored() -> None:
    assert cold.main(["--only", "anatomy", cold.WARM, "--rounds", "1", "--save"]) == 0
    stored = [cold.Figure(**each) for each in json.loads(cold.STORED.read_text(encoding="utf-8"))]
    first, warm, imports = stored
    assert [each.name for each in stored] == ["anatomy", cold.WARM, cold.IMPORTS]
    assert first.cpu > 0 and first.ratio == first.cpu / first.floor
    assert 0 < imports.cpu < 2 * warm.cpu


@pytest.mark.thorough
@pytest.mark.usefixtures("tiny")
def test_every_job_is_one_that_ends_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in this process, where loops are known: what is measured is a release."""
    from sfumato.cli.main import app

    begun: list[tuple[str, str]] = []

    def spent(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
        if "sfumato" in command and "--help" not in command:
            assert not [*Path(environment["NUMBA_CACHE_DIR"]).iterdir()]
            begun.append((command[3], environment["NUMBA_CACHE_DIR"]))
            app(command[3:], standalone_mode=False)
        return 1.0, 0.0

    monkeypatch.setattr(cold, "spent", spent)
    names = [*cold.METHODS, cold.TERMS, cold.DEMO]
    assert [figure.name for figure in cold.measured(names, 1)] == names
    assert len({place for _, place in begun}) == len(names)


def test_every_method_is_measured() -> None:
    asked = {job["partition"]["method"] for job in cold.METHODS.values()}
    assert {*PARTITIONERS} <= asked
    assert {*cold.TARGETS} == {*cold.METHODS, cold.TERMS, cold.DEMO, cold.WARM, cold.IMPORTS}


@pytest.mark.parametrize(("cpu", "code"), [(5.9, 0), (6.1, 1)])
def test_a_missed_target_is_told(monkeypatch: pytest.MonkeyPatch, cpu: float, code: int) -> None:
    monkeypatch.setattr(cold, "measured", lambda *_: iter([cold.Figure(cold.DEMO, cpu, 1.0)]))
    assert cold.main(["--check"]) == code
    assert cold.main([]) == 0
