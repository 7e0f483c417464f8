"""The internal manifest of a release in a database or a storage: a file, while the release is not.

No system changes a file and one of these in one step. So the manifest is written beside its place under a name of its
own before the release appears, and gets its place after. A run that was killed in between is told by digests: the next
one gives the manifest that belongs to what stands there its place, and removes any other.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sfumato.errors import InputError
from sfumato.release.commit import sync
from sfumato.release.document_bytes import read_manifest, to_bytes
from sfumato.release.documents import Manifest
from sfumato.release.locks import held

__all__ = ["Pending", "is_at_work", "require_replaceable", "settle", "waits"]


@dataclass(frozen=True)
class Pending:
    """A manifest that waits beside its place."""

    path: Path
    place: Path
    release_sha256: str
    file: IO[bytes] = field(repr=False)

    @classmethod
    def of(cls, manifest: Manifest, place: Path) -> Pending:
        """Write it, for its owner's eyes alone; it is held as long as this run lives."""
        path = place.with_name(f"{_waiting(place)}{secrets.token_hex(6)}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        except OSError as error:
            raise InputError(f"{place}: the internal manifest cannot be written there ({error.strerror})") from None
        made = cls(path, place, manifest.release_sha256, file)
        try:
            held(file)
            file.write(to_bytes(manifest))
            file.flush()
            os.fsync(file.fileno())
            sync(place.parent)
        except BaseException:
            made.remove()
            raise
        return made

    @property
    def token(self) -> str:
        """What tells this run from others; it says nothing else."""
        return self.path.name.removeprefix(_waiting(self.place))

    def put(self) -> None:
        """Give it its place, unless the next run has done so already."""
        self.file.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.replace(self.place)
            sync(self.place.parent)

    def leave(self) -> None:
        """For the next run, which knows whether it is in force."""
        self.file.close()

    def remove(self) -> None:
        self.file.close()
        self.path.unlink(missing_ok=True)


def require_replaceable(place: Path, force: bool, release_sha256: str | None) -> None:
    """Refuse what stands in the place of a manifest unless it may be replaced, and is that of what stands there."""
    if place.is_symlink() or place.is_dir():
        raise InputError(f"{place} is a link or a folder, where the internal manifest has to go; move it away")
    if not place.exists():
        return
    if not force:
        raise InputError(f"{place} exists; nothing was changed. Use --force (force=True) to replace it")
    try:
        belongs = release_sha256 in (None, read_manifest(place).release_sha256)
    except InputError:
        belongs = False
    if not belongs:
        raise InputError(f"{place} is not the manifest of what stands there; nothing was changed. Move it away")


def settle(place: Path, release_sha256: str | None) -> None:
    """Put right what killed runs left: `release_sha256` is that of the document that stands there.

    No other run may be at work on the release meanwhile; what one that lives holds is left alone.
    """
    for path in _left(place):
        with contextlib.suppress(FileNotFoundError), path.open("r+b") as file:
            if not held(file):
                continue
            try:
                belongs = read_manifest(path).release_sha256 == release_sha256
            except InputError:
                belongs = False
            if belongs:
                path.replace(place)
            else:
                path.unlink()


def waits(place: Path) -> bool:
    """Whether a manifest waits beside a place."""
    return any(True for _ in _left(place))


def is_at_work(place: Path, token: str) -> bool | None:
    """Whether the run of this token lives; None: nothing of it is here, so nobody can tell."""
    for path in _left(place):
        if path.name == _waiting(place) + token:
            with contextlib.suppress(FileNotFoundError), path.open("r+b") as file:
                return not held(file)
    return None


def _left(place: Path) -> Iterator[Path]:
    """Files of this user's that wait beside a place."""
    try:
        names = sorted(path for path in place.parent.iterdir() if path.name.startswith(_waiting(place)))
    except OSError:
        return
    for path in names:
        with contextlib.suppress(FileNotFoundError):
            facts = path.lstat()
            if stat.S_ISREG(facts.st_mode) and (os.name != "posix" or facts.st_uid == os.geteuid()):
                yield path


def _waiting(place: Path) -> str:
    return f".{place.name}.sfumato-"
