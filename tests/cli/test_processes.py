"""Commands as processes of their own: killed, without room, several at once, and with nobody to print to."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

import sfumato as sf
from tests.support.command import Cli, files
from tests.support.examples import examples, some


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("more", "unbuffered"), some(product(((), ("--json",)), ("", "1"))))
def test_a_release_whose_summary_cannot_be_printed_is_not_denied(
    place: Path, more: tuple[str, ...], unbuffered: str
) -> None:
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", *more]
    with Path("/dev/full").open("w") as full:
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, env=environment)
    assert done.returncode == 1
    assert "written to out" in done.stderr
    assert "Traceback" not in done.stderr
    assert sf.audit(place / "out", place / "policy.yaml").holds


@pytest.mark.thorough
def test_two_runs_on_one_free_target_make_one_release(place: Path) -> None:
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q"]
    runs = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(examples(3, fewest=2))
    ]
    assert sorted(run.wait(timeout=120) for run in runs) == [0, *[2] * (len(runs) - 1)]
    assert sf.audit(place / "out", place / "policy.yaml").holds


@pytest.mark.thorough
def test_a_ragged_file_ends_in_an_error_and_never_in_an_abort(place: Path) -> None:
    """Seen: a process that ended with an abort, at random, after the message."""
    (place / "ragged.csv").write_text("age,zip,disease\n30,02000,a\n31\n32,02001\n", encoding="utf-8")
    command = [sys.executable, "-m", "sfumato", "anonymize", "ragged.csv", "-p", "policy.yaml", "-o", "out"]
    for _ in range(examples(6, fewest=2)):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 2
        assert "line 3 has 1 field, the header has 3; 2 rows in all" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
def test_a_kill_in_the_middle_leaves_the_old_release_whole(place: Path, cli: Cli) -> None:
    """Real runs, killed at random moments: out/ stays whole, and the next run cleans up."""
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force"]
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    whole_run = time.monotonic() - began
    moments = random.Random(7)
    killed = 0
    for share in some((0.3, 0.6, 0.8, 0.9, 0.95, 1.0), kind=lambda share: share > 0.85):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole_run * share * moments.uniform(0.9, 1.0))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert sf.audit(place / "out", place / "policy.yaml").holds
        assert sorted(path.name for path in (place / "out").iterdir()) == ["release.json", "table.csv"]
    assert killed
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force", "-q").code == 0
    assert not [path for path in place.iterdir() if path.name.startswith(".out.sfumato-") and (path / "lock").exists()]


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX systems")
def test_a_disk_without_room_leaves_the_old_release_whole(place: Path, cli: Cli) -> None:
    """The system refuses files beyond a size, as a full disk does, at ever later moments."""
    import resource

    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    before = files(place)
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force"]
    for room in some((0, 200, 1500), kind=bool):

        def small(limit: int = room) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=small)
        assert done.returncode == 1
        assert "cannot be written" in done.stderr or "File too large" in done.stderr
        assert files(place) == before
