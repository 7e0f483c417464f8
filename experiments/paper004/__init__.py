"""Shi, Xiong, Fung: Anonymizing Data with Quasi-Sensitive Attribute Values. CIKM 2010."""

from __future__ import annotations

from typing import Any

from experiments.contract import Experiment
from experiments.paper004 import built, facts, privacy, progress, queries, reasons, search

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    facts.FACTS,
    *search.SEARCHED,
    progress.PROGRESS,
    progress.CLOSENESS,
    reasons.LINKS,
    *privacy.PRIVACY,
    reasons.OPTIMA,
    queries.QUERIES,
    built.BUILT,
)
