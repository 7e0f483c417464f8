"""Adversaries by name: one literal table and the entry-point group ``sfumato.adversaries``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from sfumato.adversaries.contract import Adversary
from sfumato.errors import InputError
from sfumato.extension import Pieces, registered

__all__ = ["ADVERSARIES", "ENTRY_POINTS", "AdversaryLike", "adversary_of"]

ENTRY_POINTS = "sfumato.adversaries"

AdversaryLike: TypeAlias = str | Mapping[str, Any] | Adversary
"""An adversary, its name, or a mapping: ``{"adversary": "background", "eliminations": 2}``."""

ADVERSARIES: Pieces[type[Adversary]] = Pieces(
    {
        "algorithm": "sfumato.adversaries.algorithm:Algorithm",
        "background": "sfumato.adversaries.background:Background",
        "bayes": "sfumato.adversaries.bayes:Bayes",
        "composition": "sfumato.adversaries.composition:Composition",
        "definetti": "sfumato.adversaries.definetti:DeFinetti",
        "difference": "sfumato.adversaries.difference:Difference",
        "homogeneity": "sfumato.adversaries.homogeneity:Homogeneity",
        "linking": "sfumato.adversaries.linking:Linking",
        "quasi-sensitive": "sfumato.adversaries.quasi_sensitive:QuasiSensitive",
        "ring": "sfumato.adversaries.ring:RingReader",
        "similarity": "sfumato.adversaries.similarity:Similarity",
        "skewness": "sfumato.adversaries.skewness:Skewness",
    }
)


def adversary_of(given: AdversaryLike) -> Adversary:
    """The adversary that is meant, with its settings."""
    if not isinstance(given, (str, Mapping)):
        return given
    settings = {"adversary": given} if isinstance(given, str) else dict(given)
    name = str(settings.pop("adversary", ""))
    found = registered(ADVERSARIES, ENTRY_POINTS, name)
    if found is None:
        raise InputError(f"there is no adversary {name!r}; there are: {', '.join(ADVERSARIES)}")
    known = [each.name for each in fields(found)]  # type: ignore[arg-type]  # a protocol does not say: a dataclass
    unknown = [key for key in settings if key not in known]
    if unknown:
        there = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"adversary {name!r}: no such setting: {', '.join(map(repr, unknown))}; {there}")
    return found(**settings)
