"""A release appears whole or not at all, whatever moment a run is killed at."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfumato.engine import commit
from sfumato.engine.commit import recover, require_free, staging
from sfumato.errors import InputError

posix = pytest.mark.skipif(os.name != "posix", reason="signals and modes of POSIX systems")

# Replaces the release, and kills itself at the n-th call that touches the file system.
CHILD = """
import builtins, os, pathlib, signal, sys
from pathlib import Path
target, fatal, swap = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "swap"
calls = 0
def fatal_at(function):
    def counted(*args, **kwargs):
        global calls
        calls += 1
        if calls == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)
    return counted
from sfumato.engine import commit
for name in ("replace", "fsync", "open", "mkdir", "rename", "unlink", "rmdir"):
    setattr(os, name, fatal_at(getattr(os, name)))
Path.write_text = fatal_at(Path.write_text)
if not swap:
    commit._exchange = lambda one, other: False
else:
    commit._exchange = fatal_at(commit._exchange)
with commit.staging(target) as stage:
    folder = stage.folder / "release"
    folder.mkdir()
    for name in ("table.csv", "release.json"):
        (folder / name).write_text("new " + name)
    (stage.folder / "internal.json").write_text("new manifest")
    stage.commit({"release": target, "internal.json": target.with_name("out.internal.json")})
print(calls)
"""


def old_release(place: Path) -> Path:
    target = place / "out"
    target.mkdir(parents=True)
    for name in ("table.csv", "release.json"):
        (target / name).write_text(f"old {name}", encoding="utf-8")
    (place / "out.internal.json").write_text("old manifest", encoding="utf-8")
    return target


def ages(target: Path) -> set[str]:
    """Which releases the files under the target's names belong to."""
    files = [target / "table.csv", target / "release.json", target.with_name("out.internal.json")]
    return {file.read_text(encoding="utf-8").split()[0] for file in files}


@posix
@pytest.mark.parametrize("how", ["swap", "two renames"])
def test_a_kill_at_any_moment_leaves_one_whole_release(tmp_path: Path, how: str) -> None:
    outcomes = set()
    for fatal in range(1, 200):
        place = tmp_path / str(fatal)
        target = old_release(place)
        child = subprocess.run(
            [sys.executable, "-c", CHILD, str(target), str(fatal), how], capture_output=True, text=True, timeout=60
        )
        if how == "swap":  # the folder itself is whole at every moment, before anybody recovers anything
            inside = {(target / name).read_text(encoding="utf-8").split()[0] for name in ("table.csv", "release.json")}
            assert len(inside) == 1
            assert sorted(path.name for path in target.iterdir()) == ["release.json", "table.csv"]
        for folder in place.glob(".out.sfumato-*"):  # as if the run had been killed a while ago
            os.utime(folder, (0, 0))
        recover(target)
        assert len(ages(target)) == 1, f"mixed releases after a kill at call {fatal}"
        assert sorted(path.name for path in place.iterdir()) == ["out", "out.internal.json"]
        outcomes |= ages(target)
        if child.returncode == 0:
            assert ages(target) == {"new"}
            break
        assert child.returncode == -signal.SIGKILL
    else:
        pytest.fail("the child never came to its end")
    assert outcomes == {"old", "new"}
    assert fatal > 10


def test_an_error_leaves_the_target_and_no_traces(tmp_path: Path) -> None:
    target = old_release(tmp_path)
    with pytest.raises(RuntimeError), staging(target) as stage:
        (stage.folder / "table.csv").write_text("half", encoding="utf-8")
        raise RuntimeError
    assert ages(target) == {"old"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.internal.json"]


@posix
def test_staged_files_are_private(tmp_path: Path) -> None:
    with staging(tmp_path / "out") as stage:
        assert stage.folder.stat().st_mode & 0o077 == 0
        assert stage.folder.parent == tmp_path


def test_a_live_run_is_left_alone_and_a_dead_one_is_cleaned(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with staging(target) as alive:
        recover(target)
        assert alive.folder.is_dir()
        dead = tmp_path / ".out.sfumato-dead"
        dead.mkdir(mode=0o700)
        (dead / "lock").touch()
        begun = tmp_path / ".out.sfumato-begun"
        begun.mkdir(mode=0o700)
        recover(target)
        assert not dead.exists()
        assert begun.exists(), "a run that has only just begun has no lock yet"
        os.utime(begun, (time.time() - 3600,) * 2)
        recover(target)
        assert not begun.exists()
    assert not list(tmp_path.iterdir())


def test_names_with_wildcards_do_not_reach_other_targets(tmp_path: Path) -> None:
    other = tmp_path / ".out1.sfumato-dead"
    other.mkdir(mode=0o700)
    (other / "lock").touch()
    recover(tmp_path / "out[1]")
    recover(tmp_path / "out*")
    assert other.exists()


def test_an_existing_target_is_refused_without_force(tmp_path: Path) -> None:
    target = old_release(tmp_path)
    with pytest.raises(InputError, match="--force"):
        require_free([target], force=False)
    require_free([tmp_path / "new"], force=False)


def test_a_folder_that_is_no_release_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match="not just a release"):
        require_free([tmp_path / "documents"], force=True)


def test_a_release_with_other_things_in_it_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "release.json").write_text(json.dumps({"tables": [{"file": "table.csv"}]}), encoding="utf-8")
    (target / "table.csv").touch()
    require_free([target], force=True)
    (target / "notes.txt").touch()
    with pytest.raises(InputError, match="1 other things"):
        require_free([target], force=True)


def plant(place: Path, name: str, journal: object) -> Path:
    folder = place / name
    folder.mkdir(mode=0o700)
    (folder / "lock").touch()
    (folder / "evil").write_text("planted", encoding="utf-8")
    text = journal if isinstance(journal, str) else json.dumps(journal)
    (folder / "journal.json").write_text(text, encoding="utf-8")
    return folder


def test_a_journal_reaches_nothing_but_the_names_of_its_target(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    precious = tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")
    (place / "other").write_text("mine", encoding="utf-8")
    for index, (staged, goal) in enumerate(
        [("evil", "../precious"), ("evil", str(precious)), ("evil", "other"), ("../other", "out"), ("..", "out")]
    ):
        folder = place / f".out.sfumato-{index}"
        inode = 0
        plant(place, folder.name, {})
        inode = (folder / staged).stat().st_ino
        moves = [{"staged": staged, "target": goal, "inode": inode}]
        (folder / "journal.json").write_text(json.dumps({"moves": moves}), encoding="utf-8")
        recover(place / "out")
        assert not folder.exists()
    assert precious.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in place.iterdir()] == ["other"]


@pytest.mark.parametrize("journal", ["{", "[]", "{}", '{"moves": [{}]}', '{"moves": [{"staged": 1}]}'])
def test_a_broken_journal_is_cleaned_away(tmp_path: Path, journal: str) -> None:
    plant(tmp_path, ".out.sfumato-broken", journal)
    recover(tmp_path / "out")
    assert not list(tmp_path.iterdir())


@posix
def test_a_staging_folder_that_others_could_write_is_not_trusted(tmp_path: Path) -> None:
    folder = plant(tmp_path, ".out.sfumato-open", {"moves": []})
    folder.chmod(0o777)
    link = tmp_path / ".out.sfumato-link"
    link.symlink_to(folder)
    recover(tmp_path / "out")
    assert folder.exists()
    assert link.is_symlink()


def test_a_finished_move_is_not_made_again(tmp_path: Path) -> None:
    """After the exchange the old release lies in the staging folder; it must not come back."""
    folder = plant(tmp_path, ".out.sfumato-done", {})
    (folder / "release").mkdir()
    moves = [{"staged": "release", "target": "out", "inode": (folder / "release").stat().st_ino + 1}]
    (folder / "journal.json").write_text(json.dumps({"moves": moves}), encoding="utf-8")
    recover(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@posix
@pytest.mark.parametrize("how", ["out", "out.csv"])
def test_an_interrupt_between_the_moves_does_not_tear_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    real, calls = Path.replace, 0

    def interrupted(self: Path, goal: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls == 3:  # the draft of the journal, the first name, and then a person loses patience
            raise KeyboardInterrupt
        return real(self, goal)

    (tmp_path / "one").write_text("old", encoding="utf-8")
    target = tmp_path / how
    names = [target, tmp_path / "out.internal.json"]
    for name in names:
        name.write_text("old", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), staging(target) as stage:
        for name in names:
            (stage.folder / name.name).write_text("new", encoding="utf-8")
        monkeypatch.setattr(Path, "replace", interrupted)
        stage.commit({name.name: name for name in names})
    assert {name.read_text(encoding="utf-8") for name in names} == {"new"}
    assert not list(tmp_path.glob(".*"))


def test_the_exchange_is_used_where_the_system_has_it(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / folder.name).touch()
    if not commit._exchange(one, other):
        pytest.skip("this system cannot exchange two paths")
    assert (one / "other").exists()
    assert (other / "one").exists()
