"""One promise before the court: what its rule says of the groups of one view, in the words of a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from sfumato.auditor.rules import Case, Rule, Undecidable
from sfumato.auditor.verdict import Criterion, WorstGroup
from sfumato.policy.promise import Promise, shortly

__all__ = ["RANK", "SHAPE", "Hearing", "View", "parameters_of", "worse"]

View = Literal["published values", "group id", "ring order"]
RANK = {"holds": 0, "undecidable": 1, "fails": 2}
SHAPE = 50
"""Counts of a group that are told, at most."""


@dataclass(frozen=True, eq=False)
class Hearing:
    """A promise, the rule that judges it, and what that gets to see.

    blank   the criterion as far as it is known before
    apart   columns by which the groups are told apart, if they are groups of the table
    """

    promise: Promise
    rule: Rule
    blank: Criterion
    case: Case
    view: View
    apart: tuple[str, ...] = ()

    @cached_property
    def judged(self) -> Criterion:
        """What the rule says."""
        blank, classes = self.blank, self.case.classes
        ruling = self.rule.judge(self.promise, self.case)
        if isinstance(ruling, Undecidable):
            return blank.model_copy(update={"needs": ruling.needs, "bounds": ruling.bounds, "view": self.view})
        broken = ~np.asarray(ruling.kept, dtype=np.bool_)
        if len(broken) != len(classes):
            return blank.model_copy(update={"needs": "an audit rule that answers for every group", "view": self.view})
        worst = WorstGroup(
            size=int(classes.sizes[ruling.worst]),
            counts=classes.shape(ruling.worst, SHAPE),
            values=int(classes.distinct[ruling.worst]),
        )
        return Criterion(
            model=blank.model,
            parameters=blank.parameters,
            on=blank.on,
            verdict="fails" if broken.any() else "holds",
            level=ruling.level,
            required=ruling.required,
            violating_groups=int(classes.alike[broken].sum()),
            violating_rows=int(classes.sizes[broken] @ classes.alike[broken]),
            worst=worst,
            view=self.view,
            beliefs=ruling.beliefs,
        )


def worse(criterion: Criterion) -> tuple[int, int]:
    """What is greater for a worse verdict, and of equal ones for a smaller worst group."""
    return RANK[criterion.verdict], 0 if criterion.worst is None else -criterion.worst.size


def parameters_of(promise: Promise, name: str) -> dict[str, int | str]:
    """Parameters as they stand in the policy; values of the data only as their number."""
    plain = promise.as_dict()
    made: dict[str, int | str] = {} if promise.name == name else {"of": promise.name}
    for key, value in plain.items():
        if key not in ("model", "on"):
            made[key] = shortly(value)
    return made
