"""Losses by name: one literal table and the entry-point group ``sfumato.losses``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from sfumato.errors import Refused
from sfumato.extension import Pieces, registered
from sfumato.loss.contract import Loss

__all__ = ["LOSSES", "loss_of"]

LOSSES: Pieces[Callable[[Mapping[str, Fraction]], Loss]] = Pieces(
    {
        "average-class-size": "sfumato.loss.classes:AverageClassSize",
        "discernibility": "sfumato.loss.classes:Discernibility",
        "geometric": "sfumato.loss.geometric:Geometric",
        "height": "sfumato.loss.precision:Height",
        "information-utility": "sfumato.loss.information:InformationUtility",
        "ncp": "sfumato.loss.ncp:NCP",
        "non-uniform-entropy": "sfumato.loss.entropy:NonUniformEntropy",
        "precision": "sfumato.loss.precision:Precision",
    }
)


def loss_of(metric: str, weights: Mapping[str, Fraction]) -> Loss:
    """The loss that a policy's `loss:` names, with its weights."""
    made = registered(LOSSES, "sfumato.losses", metric)
    if made is None:
        raise Refused(f"loss metric {metric!r} is not installed; there are: {', '.join(LOSSES)}")
    return made(weights)
