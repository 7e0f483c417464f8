"""Replacements of a release that were begun and not finished: found and told, never carried out."""

from __future__ import annotations

import json
from pathlib import Path

from sfumato.release.moves import JOURNAL, staging_names

__all__ = ["unfinished"]


def unfinished(release: Path) -> list[str]:
    """What is wrong with a release on disk because a run stopped, or is at work, while it put another in its place.

    A journal lies in the run's folder while names change. If none was changed yet, or all were, one release stands
    there whole, and nothing is wrong with it; otherwise names of two releases may stand side by side.
    """
    found = [counts for folder in _folders(release) if (counts := _made(folder)) is not None]
    return [
        f"a run put {made} of {total} names in place here and stopped, or is still at work: files of two releases may"
        " stand side by side. `sfumato anonymize` with --force undoes that and publishes anew"
        for made, total in found
        if 0 < made < total
    ]


def _folders(release: Path) -> list[Path]:
    """Staging folders beside a release, or beside the folder of a table."""
    places = [release.absolute(), *([release.absolute().parent] if release.is_file() else [])]
    try:
        return [
            path
            for place in places
            for path in sorted(place.parent.iterdir())
            if path.name.startswith(staging_names(place.name))
        ]
    except OSError:
        return []


def _made(folder: Path) -> tuple[int, int] | None:
    """How many moves of a journal are made, and of how many; None if there is none that this user may read."""
    try:
        moves = json.loads((folder / JOURNAL).read_text(encoding="utf-8"))["moves"]
        steps = [(folder / move["staged"], folder.parent / move["target"], move["inode"]) for move in moves]
        gone = [not (staged.exists() and staged.stat().st_ino == inode) for staged, _, inode in steps]
        there = [goal.exists() and goal.stat().st_ino == inode for _, goal, inode in steps]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return sum(one or other for one, other in zip(gone, there, strict=True)), len(steps)
