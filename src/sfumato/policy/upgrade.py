"""Policies of older versions, brought forward step by step; nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sfumato.errors import PolicyError, Problem

__all__ = ["CURRENT", "STEPS", "upgraded"]

CURRENT = 1

STEPS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""From a version to the next one. Each step is a pure function on the document."""


def upgraded(
    document: Mapping[str, Any],
    source: str,
    current: int = CURRENT,
    steps: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = STEPS,
) -> dict[str, Any]:
    """The document in the current version; no `version` means 1. A malformed version is left to validation."""
    made = dict(document)
    version = made.get("version", 1)
    if isinstance(version, bool) or not isinstance(version, int):
        return made
    if version > current:
        allowed = f"is newer than this sfumato reads (up to {current}): upgrade sfumato"
        raise PolicyError([Problem("version", str(version), allowed)], source)
    while version in steps:
        made = steps[version](made)
        version += 1
        made["version"] = version
    return made
