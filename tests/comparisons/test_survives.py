"""A comparison survives what happens to its ways, says how far it is, can be stopped, and goes on after a kill."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")

PROMISED = [{"model": "k-anonymity", "k": 2}, {"model": "simple-l", "l": 2}]
POLICY: dict[str, Any] = {**policy_of("generalized"), "privacy": PROMISED}
KILLED = """
import sys
import polars as pl
import sfumato as sf
from tests.comparisons.test_survives import POLICY, people

def tell(stage, done, total):
    print(done, flush=True)

if __name__ == "__main__":
    sf.compare(people(11, 90), POLICY, methods=sys.argv[1:], workers=1, progress=tell)
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def frame() -> pl.DataFrame:
    return people(11, 90)


@pytest.mark.thorough
def test_refused_infeasible_and_killed_ones_stand_beside_the_others(frame: pl.DataFrame, cache: Path) -> None:
    """The first process that is seen is killed from outside."""
    killed: list[int] = []
    seen: list[tuple[int, int]] = []

    def kill(stage: str, done: int, total: int) -> None:
        seen.append((done, total))
        for process in sorted(multiprocessing.active_children(), key=lambda each: each.pid or 0):
            if not killed and process.pid is not None:
                killed.append(process.pid)
                os.kill(process.pid, signal.SIGKILL)

    methods = ["mondrian", "lattice", "hilbert"]
    policy = {**POLICY, "privacy": [*POLICY["privacy"], {"model": "t-closeness", "t": "1"}]}  # which hilbert cannot
    found = sf.compare(frame, policy, methods=methods, levels={"l": [2, 9]}, keep=True, progress=kill)
    assert [(way.label, way.outcome) for way in found.ways] == [
        ("mondrian, l=2", "failed"),
        ("lattice, l=2", "kept"),
        ("hilbert, l=2", "refused"),
        ("mondrian, l=9", "infeasible"),
        ("lattice, l=9", "infeasible"),
        ("hilbert, l=9", "refused"),
    ]
    assert all(way.reason for way in found.ways if way.outcome != "kept")
    assert "exit code -9" in found.ways[0].reason and "exit code -9" in found.summary()
    assert seen[0] == (0, 6) and seen[-1] == (6, 6) and seen == sorted(seen)
    again = sf.compare(frame, policy, methods=["mondrian"], levels={"l": [2]})
    assert again.ways[0].outcome == "kept", "what was killed is tried again, though others are kept"
    assert [*cache.rglob("*.json")], "those that are to be kept are not another's to remove"


def test_a_stop_ends_every_process(frame: pl.DataFrame) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        if multiprocessing.active_children():
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled):
        sf.compare(frame, POLICY, methods=["mondrian", "lattice", "hilbert"], workers=2, progress=stop)
    assert not multiprocessing.active_children()


def children_of(process: int) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = re.sub(r"^.*\) ", "", place.read_text(encoding="utf-8")).split()[:2]
        except OSError:
            continue
        if int(parent) == process and state != "Z":
            found.append(int(place.parent.name))
    return found


def waited_for(done: Any, seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(done())


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_after_a_kill_it_goes_on_where_it_was(frame: pl.DataFrame, cache: Path, tmp_path: Path) -> None:
    methods = ["mondrian", "hilbert", "lattice"]
    script = tmp_path / "compared.py"
    script.write_text(KILLED, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(script), *methods]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if line.strip() == "1":
                break
        assert waited_for(lambda: children_of(run.pid))
        left = children_of(run.pid)
        run.kill()
    assert waited_for(lambda: not [pid for pid in left if Path(f"/proc/{pid}").exists()]), "nobody works on alone"
    [kept] = [*cache.rglob("*.json")]
    assert kept.stat().st_mode & 0o777 == 0o600 and kept.parent.stat().st_mode & 0o777 == 0o700
    assert not re.search("d0|female", kept.read_text(encoding="utf-8"))
    begun: list[int] = []
    found = sf.compare(
        frame, POLICY, methods=methods, workers=1, progress=lambda stage, done, total: begun.append(done)
    )
    assert begun[0] == 1, "what was found is not looked for again"
    assert [(way.label, way.outcome) for way in found.ways] == [(method, "kept") for method in methods]
    assert not [*cache.rglob("*.json")] and not [*(cache / "sfumato" / "compare").iterdir()]
