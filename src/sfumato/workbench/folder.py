"""The private folder of one workbench: everything that it keeps lies there, and goes with it.

The folder is its owner's alone (0700), and so is every file (0600); names are chosen here, never by whoever sends a
file. A living workbench holds a file in it. The next one to start removes folders that nobody holds: what a kill left.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sfumato.release.locks import alone, held

__all__ = ["PrivateFolder", "sweep"]

_PREFIX = "sfumato-workbench-"
_LOCK = "held"


@dataclass(frozen=True)
class PrivateFolder:
    """A folder of one's own under the system's place for temporary files, held until it is removed."""

    path: Path
    lock: IO[bytes]

    @classmethod
    def made(cls, within: Path | None = None) -> PrivateFolder:
        """A new one, after those that nobody holds any more were removed."""
        place = Path(tempfile.gettempdir()) if within is None else within
        with alone(place):
            sweep(place)
            path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
            lock = os.fdopen(os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "r+b")
            held(lock)
        return cls(path, lock)

    def new(self, kind: str, suffix: str = "") -> Path:
        """A name for a file that is not there yet; `kind` and `suffix` are ours."""
        return self.path / f"{kind}-{secrets.token_hex(4)}{suffix}"

    @contextlib.contextmanager
    def writing(self, path: Path) -> Iterator[IO[bytes]]:
        """A new file that only its owner can read; gone again if writing fails."""
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                yield file
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def remove(self) -> None:
        """All of it."""
        self.lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove folders that a workbench of the same user left there when it was killed."""
    for folder in place.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or not folder.is_dir() or not _ours(folder):
                continue
            if not _living(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _living(folder: Path) -> bool:
    """Whether a workbench holds it."""
    try:
        with (folder / _LOCK).open("r+b") as lock:
            return not held(lock)
    except FileNotFoundError:
        return False
