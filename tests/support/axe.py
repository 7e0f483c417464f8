"""axe-core, which finds what hinders people who see, hear or move otherwise: from npm, by its digest, into the cache.

It is no part of sfumato. It comes with `npm`, or without it from the registry that ``$npm_config_registry`` names.
"""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import shutil
import subprocess
import tarfile
import tempfile
import urllib.request
from pathlib import Path

from sfumato.datasets.store import cache_folder

__all__ = ["VERSION", "AxeMissing", "axe_source"]

VERSION = "4.14.0"
_SHA256 = "2277b0a3ef47af9b52497faa3e71598e86e0a0e5e6eb295207a5657ede4709af"
_FILE = f"axe-core-{VERSION}.tgz"
_PATIENCE = 60.0  # seconds


class AxeMissing(Exception):
    """Why it cannot be had."""


def axe_source(cache: Path | None = None) -> str:
    """The script. `AxeMissing` if it cannot be had, or what came is another."""
    kept = (cache or cache_folder().parent / "browser") / _FILE
    archive = kept.read_bytes() if kept.is_file() else b""
    if not _known(archive):
        archive = _fetched()
        if not _known(archive):
            raise AxeMissing(f"npm got an axe-core {VERSION} with another SHA-256 than the known one")
        _save(archive, kept)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        member = files.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def _known(archive: bytes) -> bool:
    return hashlib.sha256(archive).hexdigest() == _SHA256


def _fetched() -> bytes:
    registry = next((url for name, url in os.environ.items() if name.lower() == "npm_config_registry"), "")
    try:
        if registry:
            with urllib.request.urlopen(f"{registry.rstrip('/')}/axe-core/-/{_FILE}", timeout=_PATIENCE) as answer:
                return bytes(answer.read())
        return _packed()
    except (OSError, subprocess.SubprocessError) as error:
        raise AxeMissing(f"axe-core {VERSION} could not be downloaded ({error.__class__.__name__})") from None


def _packed() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise AxeMissing("axe-core comes from npm: install npm, or set $npm_config_registry")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", "--pack-destination", folder, f"axe-core@{VERSION}"]
        subprocess.run(command, cwd=folder, capture_output=True, timeout=_PATIENCE, check=True)
        return (Path(folder) / _FILE).read_bytes()


def _save(archive: bytes, place: Path) -> None:
    """Under another name first, so that nobody reads half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f".{place.name}-{secrets.token_hex(8)}")
    draft.write_bytes(archive)
    draft.replace(place)
