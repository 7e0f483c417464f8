"""Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam: ℓ-Diversity: Privacy Beyond k-Anonymity. ICDE 2006.
https://doi.org/10.1109/ICDE.2006.1
"""

from __future__ import annotations

from typing import Any

from experiments.contract import Experiment
from experiments.paper001 import facts, homogeneity, orders, times

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    facts.FACTS,
    homogeneity.MINIMAL,
    homogeneity.VARIED,
    homogeneity.COARSE,
    orders.ORDERS,
    homogeneity.HEIGHTS,
    *times.TIMES,
)
