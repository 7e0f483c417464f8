"""The run that checks every index of compiled loops: it tries everything, and tells what it finds."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy as np
import pytest
from numba import njit

from sfumato.engine.matrix import methods
from sfumato.policy.losses import LOSS_METRICS
from sfumato.testing import bounds
from sfumato.testing.bounds import Run, loops, main, runs, unused


def first(numbers: Any) -> Any:
    return numbers[0]


def through(numbers: Any) -> Any:
    return _inner(numbers)


_inner: Any = njit(first)
_outer: Any = njit(through)
_idle: Any = njit(first)


def test_everything_is_tried() -> None:
    """Every promise with every algorithm that goes with it, in every form, under every loss; with persons too."""
    planned = runs()
    assert len(set(map(str, planned))) == len(planned)
    for persons in (False, True):
        cells = {
            (cell.model, cell.method, cell.form) for cell in methods(persons=persons).cells if cell.status != "refused"
        }
        mine = [run.cell for run in planned if run.cell.persons == persons]
        assert {(cell.model, cell.method, cell.form) for cell in mine} == cells
    plain = [run for run in planned if not run.cell.persons]
    pairs = {(run.cell.model, run.cell.method) for run in plain}
    assert {(*pair, metric) for pair in pairs for metric in LOSS_METRICS} == {
        (run.cell.model, run.cell.method, run.metric) for run in plain
    }
    assert {run.shape for run in planned} == {"few", "many", "broad"}


def test_a_sample_is_seeded() -> None:
    assert runs(3, 5) == runs(3, 5) != runs(4, 5)
    assert set(map(str, runs(3, 5))) <= set(map(str, runs(3)))


def test_loops_that_nothing_has_run_are_named() -> None:
    every = {"outer": _outer, "inner": _inner, "idle": _idle}
    assert unused(every) == ("idle", "inner", "outer")
    _outer(np.zeros(1))
    assert unused(every) == ("idle",)


def test_every_compiled_loop_is_known() -> None:
    names = loops()
    assert {
        "sfumato.table.loops.sort",
        "sfumato.partition.steps.loops.rebuild._deal",
        "sfumato.partition.steps.loops.changes.splits_in",
    } <= {*names}
    assert not any(name.startswith("sfumato.partition.steps.loops.changes.price") for name in names), (
        "where they are written"
    )


def test_it_runs_in_a_process_of_its_own_with_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[str], dict[str, str]]] = []

    def run(command: list[str], env: dict[str, str], check: bool) -> subprocess.CompletedProcess[bytes]:
        seen.append((command, env))
        return subprocess.CompletedProcess(command, 7)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert main(["--seed", "4", "--sample", "2"]) == 7
    assert main(["--cache", "somewhere"]) == 7
    for command, env in seen:
        assert env["NUMBA_BOUNDSCHECK"] == "1" and "--inside" in command and "faulthandler" in command
    assert seen[0][0][-4:] == ["--seed", "4", "--sample", "2"] and seen[0][1]["NUMBA_CACHE_DIR"]
    assert seen[1][1]["NUMBA_CACHE_DIR"] == "somewhere"


@pytest.mark.parametrize(("raised", "code"), [(None, 0), (IndexError("index is out of bounds"), 1)])
def test_what_fails_is_told(
    raised: Exception | None, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(run: Run) -> bool:
        if raised is not None and run.seed == chosen[1].seed:
            raise raised
        return True

    chosen = runs(1, 3)
    monkeypatch.setattr(Run, "start", start)
    assert main(["--inside", "--seed", "1", "--sample", "3"]) == code
    told = capsys.readouterr().out
    assert f"3 runs, {3 - code} releases, {code} failures" in told
    assert (f"FAILS  {chosen[1]}: IndexError" in told) == bool(code)


def test_a_loop_that_was_never_run_fails_the_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bounds, "runs", lambda seed, sample: ())
    monkeypatch.setattr(bounds, "_jobs", lambda seed: ())
    monkeypatch.setattr(bounds, "loops", lambda: {"idle": _idle})
    assert main(["--inside"]) == 1
    assert "never run: idle" in capsys.readouterr().out


@pytest.mark.thorough
def test_a_run_is_a_release_or_an_answer() -> None:
    """Small ones of every shape end in one of the two, and both happen."""
    ends = {run.start() for run in runs(2, 12) if run.shape != "broad"}
    assert ends == {True, False}
