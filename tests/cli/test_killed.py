"""What the command line does and says beside a run that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.support.command import Cli
from tests.support.examples import some

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


@pytest.fixture
def place(here: Path) -> Path:
    rows = [f"{20 + i},{2000 + i % 3},{'flu' if i % 2 else 'gout'}" for i in range(12)]
    (here / "data.csv").write_text("\n".join(["age,zip,disease", *rows]) + "\n", encoding="utf-8")
    for k in (2, 3, 4):
        (here / f"k{k}.yaml").write_text(POLICY.replace("K", str(k)), encoding="utf-8")
    return here


def killed(moves: int, arguments: list[str]) -> bool:
    """Whether a run in a process of its own was killed after so many moves."""
    command = [sys.executable, "-c", KILLED, str(moves), *arguments]
    return subprocess.run(command, capture_output=True, timeout=120).returncode == -signal.SIGKILL


def publish(out: str, k: int, *more: str) -> list[str]:
    return ["anonymize", "data.csv", "-p", f"k{k}.yaml", "-o", out, "-q", *more]


def visible(place: Path) -> dict[str, bytes]:
    found = {str(path.relative_to(place)): path for path in place.rglob("out*") if path.is_file()}
    found |= {str(path.relative_to(place)): path for path in place.glob("out/*")}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".")}


@pytest.mark.parametrize("out", some(["out", "out.csv"]))
def test_a_dead_run_is_not_finished_by_one_of_another_policy(place: Path, cli: Cli, out: str) -> None:
    assert killed(0, publish(out, 2))
    assert visible(place) == {}
    assert cli("audit", out, "-p", "k2.yaml").code == 2, "there is no release"
    assert cli(*publish(out, 3)).code == 0
    assert cli("audit", out, "-p", "k3.yaml", "--manifest", "out.internal.json").code == 0
    assert not list(place.glob(".*"))


@pytest.mark.parametrize(("out", "fresh"), some(product(("out", "out.csv"), (True, False))))
def test_a_half_finished_replacement_is_told_and_undone_by_force(place: Path, cli: Cli, out: str, fresh: bool) -> None:
    if not fresh:
        assert cli(*publish(out, 2)).code == 0
    assert killed(1, publish(out, 3, *([] if fresh else ["--force"])))
    before = visible(place)

    refused = cli(*publish(out, 4))
    assert refused.code == 2
    assert "was killed while it put a release in place there; nothing was changed" in refused.err
    assert "--force" in refused.err
    assert visible(place) == before

    judged = cli("audit", out, "-p", "k3.yaml")
    assert visible(place) == before, "an audit changes nothing"
    assert judged.code == 4
    names = 2 if out == "out" else 3
    assert f"a run put 1 of {names} names in place here and stopped" in judged.out

    forced = cli(*publish(out, 4, "--force"))
    assert forced.code == 0
    assert "was undone" in forced.err
    assert cli("audit", out, "-p", "k4.yaml", "--manifest", "out.internal.json").code == 0
    assert not list(place.glob(".*"))


@pytest.mark.parametrize("out", ["out", "out.csv"])
def test_a_run_that_was_killed_once_all_was_in_place_is_done(place: Path, cli: Cli, out: str) -> None:
    assert cli(*publish(out, 2)).code == 0
    for name in (".out.sfumato-x", ".out.csv.sfumato-x"):
        (place / name).mkdir(mode=0o700)
        (place / name / "lock").write_text("held", encoding="utf-8")
    assert cli("audit", out, "-p", "k2.yaml").code == 0
    assert cli(*publish(out, 3)).code == 2
    assert cli("audit", out, "-p", "k2.yaml", "--manifest", "out.internal.json").code == 0


def test_what_is_ones_own_is_not_replaced_by_force(place: Path, cli: Cli) -> None:
    (place / "out").mkdir()
    (place / "out" / "release.json").write_text('{"tables": [{"file": "thesis.txt"}]}', encoding="utf-8")
    (place / "out" / "thesis.txt").write_text("years of work", encoding="utf-8")
    done = cli(*publish("out", 2, "--force"))
    assert done.code == 2
    assert "2 things in it are not as sfumato wrote them" in done.err
    (place / "mine.csv").write_text("years of work", encoding="utf-8")
    done = cli(*publish("mine.csv", 2, "--force"))
    assert done.code == 2
    assert "no mine.release.json beside it" in done.err
    assert (place / "mine.csv").read_text(encoding="utf-8") == "years of work"
