"""Who is at work: a file that a living run holds, and a folder in which one run at a time decides."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["alone", "held"]


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No other run decides about names in this folder meanwhile, where the system can lock a folder."""
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


def held(file: IO[bytes]) -> bool:
    """Hold a file for this run until it is closed; False if another one does."""
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
