"""Put a release in place whole, or not at all.

Files are written to a staging folder beside the target (same file system, readable by its owner only), audited there,
and then moved. The decision to move is one small file, the journal: before it exists an interrupted run leaves the
target as it was, after it the moves are finished by whoever comes next. A directory is exchanged with the one it
replaces in a single step where the system can, so that at every moment one whole release stands under its name.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sfumato.errors import InputError

__all__ = ["Staging", "recover", "require_free", "staging"]

_JOURNAL = "journal.json"
_BEGINNING = 60.0  # seconds that a run may take from making its folder to locking it


@dataclass(frozen=True)
class Staging:
    """A private folder for the files of one release."""

    folder: Path
    target: Path

    def commit(self, moves: Mapping[str, Path], check: Callable[[], None] = lambda: None) -> None:
        """Move staged names to their targets: all of them, even if this process dies half way.

        `check` may still refuse; no other run on the same target comes between it and the moves.
        """
        for name in moves:
            _sync_tree(self.folder / name)
        journal = {
            "moves": [
                {"staged": name, "target": target.name, "inode": (self.folder / name).stat().st_ino}
                for name, target in moves.items()
            ]
        }
        draft = self.folder / f"{_JOURNAL}.draft"
        draft.write_text(json.dumps(journal), encoding="utf-8")
        _sync(draft)
        with _alone(self.target.parent):
            check()
            self._decide(draft)
            try:
                _finish(self.folder, self.target)
            except BaseException:  # an interrupt, perhaps: what is decided is finished first
                _finish(self.folder, self.target)
                raise
            finally:
                if not list(_open_moves(self.folder, self.target)):
                    (self.folder / _JOURNAL).unlink()

    def _decide(self, draft: Path) -> None:
        """Put the journal in force, or leave none."""
        journal = self.folder / _JOURNAL
        draft.replace(journal)
        try:
            _sync(self.folder)
        except OSError:
            journal.unlink()
            raise


@contextlib.contextmanager
def staging(target: Path) -> Iterator[Staging]:
    """A staging folder for a target; gone afterwards, whatever happens. Left-overs of killed runs are settled first."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover(target)
        folder = target.parent / f"{_prefix(target)}{secrets.token_hex(6)}"
        folder.mkdir(mode=0o700)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise InputError(f"{target}: nothing can be written there ({error.strerror})") from None
    lock = (folder / "lock").open("wb")
    try:
        if not _lock(lock):
            raise InputError(f"{target}: another run is at work on it; try again")
        yield Staging(folder, target)
    finally:
        lock.close()
        if not (folder / _JOURNAL).exists():  # else the next run finishes what could not be finished here
            shutil.rmtree(folder, ignore_errors=True)


def recover(target: str | Path) -> None:
    """Settle what killed runs left beside a target: finish decided moves, remove undecided files."""
    target = Path(target)
    if not target.parent.is_dir():
        return
    for folder in sorted(target.parent.glob(f"{_escaped(_prefix(target))}*")):
        if not _is_ours(folder):
            continue
        try:
            with (folder / "lock").open("r+b") as lock:
                if not _lock(lock):
                    continue  # its run is alive
                if (folder / _JOURNAL).exists():
                    _finish(folder, target)
        except FileNotFoundError:  # killed before the lock was made, settled by another run, or only just begun
            if not folder.exists() or time.time() - folder.stat().st_mtime < _BEGINNING:
                continue
        shutil.rmtree(folder, ignore_errors=True)


def _prefix(target: Path) -> str:
    return f".{target.name}.sfumato-"


def _escaped(text: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


def _is_ours(folder: Path) -> bool:
    """A folder that this user made for staging: a stranger's could hold anything, a journal included."""
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode):
        return False
    return os.name != "posix" or (facts.st_uid == os.geteuid() and stat.S_IMODE(facts.st_mode) == 0o700)


def _finish(folder: Path, target: Path) -> None:
    """Carry out what is left of the journal."""
    for staged, goal in _open_moves(folder, target):
        if staged.is_dir() and goal.exists():
            _swap(staged, goal)
        else:
            staged.replace(goal)
    with contextlib.suppress(OSError):  # everything is in place; a power cut now would cost the new names at most
        _sync(folder.parent)


def _open_moves(folder: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """The moves that are still to be made: what was staged for them is still there."""
    for staged, goal, inode in _moves(folder, target):
        if staged.exists() and staged.stat().st_ino == inode:
            yield staged, goal


def _moves(folder: Path, target: Path) -> Iterator[tuple[Path, Path, int]]:
    """What the journal says: from a name in the folder to one of the names that belong to the target, no other."""
    allowed = {target.name, f"{target.name}.internal.json"}
    allowed |= {target.with_suffix(ending).name for ending in (".release.json", ".internal.json")}
    try:
        moves = [
            (str(move["staged"]), str(move["target"]), int(move["inode"]))
            for move in json.loads((folder / _JOURNAL).read_text(encoding="utf-8"))["moves"]
        ]
    except (ValueError, KeyError, TypeError):
        return  # not a journal of ours
    for staged, goal, inode in moves:
        if goal in allowed and Path(staged).name == staged and staged not in ("", ".", ".."):
            yield folder / staged, folder.parent / goal, inode


def _swap(staged: Path, target: Path) -> None:
    """Exchange two paths in one step; where the system cannot, in two."""
    if _exchange(staged, target):
        return
    aside = staged.with_name(f"{staged.name}-replaced")
    target.replace(aside)
    try:
        staged.replace(target)
    except OSError:
        aside.replace(target)
        raise


def _exchange(one: Path, other: Path) -> bool:
    """``renameat2(RENAME_EXCHANGE)`` on Linux, ``renamex_np(RENAME_SWAP)`` on macOS; False if there is neither."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            here = -100  # AT_FDCWD
            return bool(libc.renameat2(here, os.fsencode(one), here, os.fsencode(other), 2) == 0)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(os.fsencode(one), os.fsencode(other), 2) == 0)
    except (OSError, AttributeError, TypeError):
        pass
    return False


def _sync_tree(path: Path) -> None:
    """Make a staged file, or folder with its files, survive a power cut."""
    for below in path.iterdir() if path.is_dir() else ():
        _sync(below)
    _sync(path)


def _sync(path: Path) -> None:
    """Make a file, or the list of names in a folder, survive a power cut."""
    if path.is_dir() and os.name != "posix":
        return  # folders cannot be opened there
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No other run commits to this folder meanwhile, where the system can lock a folder."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems cannot
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _lock(file: IO[bytes]) -> bool:
    """Hold a file for this process; False if another one does."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def require_free(targets: Iterable[Path], force: bool) -> None:
    """Refuse existing targets unless they may be replaced; a folder that is not a release is never replaced."""
    for target in targets:
        if target.is_symlink():
            raise InputError(f"{target} is a link; name the file or folder that it leads to")
        if not target.exists():
            continue
        if target.is_dir() and target.suffix in (".json", ".csv", ".parquet"):
            raise InputError(f"{target} is a folder, where a file of the release has to go; choose another name")
        if not force:
            raise InputError(f"{target} exists; nothing was changed. Use --force (force=True) to replace it whole")
        if target.is_dir() and (strangers := _strangers(target)):
            raise InputError(
                f"{target} is not just a release: {strangers} other things in it would be lost; choose another name"
            )


def _strangers(folder: Path) -> int:
    """How many entries of a folder are not part of the release that it holds."""
    try:
        document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
        files = {"release.json", *(table["file"] for table in document["tables"])}
    except (OSError, ValueError, KeyError, TypeError):
        files = set()
    return sum(entry.name not in files or not entry.is_file() for entry in folder.iterdir())
