"""Measures by name: one literal table and the entry-point group ``sfumato.measures``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from sfumato.extension import Pieces, with_settings
from sfumato.measures.contract import Measure

__all__ = ["ENTRY_POINTS", "MEASURES", "MeasureLike", "measure_of"]

ENTRY_POINTS = "sfumato.measures"

MeasureLike: TypeAlias = str | Mapping[str, Any] | Measure
"""A measure, its name, or a mapping: ``{"measure": "count-queries", "dimensions": 2}``."""

MEASURES: Pieces[type[Measure]] = Pieces(
    {
        "average-class-size": "sfumato.measures.classes:ClassSize",
        "belief-change": "sfumato.measures.beliefs:BeliefChange",
        "classifier-accuracy": "sfumato.measures.uses.classifier:ClassifierAccuracy",
        "count-queries": "sfumato.measures.uses.count_queries:CountQueries",
        "discernibility": "sfumato.measures.classes:DiscernedRows",
        "excessive-protection": "sfumato.measures.excess:ExcessiveProtection",
        "glp": "sfumato.measures.glp:GlobalLossProbability",
        "height": "sfumato.measures.levels:LevelsClimbed",
        "il": "sfumato.measures.il:ClassLoss",
        "information-utility": "sfumato.measures.utility:InformationKept",
        "kl-marginals": "sfumato.measures.divergence:MarginalDivergence",
        "kl-pairs": "sfumato.measures.divergence:PairDivergence",
        "loss": "sfumato.measures.geometric:GeometricLoss",
        "mean-probability": "sfumato.measures.probability:MeanProbability",
        "ncp": "sfumato.measures.ncp:CertaintyPenalty",
        "non-uniform-entropy": "sfumato.measures.bits:BitsLost",
        "phi2-kept": "sfumato.measures.association:AssociationKept",
        "precision": "sfumato.measures.levels:PrecisionLost",
        "reconstruction-error": "sfumato.measures.probability:ReconstructionError",
        "rules-preserved": "sfumato.measures.uses.rules:RulesPreserved",
        "suppressed-terms": "sfumato.measures.terms:SuppressedTerms",
    }
)


def measure_of(given: MeasureLike) -> Measure:
    """The measure that is meant, with its settings."""
    return with_settings(MEASURES, ENTRY_POINTS, "measure", given)
