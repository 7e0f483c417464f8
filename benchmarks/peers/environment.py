"""The peers' environment: a venv in the cache folder with known versions of the tools, made once by pip."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from sfumato.datasets.store import cache_folder
from sfumato.errors import InputError

__all__ = ["PACKAGES", "environment"]

PACKAGES = {
    "pycanon": "1.3.5",
    "anjana": "1.2.3",
    "anonypy": "0.2.1",
    "anonypyx": "0.2.11",
    "pandas": "2.3.3",
    "numpy": "2.0.2",
}
"""The tools, and what their speed depends on most."""


def environment() -> Path:
    """The interpreter that has the tools; `InputError` if they cannot be installed."""
    wanted = [f"{name}=={version}" for name, version in PACKAGES.items()]
    digest = hashlib.sha256("\n".join([sys.version, *wanted]).encode()).hexdigest()[:12]
    folder = cache_folder().with_name("peers") / digest
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed"
    if done.exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder)], "make a venv for the peers")
    _run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", *wanted], "install the peers")
    done.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    return python


def _run(command: list[str], what: str) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (all literal)
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-1:] or ["no message"]
        raise InputError(f"could not {what}: {last[0]}. Connect to a package index, and see that this Python has pip")
