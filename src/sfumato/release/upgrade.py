"""Documents of older versions, brought forward step by step; nothing is guessed.

Version 1 had what single forms say among the settings of every release. In version 2 it is a section: `shown` in
``release.json``, `sealed` in the manifest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["MANIFEST", "RELEASE", "VERSION", "as_written_before", "upgraded"]

VERSION = 2
RELEASE = "sfumato-release"
MANIFEST = "sfumato-manifest"

Step = Callable[[dict[str, Any]], dict[str, Any]]

_SHOWN: dict[str, object] = {"count": None, "slices": [], "retention": None, "bounds": {}}
_SEALED: dict[str, object] = {"rings": [], "blocks": {}}
"""What moved into a section, and what it was where the form had nothing to say."""

_FIRST = (
    *("format", "version", "sfumato", "form", "tables", "group_id", *_SHOWN, "rows", "promise", "notation"),
    *("dictionary", "weights", "suppressed_terms"),
)
"""The settings of a ``release.json`` of version 1, in the order in which they were written."""


def _gathered(section: str, names: Mapping[str, object]) -> Step:
    """Put these settings in a section, but for those that say nothing."""

    def step(document: dict[str, Any]) -> dict[str, Any]:
        said = {name: document[name] for name in names if name in document and document[name] != names[name]}
        return {**{name: value for name, value in document.items() if name not in names}, section: said}

    return step


STEPS: Mapping[str, Mapping[int, Step]] = {
    RELEASE: {1: _gathered("shown", _SHOWN)},
    MANIFEST: {1: _gathered("sealed", _SEALED)},
}
"""By format, from a version to the next one. Each step is a pure function on the document."""


def upgraded(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The document in the current version; no `version` means 1. A malformed version is left to validation."""
    made = dict(document)
    version = made.get("version", 1)
    while type(version) is int and version in STEPS[name]:
        made = STEPS[name][version](made)
        version += 1
        made["version"] = version
    return made


def as_written_before(document: Mapping[str, Any], stated: Mapping[str, Any]) -> dict[str, Any] | None:
    """A ``release.json`` as its version was written, from what became of it and what is stated; None if it is no older.

    Settings that moved are taken as they are stated: which of them may be there, and with what, was checked.
    """
    if type(stated.get("version", 1)) is not int or stated.get("version", 1) != 1:
        return None
    same = {**document, "version": 1, **{name: stated[name] for name in _SHOWN if name in stated}}
    return {name: same[name] for name in _FIRST if name in stated}
