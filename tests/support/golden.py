"""Figures of the papers, and others worked out by hand: a file of each kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "golden"


def golden(name: str) -> Any:
    """What one file says."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
