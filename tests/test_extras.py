"""An extra is declared only once something imports it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMPORTED = {"scikit-learn": "sklearn"}
"""What is imported under another name than it is installed by."""


def test_every_extra_is_used() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE))
    unused = {
        name: needs
        for name, needs in extras.items()
        if name != "dev" and not {_module(need) for need in needs} & imported
    }
    assert not unused


def _module(need: str) -> str:
    package = re.split(r"[<>=~! \[]", need)[0]
    return IMPORTED.get(package, package.replace("-", "_"))
