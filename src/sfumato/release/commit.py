"""Put a release in place whole, or not at all.

Files are written to a staging folder beside the target (same file system, readable by its owner only), audited there,
and then moved. A small file, the journal, says which moves were begun; what they replace is kept until all are made. A
run that is killed before the first move or after the last has left a whole release, and what lies about is removed by
the next run. One that is killed between two moves is undone by the next run that may replace what stands there, and
never finished: what a dead run wanted is not what the living one was asked for.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sfumato.errors import InputError, SfumatoWarning
from sfumato.release.locks import alone, held
from sfumato.release.moves import (
    JOURNAL,
    Move,
    before,
    make,
    planned,
    read_moves,
    staging_names,
    state_of,
    to_text,
    undo,
)

__all__ = ["HalfDone", "Staging", "half_done", "open_up", "recover", "staging", "sync"]

_BEGINNING = 60.0  # seconds that a run may take from making its folder to locking it
_TRIES = 20
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class HalfDone:
    """A replacement that was killed between two moves: its folder, its moves, and what stood where."""

    folder: Path
    moves: tuple[Move, ...]

    @property
    def before(self) -> dict[Path, Path | None]:
        """Per place that is not as it was: where that lies which stood there, or None if nothing did."""
        return before(self.moves, self.folder)


@dataclass(frozen=True)
class Staging:
    """A private folder for the files of one release."""

    folder: Path
    target: Path

    def commit(self, moves: Mapping[str, Path], check: Callable[[], None] = lambda: None) -> None:
        """Move staged names to their targets: all of them, or none.

        `check` may still refuse; no other run on the same target comes between it and the moves. What it does not
        refuse may be replaced, so a replacement that was killed half way is undone then.
        """
        for name in moves:
            _sync_tree(self.folder / name)
        with alone(self.target.parent):
            check()
            for dead in half_done(self.target):
                _undo(dead, self.target)
            plan = planned(self.folder, moves)
            draft = self.folder / f"{JOURNAL}.draft"
            draft.write_text(to_text(plan), encoding="utf-8")
            sync(draft)
            self._carry_out(plan, draft)

    def _carry_out(self, plan: tuple[Move, ...], draft: Path) -> None:
        journal = self.folder / JOURNAL
        try:
            draft.replace(journal)
            sync(self.folder)
            make(plan, self.folder)
        except OSError:
            undo(plan, self.folder)
            journal.unlink(missing_ok=True)
            raise
        except BaseException:  # an interrupt: what is begun is finished first
            if journal.exists():
                make(plan, self.folder)
            raise
        with contextlib.suppress(OSError):  # everything is in place; a power cut now would cost the new names at most
            sync(self.target.parent)
            journal.unlink()


@contextlib.contextmanager
def staging(target: Path) -> Iterator[Staging]:
    """A staging folder for a target; gone afterwards, whatever happens. What killed runs left is removed first."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover(target)
        folder, lock = _begun(target)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise
        raise InputError(f"{target}: nothing can be written there ({error.strerror})") from None
    try:
        yield Staging(folder, target)
    finally:
        with lock:
            kept = _state(folder, target) == "half"
        if not kept:  # else the next run undoes what could be neither finished nor undone here
            _remove(folder)


def _begun(target: Path) -> tuple[Path, IO[bytes]]:
    """A new folder, and the lock in it that says that its run is alive."""
    for _ in range(_TRIES):
        folder = target.parent / f"{staging_names(target.name)}{secrets.token_hex(6)}"
        folder.mkdir(mode=0o700)
        try:
            lock = _locked(folder / "lock")
        except BaseException:
            _remove(folder)
            raise
        if lock is not None:
            return folder, lock
        _remove(folder)  # another run looked at it at this very moment
    raise InputError(f"{target}: other runs are at work on it; try again")


def _locked(path: Path) -> IO[bytes] | None:
    """A new file that is held; one that is empty is not held yet."""
    lock = path.open("wb", buffering=0)
    try:
        if held(lock):
            lock.write(b"held")
            return lock
    except BaseException:
        lock.close()
        raise
    lock.close()
    return None


def recover(target: str | Path) -> None:
    """Remove what killed runs left beside a target, unless one was killed half way: `half_done` finds that.

    Nothing under the target's names changes. A folder of another user, or one that cannot be removed, is reported.
    """
    target = Path(target)
    for folder in _folders(target):
        with contextlib.suppress(FileNotFoundError):  # settled by another run meanwhile
            if not _is_ours(folder):
                _report(folder, "belongs to another user, or others can write to it")
                continue
            with _dead(folder) as dead:
                leave = not dead or _state(folder, target) == "half"
            if not leave:
                _remove(folder)


def half_done(target: Path) -> list[HalfDone]:
    """Replacements of a target that were killed between two moves."""
    found = []
    for folder in _folders(target):
        with contextlib.suppress(FileNotFoundError):
            if _is_ours(folder):
                with _dead(folder) as dead:
                    if dead and _state(folder, target) == "half":
                        found.append(HalfDone(folder, _moves(folder, target)))
    return found


def _undo(dead: HalfDone, target: Path) -> None:
    undo(dead.moves, dead.folder)
    sync(dead.folder.parent)
    _remove(dead.folder)
    warnings.warn(
        f"{target}: a run was killed while it put a release in place there; what it did was undone",
        SfumatoWarning,
        stacklevel=2,
    )


def _folders(target: Path) -> list[Path]:
    """What lies beside a target and is named like a staging folder of it."""
    begin = staging_names(target.name)
    try:
        return sorted(path for path in target.parent.iterdir() if path.name.startswith(begin))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _moves(folder: Path, target: Path) -> tuple[Move, ...]:
    """The moves in force: to the names that belong to the target, no others."""
    beside = [target.with_suffix(ending).name for ending in (".release.json", ".internal.json")]
    return read_moves(folder / JOURNAL, [target.name, f"{target.name}.internal.json", *beside])


def _state(folder: Path, target: Path) -> str:
    try:
        return state_of(_moves(folder, target), folder)
    except FileNotFoundError:
        return "none"  # no journal: nothing was decided


@contextlib.contextmanager
def _dead(folder: Path) -> Iterator[bool]:
    """Whether the run of a staging folder is over; it is held meanwhile, so that nobody else settles it."""
    young = time.time() - folder.stat().st_mtime < _BEGINNING
    try:
        lock = (folder / "lock").open("r+b")
    except FileNotFoundError:  # killed before the lock was made, or only just begun
        yield not young
        return
    with lock:
        yield held(lock) and (not young or bool(lock.read(1)))


def _is_ours(folder: Path) -> bool:
    """A folder that this user made for staging: a stranger's could hold anything, a journal included."""
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        return False
    return os.name != "posix" or (facts.st_uid == os.geteuid() and stat.S_IMODE(facts.st_mode) == 0o700)


def _remove(folder: Path) -> None:
    """Remove a staging folder, its journal first: what is half removed must not look half done."""
    for wait in (0.0, 0.05, 0.2):  # another run may be removing it too
        time.sleep(wait)
        with contextlib.suppress(OSError):
            (folder / JOURNAL).unlink(missing_ok=True)
            shutil.rmtree(folder)
        if not folder.exists():
            return
    _report(folder, "cannot be removed")


def _report(folder: Path, why: str) -> None:
    warnings.warn(
        f"{folder}: was left by a run and {why}; remove it when no run is at work on the target",
        SfumatoWarning,
        stacklevel=2,
    )


def _sync_tree(path: Path) -> None:
    """Make a staged file, or folder with its files, survive a power cut."""
    for below in path.iterdir() if path.is_dir() else ():
        sync(below)
    sync(path)


def sync(path: Path) -> None:
    """Make a file, or the list of names in a folder, survive a power cut."""
    if path.is_dir() and os.name != "posix":
        return  # folders cannot be opened there
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_up(paths: Iterable[Path]) -> None:
    """Give public files the permissions that new files have here; until now only the owner could read them."""
    mask = os.umask(0o077)
    os.umask(mask)
    for path in paths:
        path.chmod((0o777 if path.is_dir() else 0o666) & ~mask)
