"""Can this promise be kept by this algorithm in this form? Asked before any work, answered with reasons."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import Refused
from sfumato.fit import Fit, Status, fit_apart, shown_apart
from sfumato.forms.contract import Publisher
from sfumato.models.contract import Model
from sfumato.partition.contract import Partitioner

__all__ = ["Plan", "joined", "plan", "searches", "shows"]

_RANK: dict[Status, int] = {"native": 0, "adapted": 1, "refused": 2}


@dataclass(frozen=True)
class Plan:
    """The answer for a promise, an algorithm and a form: native, adapted (says how) or refused (says why)."""

    status: Status
    reasons: tuple[str, ...] = ()

    def require_possible(self, because: str = "") -> None:
        """Raise `Refused` with every reason there is; `because` says what of the table asks for it."""
        if self.status == "refused":
            raise Refused(because + "; ".join(self.reasons))


def plan(model: Model, partitioner: Partitioner, publisher: Publisher, *, persons: bool = False) -> Plan:
    """The worse of two fits; reasons of that rank only.

    persons    somebody has several rows of the table, which then must not share a group
    """
    return joined(searches(partitioner, model, persons=persons), shows(publisher, model, persons=persons))


def searches(partitioner: Partitioner, model: Model, *, persons: bool = False) -> Fit:
    """What an algorithm answers to a promise."""
    return fit_apart(partitioner, model) if persons else partitioner.fit(model)


def shows(publisher: Publisher, model: Model, *, persons: bool = False) -> Fit:
    """What a form answers to it."""
    return shown_apart(publisher, model) if persons else publisher.fit(model)


def joined(*fits: Fit) -> Plan:
    """The worst of several answers, with the reasons of those that are as bad."""
    status = max((fit.status for fit in fits), key=_RANK.__getitem__)
    return Plan(status, tuple(fit.why for fit in fits if fit.status == status and fit.why))
