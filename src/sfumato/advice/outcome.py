"""What it means that an algorithm or a form found no release: for whom, and what would be kept.

An algorithm says only that it found none. Whether none exists is judged here, apart from it (`feasible`): then the
outcome is `Infeasible`, otherwise `NoneFound`. What is named beside, a weaker promise or another method, was run under
the same policy with the same randomness and audited; so whoever follows it gets a release.

Runs are few: as many as go with `_ROWS` rows in all, one of each kind at least, `_TRIES` at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sfumato.advice.feasible import Feasibility, whole_table
from sfumato.advice.slack import because_of_slack, without_slack
from sfumato.engine.plan import plan
from sfumato.errors import Cancelled, Infeasible, NoneFound
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Model
from sfumato.models.registry import bind, binding
from sfumato.partition.contract import Chooser
from sfumato.partition.registry import grouping
from sfumato.policy.document import Policy
from sfumato.policy.forms import Form, Generalized
from sfumato.policy.methods import METHODS, Auto, Method
from sfumato.policy.promises import Promise, all_of
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["instead_of", "outcome"]

_TRIES = 10
_ROWS = 2_000_000

Runs = Callable[[Policy], object]
"""Make a release under a policy, or raise."""


def outcome(error: NoneFound, read: Table, run: Runs) -> NoneFound:
    """The same failure as what it is: shown for every method and form, or of this one; with what would be kept."""
    policy, table = read.policy, read.encode()
    search = _Nearest(policy, table, Facts.of(table), run)
    impossible = Feasibility.of(table, policy).impossible()
    nearest = search.nearest(error.nearest)
    if impossible is not None:
        own = "" if isinstance(error, Infeasible) else f"\n  {error.reason}"  # else the same once more
        return Infeasible(impossible + own, nearest)
    reason = error.reason + because_of_slack(policy.partition, policy.promise)
    return NoneFound(reason, nearest, search.instead())


def instead_of(read: Table, run: Runs) -> dict[str, Mapping[str, Any]]:
    """What to write in the policy so that it keeps its promise as it is; empty: nothing is known."""
    table = read.encode()
    return _Nearest(read.policy, table, Facts.of(table), run).instead()


@dataclass(frozen=True, eq=False)
class _Nearest:
    """Other promises, methods and forms for a policy that found no release."""

    policy: Policy
    table: Tuples
    facts: Facts
    run: Runs

    @property
    def tries_all(self) -> bool:
        """Whether the policy's method runs whatever is built in."""
        return isinstance(grouping(self.policy.partition, binding(self.facts)), Chooser)

    @property
    def tries(self) -> int:
        return max(1, min(_TRIES, _ROWS // max(self.table.rows, 1)))

    def nearest(self, known: Promise | None) -> Promise | None:
        """The first of some weaker promises that this policy keeps; `known` is what the algorithm names."""
        wishes = dict.fromkeys(islice(self._weaker(known), self.tries + 2))
        wishes.pop(self.policy.promise, None)
        return next((wish for wish in islice(wishes, self.tries) if self._kept(promise=wish)), None)

    def instead(self) -> dict[str, Mapping[str, Any]]:
        """The first of some other methods, then forms, with which the policy keeps its promise; empty: none."""
        others = islice(self._others(), self.tries)
        return next((_written(*other) for other in others if self._kept(partition=other[0], form=other[1])), {})

    def _kept(self, promise: Promise | None = None, partition: Method | None = None, form: Form | None = None) -> bool:
        try:
            self.run(self.policy.changed(promise, partition, form))
        except Cancelled:
            raise
        except Exception:  # whatever another piece does: what is told is the outcome of the run that was asked for
            return False
        return True

    def _weaker(self, known: Promise | None) -> Iterator[Promise]:
        """What the whole table allows, what the algorithm names, and less and less of it."""
        method = self.policy.partition
        model = bind(method.searched(self.policy.promise), self.facts)
        whole = whole_table(model, self.table)
        begin: Promise | None = self.policy.promise
        if not bool(model.attainable(whole)[0]):
            begin = without_slack(model.nearest(whole), method.slack)
        named = without_slack(known, method.slack)
        for wish in (begin, named):
            if wish is not None:
                yield all_of(wish)
        while begin is not None:
            begin = _less(all_of(begin))
            if begin is not None:
                yield begin

    def _others(self) -> Iterator[tuple[Method, Form | None]]:
        """Methods that go with the promise and the form of the policy, then with a generalized release.

        One that runs all others has tried them: then another form is left.
        """
        own = self.policy.partition
        if own.slack:
            yield own.model_copy(update={"slack": 0}), None
        forms: list[Form | None] = [None]
        if not isinstance(self.policy.form, Generalized):
            forms += Generalized.variants()
        model = bind(self.policy.promise, self.facts)
        for form in forms:
            for method in (own,) if self.tries_all else _methods(model, self.table.person is not None):
                if (method != own or form is not None) and self._fits(model, method, form or self.policy.form):
                    yield method, form

    def _fits(self, model: Model, method: Method, form: Form) -> bool:
        algorithm = grouping(method, binding(self.facts))
        answer = plan(model, algorithm, publisher(form), persons=self.table.person is not None)
        return answer.status != "refused"


def _methods(model: Model, persons: bool) -> Iterator[Method]:
    """All that is built in and does one thing; cut further or with terms suppressed where that may help."""
    terms = any(part.about_terms for part in model.promise.parts)
    for words in METHODS.values():
        if words is Auto:
            continue
        for method in words.variants():
            if (not method.refine or persons or not model.survives_merging) and (method.terms is None or terms):
                yield method


def _less(promise: Promise) -> Promise | None:
    """The same promise with every l lower, the next whole number; None where none of them would say something."""
    lower = promise.lowered()
    return lower if lower != promise else None


def _written(method: Method, form: Form | None) -> dict[str, Mapping[str, Any]]:
    """As a policy has it."""
    made: dict[str, Mapping[str, Any]] = {"partition": {"method": method.method, **method.told()}}
    if form is not None:
        made["form"] = {"publish": form.publish, **form.told()}
    return made
