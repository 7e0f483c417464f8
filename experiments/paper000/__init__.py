"""Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011.
https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from typing import Any

from experiments.contract import Experiment
from experiments.paper000 import compared, examples, grids, learnt, narrow, ranges, reasons, times, violations

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    examples.EXAMPLES,
    ranges.RANGES,
    compared.COMPARED,
    *grids.GRIDS,
    violations.VIOLATIONS,
    violations.COUNTS,
    narrow.NARROW,
    learnt.LEARNT,
    learnt.RULES_MINED,
    reasons.QUERIES,
    reasons.BOUNDS,
    reasons.SEEDS,
    times.TIMES,
)
