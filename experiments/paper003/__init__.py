"""Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility."""

from __future__ import annotations

from typing import Any

from experiments.contract import Experiment
from experiments.paper003 import blocks, facts, losses, randomized, times

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    facts.FACTS,
    blocks.BLOCKS,
    losses.BY_L,
    losses.BY_ROWS,
    losses.BY_COLUMNS,
    randomized.RANDOMIZED,
    *times.TIMES,
)
