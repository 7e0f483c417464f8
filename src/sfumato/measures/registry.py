"""Measures by name: one literal table and the entry-point group ``sfumato.measures``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

from sfumato.errors import InputError
from sfumato.extension import Pieces, registered
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
    if not isinstance(given, (str, Mapping)):
        return given
    settings = {"measure": given} if isinstance(given, str) else dict(given)
    name = str(settings.pop("measure", ""))
    found = registered(MEASURES, ENTRY_POINTS, name)
    if found is None:
        raise InputError(f"there is no measure {name!r}; there are: {', '.join(MEASURES)}")
    known = [each.name for each in fields(found)]  # type: ignore[arg-type]  # a protocol does not say: a dataclass
    unknown = [key for key in settings if key not in known]
    if unknown:
        there = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"measure {name!r}: no such setting: {', '.join(map(repr, unknown))}; {there}")
    return found(**settings)
