"""What the command line does and says beside a run that was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")

POLICY = """\
version: 1
columns:
  age: {role: quasi, type: integer}
  zip: {role: quasi}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: K}
"""

# A run that dies once it has made so many of its moves.
KILLED = """
import os, signal, sys
from sfumato.cli.main import run
from sfumato.release import moves
real, left = moves._put, int(sys.argv.pop(1))
def put(*args):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    real(*args)
moves._put = put
run()
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    rows = [f"{20 + i},{2000 + i % 3},{'flu' if i % 2 else 'gout'}" for i in range(12)]
    (tmp_path / "data.csv").write_text("\n".join(["age,zip,disease", *rows]) + "\n", encoding="utf-8")
    for k in (2, 3, 4):
        (tmp_path / f"k{k}.yaml").write_text(POLICY.replace("K", str(k)), encoding="utf-8")

    def go(*arguments: str, moves: int | None = None) -> subprocess.CompletedProcess[str]:
        begin = ["-m", "sfumato"] if moves is None else ["-c", KILLED, str(moves)]
        return subprocess.run(
            [sys.executable, *begin, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "SFUMATO_KEY": "a key for tests only"},
        )

    return go


def publish(out: str, k: int, *more: str) -> list[str]:
    return ["anonymize", "data.csv", "-p", f"k{k}.yaml", "-o", out, "-q", *more]


def visible(place: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(place)): path for path in place.rglob("out*") if path.is_file()}
    found |= {str(path.relative_to(place)): path for path in place.glob("out/*")}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".")}


@pytest.mark.parametrize("out", ["out", "out.csv"])
def test_a_dead_run_is_not_finished_by_one_of_another_policy(tmp_path: Path, run: Run, out: str) -> None:
    assert run(*publish(out, 2), moves=0).returncode == -9
    assert visible(tmp_path) == {}
    assert run("audit", out, "-p", "k2.yaml").returncode == 2, "there is no release"
    assert run(*publish(out, 3)).returncode == 0
    assert run("audit", out, "-p", "k3.yaml", "--manifest", "out.internal.json").returncode == 0
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("out", ["out", "out.csv"])
@pytest.mark.parametrize("fresh", [True, False])
def test_a_half_finished_replacement_is_told_and_undone_by_force(
    tmp_path: Path, run: Run, out: str, fresh: bool
) -> None:
    if not fresh:
        assert run(*publish(out, 2)).returncode == 0
    assert run(*publish(out, 3, *([] if fresh else ["--force"])), moves=1).returncode == -9
    before = visible(tmp_path)

    refused = run(*publish(out, 4))
    assert refused.returncode == 2
    assert "was killed while it put a release in place there; nothing was changed" in refused.stderr
    assert "--force" in refused.stderr
    assert visible(tmp_path) == before

    judged = run("audit", out, "-p", "k3.yaml")
    assert visible(tmp_path) == before, "an audit changes nothing"
    assert judged.returncode == 4
    names = 2 if out == "out" else 3
    assert f"a run put 1 of {names} names in place here and stopped" in judged.stdout

    forced = run(*publish(out, 4, "--force"))
    assert forced.returncode == 0
    assert "was undone" in forced.stderr
    assert run("audit", out, "-p", "k4.yaml", "--manifest", "out.internal.json").returncode == 0
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("out", ["out", "out.csv"])
def test_a_run_that_was_killed_once_all_was_in_place_is_done(tmp_path: Path, run: Run, out: str) -> None:
    assert run(*publish(out, 2)).returncode == 0
    for name in (".out.sfumato-x", ".out.csv.sfumato-x"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "lock").write_text("held", encoding="utf-8")
    assert run("audit", out, "-p", "k2.yaml").returncode == 0
    assert run(*publish(out, 3)).returncode == 2
    assert run("audit", out, "-p", "k2.yaml", "--manifest", "out.internal.json").returncode == 0


def test_what_is_ones_own_is_not_replaced_by_force(tmp_path: Path, run: Run) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "release.json").write_text('{"tables": [{"file": "thesis.txt"}]}', encoding="utf-8")
    (tmp_path / "out" / "thesis.txt").write_text("years of work", encoding="utf-8")
    done = run(*publish("out", 2, "--force"))
    assert done.returncode == 2
    assert "2 things in it are not as sfumato wrote them" in done.stderr
    (tmp_path / "mine.csv").write_text("years of work", encoding="utf-8")
    done = run(*publish("mine.csv", 2, "--force"))
    assert done.returncode == 2
    assert "no mine.release.json beside it" in done.stderr
    assert (tmp_path / "mine.csv").read_text(encoding="utf-8") == "years of work"
