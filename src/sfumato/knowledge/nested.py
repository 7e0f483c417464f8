"""Knowledge as YAML, JSON or a mapping: labels, each with its terms.

::

    flu: [cough, headache]                  # a set of terms
    cold: [[cough], [sneezing, fever]]      # several sets
    measles: {rash: 0.9, fever: 0.7}        # terms with P(term | label)

Priors go beside them: ``{labels: {flu: …}, priors: {flu: 0.2, …}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.errors import InputError
from sfumato.knowledge.table import Knowledge
from sfumato.taxonomy.text import text_of

__all__ = ["from_mapping"]


def from_mapping(given: object, name: str = "knowledge", priors: Mapping[str, object] | None = None) -> Knowledge:
    """The knowledge in a nested document; every mistake names its label."""
    if isinstance(given, Mapping) and set(given) in ({"labels", "priors"}, {"labels"}):
        inside = given.get("priors")
        if inside is not None and not isinstance(inside, Mapping):
            raise InputError(f"{name}: priors: must be a mapping of labels to numbers")
        priors, given = priors if priors is not None else inside, given["labels"]
    if not isinstance(given, Mapping):
        raise InputError(f"{name}: must be a mapping of labels to lists of terms")
    rows: list[tuple[str, list[str]]] = []
    chances: dict[tuple[str, str], object] = {}
    for key, held in given.items():
        label = _text(key, f"{name}: a label")
        ways = _ways(held, f"{name}: {label!r}")
        rows += [(label, [_text(term, f"{name}: {label!r}: a term") for term in way]) for way in ways]
        if isinstance(held, Mapping):
            chances |= {(_text(term, f"{name}: {label!r}: a term"), label): chance for term, chance in held.items()}
    if chances and len(chances) < len({(term, label) for label, terms in rows for term in terms}):
        raise InputError(f"{name}: some terms have a probability and some have none; give all of them or none")
    return Knowledge.of(rows, None if priors is None else dict(priors), chances or None)


def _ways(held: Any, where: str) -> list[list[Any]]:
    if isinstance(held, Mapping):
        return [list(held)]
    if not isinstance(held, (list, tuple, set, frozenset)):
        raise InputError(f"{where}: must be a list of terms")
    parts = sorted(held, key=str) if isinstance(held, (set, frozenset)) else list(held)
    nested = [isinstance(part, (list, tuple, set, frozenset)) for part in parts]
    if any(nested) and not all(nested):
        raise InputError(f"{where}: mixes terms with lists of terms; write one list, or a list of lists")
    return [list(part) for part in parts] if any(nested) else [parts]


def _text(value: object, what: str) -> str:
    text = "" if value is None or not isinstance(value, (str, int, float)) else text_of(value).strip()
    if not text or isinstance(value, bool):
        raise InputError(f"{what} must be a text that is not empty; quote it")
    return text
