"""Losses by name: one literal table and the entry-point group ``sfumato.losses``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.loss.classes import AverageClassSize, Discernibility
from sfumato.loss.contract import Loss
from sfumato.loss.entropy import NonUniformEntropy
from sfumato.loss.geometric import Geometric
from sfumato.loss.information import InformationUtility
from sfumato.loss.ncp import NCP
from sfumato.loss.precision import Height, Precision

__all__ = ["LOSSES", "loss_of"]

LOSSES: dict[str, Callable[[Mapping[str, Fraction]], Loss]] = {
    "average-class-size": AverageClassSize,
    "discernibility": Discernibility,
    "geometric": Geometric,
    "height": Height,
    "information-utility": InformationUtility,
    "ncp": NCP,
    "non-uniform-entropy": NonUniformEntropy,
    "precision": Precision,
}


def loss_of(metric: str, weights: Mapping[str, Fraction]) -> Loss:
    """The loss that a policy's `loss:` names, with its weights."""
    made = registered(LOSSES, "sfumato.losses", metric)
    if made is None:
        raise Refused(f"loss metric {metric!r} is not installed; there are: {', '.join(LOSSES)}")
    return made(weights)
