"""Can this promise be kept by this algorithm in this form? Asked before any work, answered with a reason."""

from __future__ import annotations

from sfumato.errors import Refused
from sfumato.models.contract import Model
from sfumato.partition.contract import Partitioner
from sfumato.publish.contract import Publisher

__all__ = ["require_possible"]


def require_possible(model: Model, partitioner: Partitioner, publisher: Publisher) -> None:
    """Raise `Refused` with every reason there is."""
    reasons = [reason for reason in (partitioner.refusal(model), publisher.refusal(model)) if reason]
    if reasons:
        raise Refused("; ".join(reasons))
