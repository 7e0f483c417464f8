"""Pictures of the documentation: the first page of the demo's report, as Chromium shows it, light and dark; and pages
of the workbench.

Made again, when the look of one of them has changed, with

    python -m tests.docs.pictures

which needs Chromium on the path (Debian: ``chromium`` and ``fonts-dejavu-core``). The same demo, key and day every
time, so that a picture changes only if the report does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import sfumato as sf
from sfumato.demo.hospital import write_demo
from tests.docs.pages import ROOT
from tests.docs.runner import KEY
from tests.docs.workbench_pictures import WALK, walk

__all__ = ["FOLDER", "NAMES", "SCHEMES", "make"]

FOLDER = ROOT / "docs" / "pictures"
SCHEMES = {"report-light.png": 1, "report-dark.png": 0}
"""Pictures by the number that Chromium has for their colour scheme."""

NAMES = {*SCHEMES, *(f"workbench-{name}.png" for name in WALK)}
"""All of them."""

_MADE = date(2026, 1, 2)
_SIZE, _SCALE = "860,1366", "0.7"
"""Wide enough for the page, down to the place to sign; small, for the README."""


def make(folder: Path) -> None:
    """Make all of them anew."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("there is no Chromium on the path")
    os.environ["SFUMATO_KEY"] = KEY
    with tempfile.TemporaryDirectory() as place:
        paths = write_demo(Path(place) / "demo")
        written = sf.publish(paths.data, policy=paths.policy).write(Path(place) / "out")
        page = sf.report(written, made=_MADE).save(Path(place) / "report.html", "external")
        for name, scheme in SCHEMES.items():
            options = [
                "--headless=new",
                "--no-sandbox",
                "--hide-scrollbars",
                f"--user-data-dir={place}/profile",
                f"--blink-settings=preferredColorScheme={scheme}",
                f"--force-device-scale-factor={_SCALE}",
                f"--window-size={_SIZE}",
                f"--screenshot={folder / name}",
            ]
            subprocess.run([chromium, *options, page.as_uri()], check=True, capture_output=True, timeout=120)
    walk(chromium, folder)


if __name__ == "__main__":
    make(FOLDER)
