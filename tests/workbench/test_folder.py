"""What the workbench keeps lies in one private folder, under names of ours, and goes with it, whatever ends it."""

from __future__ import annotations

import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.workbench.folder import PrivateFolder, sweep
from tests.support.examples import some
from tests.support.workbench import Served, Visitor

TABLE = b"zip,age,disease\n" + b"".join(b"0%d,%d,%s\n" % (1000 + at, 20 + at, b"ab"[at % 2 :][:1]) for at in range(40))


def opened(served: Served) -> Visitor:
    """A table was sent, and is looked at."""
    visitor = served.entered()
    assert visitor.send("/open", "../../secret name.csv", TABLE).status == 303
    visitor.until("/data", "What is each column?")
    return visitor


def gone(path: Path, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    return not path.exists()


def test_names_are_ours_and_nobody_else_can_read(serving: Callable[..., Served]) -> None:
    served = serving("--language", "en")
    visitor = opened(served)
    folder, *files = served.kept()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert files and not any("secret" in file.name or "name" in file.name for file in files)
    sent = [file for file in files if file.is_file() and file.read_bytes() == TABLE]
    assert len(sent) == 1
    assert {stat.S_IMODE(file.stat().st_mode) for file in files if file.is_file()} == {0o600}
    assert "secret name.csv" in visitor.get("/data").text  # the person sees the name that they gave
    assert not [*served.temporary.parent.rglob("*secret*")]


@pytest.mark.thorough
def test_another_table_takes_the_place_of_the_first(serving: Callable[..., Served]) -> None:
    served = serving("--language", "en")
    visitor = opened(served)
    assert visitor.send("/open", "other.csv", TABLE.replace(b"zip", b"plz")).status == 303
    visitor.until("/data", "What is each column?")
    tables = [file for file in served.kept() if file.is_file() and b"disease" in file.read_bytes()]
    assert len(tables) == 1 and tables[0].read_bytes().startswith(b"plz")


@pytest.mark.parametrize("number", some([signal.SIGTERM, signal.SIGINT]), ids=lambda number: number.name)
def test_nothing_is_left_when_it_is_told_to_end(serving: Callable[..., Served], number: signal.Signals) -> None:
    served = serving()
    opened(served)
    folder = served.kept()[0]
    served.process.send_signal(number)
    served.process.wait(30)
    assert not folder.exists()
    assert not [*served.temporary.iterdir()]


@pytest.mark.thorough
def test_what_a_kill_leaves_goes_with_the_next_start(serving: Callable[..., Served]) -> None:
    """The worker that lost its server ends by itself; what it kept is removed by whoever comes next."""
    served = serving()
    opened(served)
    folder = served.kept()[0]
    workers = children(served.process.pid)
    assert workers
    served.process.send_signal(signal.SIGKILL)
    served.process.wait(30)
    assert folder.exists()
    assert all(gone(Path("/proc", str(worker))) for worker in workers)
    serving()
    assert not folder.exists()


@pytest.mark.thorough
def test_a_living_one_is_left_alone(serving: Callable[..., Served]) -> None:
    first = serving("--language", "en")
    visitor = opened(first)
    folder = first.kept()[0]
    serving()
    assert folder.exists()
    assert visitor.get("/columns").status == 200


def test_only_our_folders_are_swept(tmp_path: Path) -> None:
    other = tmp_path / "sfumato-workbench"
    other.mkdir()
    linked = tmp_path / "sfumato-workbench-link"
    linked.symlink_to(other)
    file = tmp_path / "sfumato-workbench-file"
    file.write_text("mine")
    left = tmp_path / "sfumato-workbench-left"
    left.mkdir()
    living = PrivateFolder.made(tmp_path)
    assert not left.exists()
    sweep(tmp_path)
    assert other.exists() and linked.is_symlink() and file.exists() and living.path.exists()
    living.remove()
    assert not living.path.exists()


def test_a_file_is_gone_if_writing_it_fails(tmp_path: Path) -> None:
    folder = PrivateFolder.made(tmp_path)
    path = folder.new("sent", ".csv")
    with pytest.raises(RuntimeError), folder.writing(path) as file:
        file.write(b"half")
        raise RuntimeError
    assert not path.exists()
    with folder.writing(path) as file:
        file.write(b"whole")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    folder.remove()


def children(process: int) -> list[int]:
    """Processes that it started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(place.parent.name))
    return found
