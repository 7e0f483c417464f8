"""The least loss that a table under a policy can have, whatever method is taken: the entrance to its lower bound."""

from __future__ import annotations

from sfumato.engine.task import task_of
from sfumato.forms.contract import shows_recoding
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.boxes.bound import Bound, bound_of
from sfumato.randomness import Randomness
from sfumato.table.table import Table

__all__ = ["bound_under"]


def bound_under(table: Table) -> Bound:
    """No release of a table in its policy's form that keeps the promise loses less.

    What a method asks for beyond the promise has no part in it.
    """
    policy, coded = table.policy, table.encode()
    form = publisher(policy.form)
    if not shows_recoding(form):
        return Bound(None, reason=f"{policy.form.publish} does not show groups by what covers them")
    return bound_of(task_of(policy, coded, bind(policy.promise, Facts.of(coded)), form, Randomness.fixed(0)))
