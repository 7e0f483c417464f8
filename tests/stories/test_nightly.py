"""A data engineer's nightly job: one policy in version control, one command, exit codes, nothing half done."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.desk import Desk, environment
from tests.support.visits import write_visits

COLUMNS = ["patient_nbr", "race", "gender", "age", "readmitted", "diag_1"]
POLICY = """\
columns:
  patient_nbr: {role: individual, rows: one}
  race: {role: quasi}
  gender: {role: quasi}
  age: {role: quasi, hierarchy: {intervals: [20, 40]}}
  readmitted: {role: sensitive}
  diag_1: {role: drop}
privacy:
  - {model: k-anonymity, k: 4}
  - {model: distinct-l, l: 2}
input: {missing_values: ["", "?"]}
"""
OUT = ("out", "out.internal.json")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and streams of POSIX systems")


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.write("p.yaml", POLICY)
    return desk


def night(desk: Desk, number: int, rows: int = 300) -> str:
    """The table of one night, by its name."""
    name = f"night{number}.csv"
    write_visits(desk.place / name, rows, seed=40 + number, columns=COLUMNS)
    return name


def job(source: str, *more: str) -> tuple[str, ...]:
    return ("anonymize", source, "-p", "p.yaml", "-o", "out", "--force", "--json", *more)


@pytest.mark.thorough
def test_three_nights(desk: Desk) -> None:
    """By standard input, as a compressed file, and by standard input again."""
    seen = []
    for number, how in enumerate(("-", "gz", "-")):
        raw = (desk.place / night(desk, number)).read_bytes()
        (desk.place / "in.csv.gz").write_bytes(gzip.compress(raw))
        like = ("--like", "out.internal.json") if number else ()
        done = desk.process(*job("-", *like), stdin=raw) if how == "-" else desk(*job("in.csv.gz", *like))
        assert done.code == 0, done.out
        assert done.json["audit"]["holds"] is True and done.json["release"]["suppressed"] == 0
        assert {Path(file).name for file in done.json["files"]} == {"table.csv", "release.json"}
        seen.append(desk.files("out")["out/table.csv" if os.name == "posix" else "out\\table.csv"])
        judged = desk("audit", "out", "-p", "p.yaml", "--manifest", "out.internal.json", "--json")
        assert judged.code == 0 and judged.json["problems"] == []
    assert len(set(seen)) == 3
    assert not list(desk.place.glob(".*")), "nothing is left over"


def test_the_same_table_gives_the_same_bytes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    source = night(desk, 0)
    assert desk(*job(source)).code == 0
    first = desk.files(*OUT)
    (desk.place / "again.csv").write_bytes((desk.place / source).read_bytes())
    assert desk.process(*job("again.csv")).code == 0
    assert desk.files(*OUT) == first
    monkeypatch.setenv("SFUMATO_KEY", "another key, as long as the first")
    assert desk(*job(source)).code == 0
    assert desk.files("out").items().isdisjoint(first.items()), "another key, another order"


@pytest.mark.thorough
def test_a_truncated_night_changes_nothing(desk: Desk) -> None:
    assert desk(*job(night(desk, 0))).code == 0
    before = desk.files(*OUT)
    whole = desk.read(night(desk, 1))
    desk.write("cut.csv", whole[: len(whole) // 2].rsplit("\n", 1)[0] + "\n")
    guarded = job("cut.csv", "--like", "out.internal.json")
    refused = desk.process(*guarded)
    assert (refused.code, refused.json["exit_code"]) == (2, 2)
    assert "rows" in refused.json["message"] and "is missing" in refused.json["message"]
    assert desk.files(*OUT) == before
    desk.write("cut.csv", whole[: len(whole) // 2].rsplit(",", 1)[0])
    assert desk(*job("cut.csv", "--like", "out.internal.json")).code == 2, "a line cut in the middle"
    assert desk.files(*OUT) == before
    assert desk(*job("night1.csv", "--like", "out.internal.json")).code == 0
    assert desk.files(*OUT) != before


def test_every_failure_has_its_code_and_changes_nothing(desk: Desk) -> None:
    source = night(desk, 0)
    assert desk(*job(source)).code == 0
    before = desk.files(*OUT)
    whole = desk.read(source)
    for name, text, code, error in (
        ("empty.csv", whole.splitlines()[0] + "\n", 2, "TableError"),
        ("nothing.csv", "", 2, "TableError"),
        ("column.csv", whole.replace("race", "origin", 1), 2, "TableError"),
        ("one.csv", "\n".join(whole.splitlines()[:3]) + "\n", 3, "Infeasible"),
    ):
        desk.write(name, text)
        refused = desk(*job(name))
        assert (refused.code, refused.json["exit_code"], refused.json["error"]) == (code, code, error), name
        assert desk.files(*OUT) == before, name
    nowhere = desk(*job("nowhere.csv"))
    assert (nowhere.code, nowhere.json["exit_code"]) == (2, 2)
    desk.write("out/note.txt", "somebody's own")
    assert desk(*job(source)).code == 2, "what sfumato did not write is not replaced"
    assert desk.read("out/note.txt") == "somebody's own"


@posix
@pytest.mark.thorough
def test_a_killed_run_and_the_next_night(desk: Desk) -> None:
    """Whatever the moment, there is one whole release of one night; the next run puts its own there."""
    begin = time.monotonic()
    assert desk.process(*job(night(desk, 0))).code == 0
    takes, clock = time.monotonic() - begin, random.Random(11)
    before = desk.files("out")["out/table.csv"]
    for number in range(1, 4):
        source = night(desk, number)
        dying = subprocess.Popen(
            [sys.executable, "-m", "sfumato", *job(source)],
            cwd=desk.place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        time.sleep(takes * clock.uniform(0.4, 1))
        dying.send_signal(signal.SIGKILL)
        dying.wait()
        files = desk.files("out")
        assert set(files) == {"out/table.csv", "out/release.json"}
        described = json.loads(files["out/release.json"])["tables"][0]["sha256"]
        assert hashlib.sha256(files["out/table.csv"]).hexdigest() == described
        done = desk(*job(source))
        assert done.code == 0, done.err
        assert files["out/table.csv"] in {before, desk.files("out")["out/table.csv"]}
        before = desk.files("out")["out/table.csv"]
        assert desk("audit", "out", "-p", "p.yaml", "--manifest", "out.internal.json").code == 0
        assert not list(desk.place.glob(".*"))


@posix
@pytest.mark.thorough
def test_a_closed_stream_fails_no_run_and_a_full_disk_changes_nothing(desk: Desk) -> None:
    source = night(desk, 0)
    command = f"{sys.executable} -m sfumato {' '.join(job(source))}"
    closed = subprocess.run(["sh", "-c", f"{command} 2>&-"], cwd=desk.place, capture_output=True, env=environment())
    assert closed.returncode == 0 and json.loads(closed.stdout)["audit"]["holds"] is True
    before = desk.files(*OUT)
    tonight = night(desk, 1)
    little = f"ulimit -f 1; trap '' XFSZ; {command.replace(source, tonight)}"
    full = subprocess.run(["sh", "-c", little], cwd=desk.place, capture_output=True, env=environment())
    assert full.returncode == 1, full.stderr
    assert json.loads(full.stdout)["exit_code"] == 1
    assert desk.files(*OUT) == before and not list(desk.place.glob(".*"))
