"""Texts that a reader takes for one value: the auditor's own look at them.

A criterion that rests on values which differ only in their spelling is not met because of them. The policy may say that
such values are the same (`same: case`, `space`), or that they differ (`same: none`); where it says neither, both must
hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

__all__ = ["ALL", "look", "surplus"]

ALL = ("case", "space")

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SPACES = re.compile(r"\s+")


def look(text: str, ways: Collection[str] = ALL) -> str:
    """What the eye sees: one Unicode form, no invisible characters, single spaces; and one case.

    >>> look("Flu\\u00a0"), look("FLU\\u200b", ("space",)), look(" Flu", ("case",))
    ('flu', 'FLU', ' flu')
    """
    if "space" in ways and text.isascii() and text.isprintable():
        text = _SPACES.sub(" ", text).strip()
    elif "space" in ways:
        seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
        seen = "".join(char for char in seen if char.isspace() or unicodedata.category(char) not in ("Cf", "Cc"))
        text = _SPACES.sub(" ", seen).strip()
    if "case" in ways:
        text = text.casefold()
        text = unicodedata.normalize("NFKC", text) if "space" in ways and not text.isascii() else text
    return text


def surplus(texts: Iterable[str | None], ways: Collection[str] = ALL) -> int:
    """How many of the texts a reader takes for another one of them; None is a missing value."""
    known = list(texts)
    return len(known) - len({look(text or "", ways) for text in known})
