"""Can this promise be kept by this algorithm in this form? Asked before any work, answered with reasons."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import Refused
from sfumato.fit import Fit, KeepsPersonsApart, Status, refused
from sfumato.forms.contract import Publisher
from sfumato.models.contract import Model, concerned
from sfumato.partition.contract import Partitioner

__all__ = ["Plan", "fit_apart", "plan"]

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
    if persons:
        fits = (fit_apart(partitioner, model), _apart(publisher, model, _UNTOLD))
    else:
        fits = (partitioner.fit(model), publisher.fit(model))
    status = max((fit.status for fit in fits), key=_RANK.__getitem__)
    return Plan(status, tuple(fit.why for fit in fits if fit.status == status and fit.why))


def fit_apart(partitioner: Partitioner, model: Model) -> Fit:
    """Whether an algorithm serves a model where somebody has several rows."""
    return _apart(partitioner, model, _mixed(model))


_UNTOLD = "this form does not say of whose rows its groups are, so that nothing shows they are of different persons"


def _mixed(model: Model) -> str:
    if model.uniform_l() is None:
        who = concerned(model, lambda part: part.uniform_l() is None)
        return (
            "only groups of different values are sure to hold no two rows of one person, and no number of them keeps"
            f" {who}; keep one row per person (rows: one), or promise something else"
        )
    return (
        "this algorithm may put two rows of one person into a group; cut its groups with refine: true, or take one that"
        " makes groups of different values (`sfumato methods --persons`)"
    )


def _apart(piece: Partitioner | Publisher, model: Model, otherwise: str) -> Fit:
    return piece.fit_persons(model) if isinstance(piece, KeepsPersonsApart) else refused(otherwise)
