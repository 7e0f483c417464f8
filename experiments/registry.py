"""Every experiment, paper by paper."""

from __future__ import annotations

from typing import Any

from experiments import paper000, paper001, paper002, paper003, paper004
from experiments.contract import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: tuple[Experiment[Any], ...] = (
    *paper000.EXPERIMENTS,
    *paper001.EXPERIMENTS,
    *paper002.EXPERIMENTS,
    *paper003.EXPERIMENTS,
    *paper004.EXPERIMENTS,
)
