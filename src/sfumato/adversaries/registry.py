"""Adversaries by name: one literal table and the entry-point group ``sfumato.adversaries``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from sfumato.adversaries.contract import Adversary
from sfumato.extension import Pieces, with_settings

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
    return with_settings(ADVERSARIES, ENTRY_POINTS, "adversary", given)
