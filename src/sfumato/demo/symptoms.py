"""Synthetic knowledge about diseases and symptoms, and groups of patients: the setting of the paper's experiments.

Labels have Poisson(20) terms each, terms occur about Poisson(100) times, and the terms of a patient are drawn from one
label, for nine terms drawn at large would be linked to nothing at all.
"""

from __future__ import annotations

import numpy as np

from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.table import Knowledge

__all__ = ["synthetic_knowledge", "synthetic_patients"]


def synthetic_knowledge(seed: int, labels: int = 3000, per_label: int = 20, occurrences: int = 100) -> Knowledge:
    """Labels with random terms, about `labels * per_label / occurrences` different ones."""
    chance = np.random.default_rng(seed)
    count = max(labels * per_label // occurrences, 1)
    weights = chance.poisson(occurrences, count) + 1e-9
    rows = []
    for label in range(labels):
        size = min(max(int(chance.poisson(per_label)), 1), count)
        held = chance.choice(count, size, replace=False, p=weights / weights.sum())
        rows.append((f"label {label:04}", [f"term {term:03}" for term in held]))
    return Knowledge.of(rows)


def synthetic_patients(knowledge: Knowledge, rows: int, terms: int, seed: int) -> TermSets:
    """Rows of so many terms, each drawn from one label that has as many."""
    chance = np.random.default_rng(seed)
    able = np.flatnonzero(knowledge.row_lengths >= terms)
    codes = np.empty((rows, terms), np.int32)
    for row, label in enumerate(chance.choice(able, rows)):
        held = knowledge.row_terms[knowledge.row_offsets[label] : knowledge.row_offsets[label + 1]]
        codes[row] = chance.choice(held, terms, replace=False)
    return TermSets(np.arange(rows + 1, dtype=np.int64) * terms, codes.ravel())
