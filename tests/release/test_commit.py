"""A release appears whole or not at all, whatever moment a run is killed at."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from functools import partial
from itertools import product
from operator import itemgetter
from pathlib import Path

import pytest

from sfumato.errors import InputError, SfumatoWarning
from sfumato.release import commit, moves
from sfumato.release.commit import half_done, recover, staging
from sfumato.release.file_target import FileTarget
from tests.support.examples import some
from tests.support.killed import KINDS, SYSTEMS, age, fork, killed_at, make_system, put, shown

posix = pytest.mark.skipif(os.name != "posix", reason="signals and modes of POSIX systems")


@pytest.fixture(autouse=True)
def no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are killed here, machines are not; waiting for the disk would take most of the time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


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


def long_ago(place: Path) -> None:
    """As if every killed run had been killed a while ago."""
    for folder in place.glob(".out*.sfumato-*"):
        os.utime(folder, (0, 0))


@pytest.mark.thorough
@posix
@pytest.mark.parametrize(
    ("system", "fresh", "name"), some(product(SYSTEMS, (True, False), KINDS), kind=itemgetter(0, 1))
)
def test_a_kill_at_any_moment_leaves_nothing_half_done(tmp_path: Path, name: str, fresh: bool, system: str) -> None:
    """The next run never finishes what a dead one wanted; one that is refused has changed nothing."""
    states, refused = set(), 0
    for fatal in range(1, 300):
        place = tmp_path / str(fatal)
        place.mkdir()
        target = place / name
        if not fresh:
            put(FileTarget.at(target), "old")
        before = shown(place)
        ended = fork(partial(killed_at, fatal, target, "dead", not fresh, system))
        if system == "swap" and name == "out" and target.exists():  # the folder is whole at every moment
            assert len(age(target)) == 1
        left = shown(place)
        long_ago(place)
        halves = half_done(target)
        states.add("half" if halves else "old" if left == before else "new")

        try:  # another policy, and no leave to replace anything
            put(FileTarget.at(target), "other")
        except InputError as error:
            refused += 1
            assert "nothing was changed" in str(error)
            assert shown(place) == left
        else:
            assert fresh
            assert left == {}
            assert age(target) == {"other"}
        if halves:
            with pytest.warns(SfumatoWarning, match="was undone"):
                put(FileTarget.at(target, force=True), "third")
        else:
            put(FileTarget.at(target, force=True), "third")
        assert age(target) == {"third"}
        assert not list(place.glob(".*"))
        if ended == 0:
            break
    else:
        pytest.fail("the child never came to its end")
    assert states == {"old", "half", "new"}
    assert refused > 3
    assert fatal > 10


@pytest.mark.thorough
@posix
@pytest.mark.parametrize(("system", "name"), some(product(SYSTEMS, KINDS), kind=itemgetter(0)))
def test_what_is_undone_is_what_stood_there_whenever_the_undoing_is_killed(
    tmp_path: Path, name: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_system(system, monkeypatch)
    halves = 0
    for fatal in range(1, 300):
        place = tmp_path / str(fatal)
        place.mkdir()
        target = place / name
        put(FileTarget.at(target), "old")
        before = shown(place)
        ended = fork(partial(killed_at, fatal, target, "dead", True, system))
        long_ago(place)
        if ended == 0:
            break
        if not half_done(target):
            continue
        halves += 1
        if halves > 1:  # what is left to move differs from here on, what is undone does not
            break
        for again in range(1, 30):
            copy = tmp_path / f"{fatal}-{again}"
            copy.mkdir()
            twin = copy / name
            put(FileTarget.at(twin), "old")
            fork(partial(killed_at, fatal, twin, "dead", True, system))
            long_ago(copy)
            done = fork(partial(killed_at, again, twin, "second", True, system))
            long_ago(copy)
            for dead in half_done(twin):
                with pytest.warns(SfumatoWarning, match="undone"):
                    commit._undo(dead, twin)
            assert shown(copy) == before or age(twin) == {"second"}, (fatal, again)
            if done == 0:
                break
    assert halves


@posix
@pytest.mark.parametrize("force", [True, False])
@pytest.mark.parametrize("name", KINDS)
def test_runs_at_the_same_time_do_not_fail_on_each_other(tmp_path: Path, name: str, force: bool) -> None:
    """Processes and threads that write to one target, with leftovers of dead runs about."""
    target = tmp_path / name
    put(FileTarget.at(target), "old")
    failed: list[BaseException] = []

    def busy(words: str) -> None:
        for turn in range(12):
            dead = target.parent / f".{name}.sfumato-{words}{turn}"
            dead.mkdir(mode=0o700)
            (dead / "table.csv").touch()
            (dead / "lock").write_text("held", encoding="utf-8")
            if force:
                put(FileTarget.at(target, force=True), f"{words}{turn}")
                continue
            with pytest.raises(InputError, match="nothing was changed"):
                put(FileTarget(target, None, force=False), f"{words}{turn}")

    def thread(words: str) -> None:
        try:
            busy(words)
        except BaseException as error:
            failed.append(error)

    children = [fork(partial(busy, f"child{at}x"), wait=False) for at in range(3)]
    threads = [threading.Thread(target=thread, args=(f"thread{at}x",)) for at in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert not failed
    assert len(age(target)) == 1
    recover(target)
    assert not list(tmp_path.glob(".*"))


@posix
def test_what_cannot_be_removed_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = plant(tmp_path, ".out.sfumato-stuck", "{}")

    def stuck(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(shutil, "rmtree", stuck)
    with pytest.warns(SfumatoWarning, match="sfumato-stuck: was left by a run and cannot be removed"):
        recover(tmp_path / "out")
    assert dead.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="giving a folder away needs root")
def test_a_folder_of_another_user_is_reported_and_not_obeyed(tmp_path: Path) -> None:
    dead = plant(tmp_path, ".out.sfumato-theirs", {"moves": []})
    os.chown(dead, 65534, 65534)
    with pytest.warns(SfumatoWarning, match="sfumato-theirs: was left by a run and belongs to another user"):
        put(FileTarget.at(tmp_path / "out"), "mine")
    assert age(tmp_path / "out") == {"mine"}
    assert dead.exists()


def test_a_move_that_fails_is_taken_back_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KINDS:
        place = tmp_path / name / "in"
        place.mkdir(parents=True)
        target = place / name
        put(FileTarget.at(target), "old")
        before = shown(place)
        real = moves._put

        def full(staged: Path, goal: Path, aside: Path, real=real) -> None:  # type: ignore[no-untyped-def]
            if goal.name.endswith(".internal.json"):
                raise OSError(28, "No space left on device")
            real(staged, goal, aside)

        monkeypatch.setattr(moves, "_put", full)
        with pytest.raises(OSError, match="No space"):
            put(FileTarget.at(target, force=True), "new")
        monkeypatch.undo()
        assert shown(place) == before
        assert not list(place.glob(".*"))


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
        (dead / "lock").write_text("held", encoding="utf-8")
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


def plant(place: Path, name: str, journal: object) -> Path:
    folder = place / name
    folder.mkdir(mode=0o700)
    (folder / "lock").write_text("held", encoding="utf-8")
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
        move = {"staged": staged, "target": goal, "inode": inode, "sha256": "", "replaced": False}
        (folder / "journal.json").write_text(json.dumps({"moves": [move]}), encoding="utf-8")
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
    with pytest.warns(SfumatoWarning, match="others can write to it"):
        recover(tmp_path / "out")
    assert folder.exists()
    assert link.is_symlink()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("fatal", [1, 2])
def test_an_interrupt_between_the_moves_does_not_tear_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, fatal: int
) -> None:
    put(FileTarget.at(tmp_path / name), "old")
    real, calls = moves._put, 0

    def interrupted(staged: Path, goal: Path, aside: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == fatal:  # a person loses patience
            raise KeyboardInterrupt
        real(staged, goal, aside)

    monkeypatch.setattr(moves, "_put", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(FileTarget.at(tmp_path / name, force=True), "new")
    assert age(tmp_path / name) == {"new"}
    assert not list(tmp_path.glob(".*"))


def test_the_exchange_is_used_where_the_system_has_it(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / folder.name).touch()
    if not moves._exchange(one, other):
        pytest.skip("this system cannot exchange two paths")
    assert (one / "other").exists()
    assert (other / "one").exists()
