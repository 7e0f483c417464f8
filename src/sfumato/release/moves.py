"""Moves of staged names to their places, each of which can be taken back until all of them are made.

What stood in a place is kept in the staging folder until the end: under the staged name where the system exchanges two
names in one step, else beside it. So every state that a kill can leave is told from the files alone, and undone.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from sfumato.errors import InputError

__all__ = [
    "JOURNAL",
    "Move",
    "State",
    "before",
    "make",
    "planned",
    "read_moves",
    "staging_names",
    "state_of",
    "to_text",
    "undo",
]

JOURNAL = "journal.json"
"""In a staging folder: the moves by which its files get to their places, from when they begin until they are made."""

State = Literal["begun", "half", "done"]


def staging_names(target: str) -> str:
    """How the names of staging folders begin that lie beside a target of this name."""
    return f".{target}.sfumato-"


@dataclass(frozen=True)
class Move:
    """From a name in the staging folder to a name beside it.

    inode, sha256   of what was staged: whether a name leads to it
    replaced        whether something stood in the place
    """

    staged: str
    target: str
    inode: int
    sha256: str
    replaced: bool


@dataclass(frozen=True)
class _Paths:
    """Where a move goes, and where what it replaces is kept."""

    staged: Path
    goal: Path
    aside: Path

    @classmethod
    def of(cls, move: Move, folder: Path) -> _Paths:
        staged = folder / move.staged
        return cls(staged, folder.parent / move.target, staged.with_name(f"{staged.name}-replaced"))

    def kept(self, move: Move) -> Path | None:
        """Where what stood in the place lies now, if it no longer stands there."""
        if self.aside.exists():
            return self.aside
        return self.staged if self.staged.exists() and not _is(self.staged, move) else None


def planned(folder: Path, moves: Mapping[str, Path]) -> tuple[Move, ...]:
    """The moves of staged names, as they will be found after a kill."""
    return tuple(
        Move(name, goal.name, (folder / name).stat().st_ino, _digest(folder / name), goal.exists())
        for name, goal in moves.items()
    )


def to_text(moves: Sequence[Move]) -> str:
    """The journal of these moves."""
    return json.dumps({"moves": [asdict(move) for move in moves]})


def read_moves(journal: Path, allowed: Iterable[str]) -> tuple[Move, ...]:
    """What a journal says: from plain names to names that are allowed, no others; none if it is no journal of ours."""
    try:
        found = [Move(**move) for move in json.loads(journal.read_text(encoding="utf-8"))["moves"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ()
    names = set(allowed)
    return tuple(
        move
        for move in found
        if isinstance(move.staged, str)
        and isinstance(move.target, str)
        and move.target in names
        and Path(move.staged).name == move.staged
        and move.staged not in ("", ".", "..")
    )


def state_of(moves: Sequence[Move], folder: Path) -> State:
    """Whether no move is made and every place as it was, all of them, or neither."""
    paths = [_Paths.of(move, folder) for move in moves]
    made = [_is(path.goal, move) for move, path in zip(moves, paths, strict=True)]
    if all(made):
        return "done"
    whole = all(path.goal.exists() or path.kept(move) is None for move, path in zip(moves, paths, strict=True))
    return "begun" if whole and not any(made) else "half"


def before(moves: Sequence[Move], folder: Path) -> dict[Path, Path | None]:
    """Per place that is not as it was: where that lies which stood there, or None if nothing did."""
    found: dict[Path, Path | None] = {}
    for move in moves:
        path = _Paths.of(move, folder)
        if _is(path.goal, move) or not path.goal.exists():
            found[path.goal] = path.kept(move)
    return found


def make(moves: Sequence[Move], folder: Path) -> None:
    """Make every move that is not made yet."""
    for move in moves:
        path = _Paths.of(move, folder)
        if not _same_file(path.goal, move):
            _put(path.staged, path.goal, path.aside)


def undo(moves: Sequence[Move], folder: Path) -> None:
    """Take back every move that was made, the last one first; what was there before is there again."""
    for move in reversed(moves):
        path = _Paths.of(move, folder)
        kept = path.kept(move)
        if path.goal.exists() and not _is(path.goal, move):
            continue  # not made, or taken back already, or somebody's own since then
        if kept is None and move.replaced and path.goal.exists():
            raise InputError(f"{path.goal}: what stood there before a killed run is not found; move it away by hand")
        if kept is None:
            if path.goal.exists():
                path.goal.replace(path.staged)
        elif not path.goal.exists() or path.goal.is_file():
            kept.replace(path.goal)
        elif not _exchange(kept, path.goal):
            path.goal.replace(path.staged.with_name(f"{path.staged.name}-undone"))
            kept.replace(path.goal)


def _put(staged: Path, goal: Path, aside: Path) -> None:
    """Put what is staged in its place; what stood there is kept."""
    if not goal.exists():
        staged.replace(goal)
    elif not _exchange(staged, goal):
        if goal.is_dir():
            goal.replace(aside)
        else:
            _keep(goal, aside)
        staged.replace(goal)


def _keep(file: Path, aside: Path) -> None:
    """Give a file a second name, or where the file system has no such thing, a copy."""
    try:
        os.link(file, aside)
    except (OSError, NotImplementedError):
        draft = aside.with_name(f"{aside.name}.draft")
        shutil.copy2(file, draft)
        draft.replace(aside)


def _same_file(path: Path, move: Move) -> bool:
    return path.exists() and path.stat().st_ino == move.inode


def _is(path: Path, move: Move) -> bool:
    """Whether a name leads to what was staged: a number alone may be used again for somebody's own file."""
    return _same_file(path, move) and _digest(path) == move.sha256


def _digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests in a folder."""
    if path.is_dir():
        inside = sorted((below.name, _digest(below)) for below in path.iterdir())
        return hashlib.sha256(json.dumps(inside).encode()).hexdigest()
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
