"""Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
https://doi.org/10.1007/978-3-540-85654-2_3
"""

from __future__ import annotations

from typing import Any

from experiments.contract import Experiment
from experiments.paper002 import facts, quality, recodings, times

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    facts.FACTS,
    quality.QUALITY,
    recodings.RECODINGS,
    times.TIMES,
)
