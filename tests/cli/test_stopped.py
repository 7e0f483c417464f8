"""Ctrl-C, closed streams and what libraries give up on: a message and an exit code of its own, whatever the moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from tests.support.examples import some

POLICY = """\
version: 1
columns:
  age: {role: quasi, type: integer}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 2}
"""

# Presses Ctrl-C when a function is called for the n-th time: before it is done, or after.
PRESSED = """
import importlib, os, signal, sys
from sfumato.cli.main import run
module, name, nth, then = sys.argv[1:5]
del sys.argv[1:5]
home = importlib.import_module(module)
real, calls = getattr(home, name), 0
def pressed(*args, **kwargs):
    global calls
    calls += 1
    made = real(*args, **kwargs) if then == "after" else None
    if calls == int(nth):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000): pass
        except KeyboardInterrupt:
            if then == "swallowed":
                pass
            elif then == "mistaken":
                import polars
                raise polars.exceptions.SchemaError("a value of the data")
            else:
                raise
    return made if then == "after" else real(*args, **kwargs)
setattr(home, name, pressed)
run()
"""

# Where a key is pressed, and whether a release is there afterwards; None where nobody can tell.
MOMENTS: list[tuple[str, str, int, str, bool | None]] = [
    ("sfumato.engine.prepared", "read", 1, "raised", False),
    ("sfumato.engine.prepared", "read", 1, "swallowed", False),
    ("sfumato.engine.prepared", "read", 1, "mistaken", None),
    ("sfumato.table.formats.contract", "on_disk", 1, "raised", False),
    ("sfumato.release.moves", "_put", 1, "after", True),
    ("sfumato.release.moves", "_put", 2, "raised", True),
    ("sfumato.cli.anonymize", "_tell", 1, "raised", True),
]


@pytest.fixture
def place(here: Path) -> Path:
    rows = [f"{20 + i},{'flu' if i % 2 else 'gout'}" for i in range(12)]
    (here / "data.csv").write_text("\n".join(["age,disease", *rows]) + "\n", encoding="utf-8")
    (here / "policy.yaml").write_text(POLICY, encoding="utf-8")
    return here


def run(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize(("moment", "as_json"), some(product(MOMENTS, (True, False)), kind=lambda case: case[0][-1]))
def test_ctrl_c_is_said_truthfully_and_never_swallowed(
    place: Path, moment: tuple[str, str, int, str, bool | None], as_json: bool
) -> None:
    module, name, nth, then, written = moment
    arguments = ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", *(["--json"] if as_json else ["-q"]))
    done = run(place, sys.executable, "-c", PRESSED, module, name, str(nth), then, *arguments)
    assert done.returncode in (130, -2), done.stderr
    said = done.stderr
    if as_json:
        document = json.loads(done.stdout)
        assert (document["error"], document["exit_code"]) == ("KeyboardInterrupt", 130)
        said = document["message"]
    outcome = {True: "stopped; out was written", False: "stopped; nothing was written", None: "stopped"}[written]
    assert said.strip() == outcome
    assert "Traceback" not in done.stderr
    assert (place / "out").exists() == (place / "out.internal.json").exists() == bool(written)
    assert not list(place.glob(".*"))


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="streams of POSIX shells")
def test_a_closed_standard_error_fails_no_run(place: Path) -> None:
    command = f"{sys.executable} -m sfumato anonymize data.csv -p policy.yaml -o out 2>&-"
    assert run(place, "sh", "-c", command).returncode == 0
    assert run(place, "sh", "-c", command).returncode == 2
    assert sf.audit(place / "out", place / "policy.yaml").holds


@pytest.fixture
def far(place: Path) -> Path:
    """A Parquet file with a date that no calendar has."""
    days = pa.array([2**31 - 1, -(2**31), 5, 6], pa.int32()).view(pa.date32())
    pq.write_table(pa.table({"age": days, "town": ["x"] * 4, "disease": ["a", "b", "a", "b"]}), place / "far.parquet")
    text = POLICY.replace("integer", "text").replace("  disease", "  town: {role: quasi}\n  disease")
    (place / "far.yaml").write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
def test_a_date_outside_the_calendar_is_an_input_error(far: Path, role: str) -> None:
    policy = {
        "version": 1,
        "columns": {"age": {"role": role, "type": "text"}, "town": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 1, "on": "disease"}],
    }
    for source in (far / "far.parquet", pq.read_table(far / "far.parquet")):
        with pytest.raises(sf.InputError, match="column 'age': 2 cells are not in the years 1 to 9999"):
            sf.publish(source, policy=policy, seed=1)
        with pytest.raises(sf.InputError, match="column 'age': 2 cells are not in the years 1 to 9999"):
            sf.audit(source, policy)


@pytest.mark.thorough
def test_a_date_outside_the_calendar_on_the_command_line(far: Path) -> None:
    for arguments in (("anonymize", "far.parquet", "-o", "out"), ("audit", "far.parquet")):
        done = run(far, sys.executable, "-m", "sfumato", *arguments, "-p", "far.yaml")
        assert done.returncode == 2
        assert "column 'age'" in done.stderr
        assert "panicked" not in done.stderr
        assert "Traceback" not in done.stderr


def test_a_time_zone_that_does_not_exist_is_an_input_error() -> None:
    when = pa.array([1, 2], pa.int64()).view(pa.timestamp("us", "Nowhere/Else"))
    policy = {
        "version": 1,
        "columns": {"when": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(sf.InputError, match="cells or types that cannot be read"):
        sf.publish(pa.table({"when": when, "disease": ["a", "b"]}), policy=policy, seed=1)


def test_moments_in_seconds_do_not_become_others() -> None:
    when = pa.array([2**62, 2], pa.int64()).view(pa.timestamp("s"))
    policy = {
        "version": 1,
        "columns": {"when": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(sf.InputError, match="column 'when': dates outside the calendar"):
        sf.publish(pa.table({"when": when, "disease": ["a", "b"]}), policy=policy, seed=1)
