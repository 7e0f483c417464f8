"""Every experiment, paper by paper."""

from __future__ import annotations

from typing import Any

from experiments import paper002, paper003, paper004
from experiments.contract import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    *paper002.EXPERIMENTS,
    *paper003.EXPERIMENTS,
    *paper004.EXPERIMENTS,
)
