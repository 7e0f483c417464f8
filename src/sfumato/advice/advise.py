"""What can be promised at all on a table, from the counts of its sensitive columns; and what the policy does with it.

Every promise here that survives merging can be kept exactly if the whole table keeps it as one group, so these ranges
are tight, for values as they stand. That a promise is possible does not say at what loss.

Two questions are kept apart. Whether the table allows the promise, by whatever method and form, follows from counts,
where it can be shown (`feasible`). Whether the policy keeps it with its own method and form is found by running it, so
that the answer is that of `publish`.

Reference for the ranges: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering
70, 2011, Table 1. https://doi.org/10.1016/j.datak.2010.09.001
For the largest ℓ of groups of different values: Ye et al.: BSGI, 2008, Corollary 3, without its lower bound of 2.
https://doi.org/10.1007/978-3-540-85654-2_3
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from sfumato.advice.equivalents import Relation, related, searched
from sfumato.advice.feasible import Feasibility, whole_table
from sfumato.advice.relief import relief
from sfumato.displayed import Displayed
from sfumato.engine.job import planned
from sfumato.engine.prepared import prepared
from sfumato.engine.task import task_of
from sfumato.errors import AuditFailed, Infeasible, InputError, NoneFound, Refused, one_line, remedies
from sfumato.exact import as_text
from sfumato.forms.contract import shows_missing
from sfumato.forms.registry import publisher
from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.models.ranges import c_to_exceed, least_tau, strongest
from sfumato.models.registry import bind
from sfumato.models.strength import MOST_L
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike
from sfumato.policy.promise import Promise
from sfumato.progress import Progress, silent
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["Advice", "ColumnAdvice", "PolicyAnswer", "TableAnswer", "advise"]

_POSSIBLE = {
    True: "possible on this table, by some method and form",
    False: "impossible on this table, by whatever method and form",
    None: "shown neither to be possible on this table nor to be impossible",
}


@dataclass(frozen=True)
class ColumnAdvice:
    """What can be promised about one sensitive column.

    column       its name
    values       different values
    top          rows of the most frequent one
    best_l       the largest l such that the table can be cut into groups of l different values
    strongest    the strongest distinct, entropy and simple l-diversity
    recursive    per l, what c must exceed for recursive (c,l)-diversity
    tau          per l, the least tau for (tau,l)-diversity
    """

    column: str
    values: int
    top: int
    best_l: int
    strongest: tuple[Promise, ...]
    recursive: dict[int, float]
    tau: dict[int, Fraction]

    def __repr__(self) -> str:
        return f"<ColumnAdvice: {one_line(self.column)}, {counted(self.values, 'value')}; at most {self.strongest[0]}>"

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "values": self.values,
            "top": self.top,
            "best_l": self.best_l,
            "strongest": [promise.as_dict() for promise in self.strongest],
            "recursive": [{"l": l, "c_exceeds": c} for l, c in self.recursive.items()],
            "tau": [{"l": l, "tau": as_text(tau)} for l, tau in self.tau.items()],
        }

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        groups = f"groups of up to {self.best_l} different values" if self.best_l > 1 else "no groups that all differ"
        values, rows = counted(self.values, "value"), counted(self.top, "row")
        yield f"{one_line(self.column)}: {values}, the most frequent in {rows}; {groups}"
        yield from (f"  at most {promise}" for promise in self.strongest)
        for kind, least in (("recursive-cl: c above", self.recursive), ("tau-l: tau from", self.tau)):
            if least:
                yield f"  {kind} " + ", ".join(f"{float(each):.4g} (l={l})" for l, each in least.items())


@dataclass(frozen=True)
class TableAnswer:
    """What is known of the promise on this table, apart from the policy's method and form.

    possible    True: shown that some release within the policy's limits of suppression keeps it; False: shown that none
                does, by whatever method and form; None: neither is shown
    reason      if not possible, what stands against it: counts, never values
    nearest     if not possible, a promise of the same kind that the whole table keeps; None: none is known
    excess      how many rows of too frequent values it would be enough to leave out, where all rows cannot keep it;
                None: that does not help
    frequent    how many values these rows are of, the most frequent ones
    """

    possible: bool | None
    reason: str = ""
    nearest: Promise | None = None
    excess: int | None = None
    frequent: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "possible": self.possible,
            "reason": self.reason,
            "nearest": None if self.nearest is None else self.nearest.as_dict(),
            "excess": self.excess,
            "frequent": self.frequent,
        }


@dataclass(frozen=True)
class PolicyAnswer:
    """What the policy does as it stands, with its method and form: found by a run, so it is what `publish` does.

    outcome      kept; refused: they do not go with the promise or the table; none found; infeasible: no release keeps
                 it; not confirmed: the auditor did not confirm the release; not run: nobody asked for that
    exit_code    that of `sfumato anonymize`
    reason       why not
    nearest      a promise that this policy keeps, all else left as it is; None: none is known
    instead      what to write in the policy so that it keeps the promise as it is; empty: nothing is known
    """

    outcome: Literal["kept", "refused", "none found", "infeasible", "not confirmed", "not run"]
    exit_code: int = 0
    reason: str = ""
    nearest: Promise | None = None
    instead: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "exit_code": self.exit_code,
            "reason": self.reason,
            "nearest": None if self.nearest is None else self.nearest.as_dict(),
            "instead": {key: dict(value) for key, value in self.instead.items()},
        }


@dataclass(frozen=True)
class Advice(Displayed):
    """What can be promised on a table, and whether the policy's promise is among it.

    rows        of the table
    columns     per sensitive column, what its values allow as they stand
    promise     what the policy promises
    searched    what its groups are searched with: the same, unless `partition.slack` raises every l
    table       whether any method and form could keep the promise
    policy      whether the policy's own do
    allowed     how many rows the policy allows to be suppressed
    shown       whether the policy's form shows who was left out
    relations   requirements of other kinds that imply a part of the promise, or that it implies
    """

    rows: int
    columns: tuple[ColumnAdvice, ...]
    promise: Promise
    searched: Promise
    table: TableAnswer
    policy: PolicyAnswer
    allowed: int
    shown: bool
    relations: tuple[Relation, ...]

    def __repr__(self) -> str:
        told = f"{self.promise} is {self.possible}; this policy: {self.policy.outcome}"
        return f"<Advice on {counted(self.rows, 'row')}: {told}>"

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "columns": [column.as_dict() for column in self.columns],
            "promise": self.promise.as_dict(),
            "searched": self.searched.as_dict(),
            "table": self.table.as_dict(),
            "policy": self.policy.as_dict(),
            "allowed": self.allowed,
            "relations": [relation.as_dict() for relation in self.relations],
        }

    def summary(self) -> str:
        """The same in a few lines."""
        lines = [counted(self.rows, "row")]
        for each in self.columns:
            lines += each.lines()
        for relation in self.relations:
            lines += relation.lines()
        return "\n".join([*lines, *self._of_table(), *self._of_policy()])

    @property
    def possible(self) -> str:
        """What is known of the promise on this table, in words."""
        return _POSSIBLE[self.table.possible]

    def _of_table(self) -> Iterator[str]:
        answer = self.table
        yield f"{self.promise}: {self.possible}"
        if answer.reason:
            yield f"  {answer.reason}"
        if answer.nearest is not None:
            yield f"  nearest that the table allows: {answer.nearest}"
        if answer.excess is not None:
            but = ", but this form shows who is missing" if self.shown else ""
            yield (
                f"  values as they are, it is enough to leave out {counted(answer.excess, 'row')} of the"
                f" {_values(answer.frequent)} (suppression.limit allows {self.allowed}){but}"
            )

    def _of_policy(self) -> Iterator[str]:
        answer = self.policy
        raised = f" (searched with {self.searched}: partition.slack)" if self.searched != self.promise else ""
        yield f"this policy, with its method and form: {answer.outcome}{raised}"
        if answer.reason and answer.reason != self.table.reason:
            yield f"  {answer.reason}"
        yield from (f"  {line}" for line in remedies(answer.nearest, answer.instead))


def _values(count: int | None) -> str:
    return "most frequent value" if count == 1 else f"{count} most frequent values"


def advise(
    data: object,
    policy: PolicyLike | None = None,
    *,
    search: bool = False,
    run: bool = True,
    seed: int | None = None,
    progress: Progress = silent,
) -> Advice:
    """What can be promised on a table at all, what the policy does with its promise, and why.

    data      a `Table` from `sfumato.read`, or a path or frame together with `policy`
    policy    what each column is, and what is promised
    search    also run the policy's algorithm under ever stronger simple and (c,l) requirements until a (tau,l) promise
              is kept: many runs, and true of this table and algorithm alone
    run       False: only plan what the policy asks for, which is soon done; what the table allows is known by counts
    seed      as for `publish`
    progress  of the search: called with (stage, rows done, rows in all)

    Otherwise the policy is run as `publish` would run it, and nothing is published.

    >>> import polars as pl
    >>> import sfumato as sf
    >>> columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    >>> privacy = [{"model": "k-anonymity", "k": 2}]
    >>> policy = {"columns": columns, "privacy": privacy, "partition": {"method": "mondrian"}}
    >>> people = pl.DataFrame({"age": [31, 33, 52, 58], "disease": ["flu", "gout", "gout", "flu"]})
    >>> advice = sf.advise(people, policy, seed=7)
    >>> advice.policy.outcome, advice.columns[0].strongest[0]
    ('kept', DistinctL(l=2, on='disease'))
    """
    table = prepared(data, policy, None, None, None)
    coded, chosen = table.encode(), table.policy
    facts = Facts.of(coded)
    promise, form = chosen.promise, publisher(chosen.form)
    model = bind(promise, facts)
    answer = _of_policy(table, seed, run)
    relations = related(promise, facts, Groups.whole(coded, _statistics(model)))
    if search:
        task = task_of(chosen, coded, model, form, Randomness.fixed(0), progress)
        relations = tuple(searched(relations, promise, chosen.partition, facts, task))
    return Advice(
        rows=coded.rows,
        columns=tuple(_column(coded, column, facts) for column in coded.sensitive),
        promise=promise,
        searched=_searched(chosen),
        table=_of_table(coded, chosen, model, answer),
        policy=answer,
        allowed=int(chosen.suppression.limit * coded.rows),
        shown=shows_missing(form),
        relations=relations,
    )


def _searched(policy: Policy) -> Promise:
    try:
        return policy.partition.searched(policy.promise)
    except Refused:  # nothing that slack could raise; the policy's answer says so
        return policy.promise


def _unsaid(caution: str) -> None:
    """Nothing is published that a caution would be about."""


def _of_policy(table: Table, seed: int | None, run: bool) -> PolicyAnswer:
    """What a run ends in; without one, what its plan does."""
    try:
        job = planned(table, seed, silent, _unsaid)
        if not run:
            return PolicyAnswer("not run")
        job.made(silent, _unsaid)
    except Infeasible as error:
        return PolicyAnswer("infeasible", error.exit_code, error.reason, error.nearest)
    except NoneFound as error:
        return PolicyAnswer("none found", error.exit_code, error.reason, error.nearest, error.instead)
    except InputError as error:
        return PolicyAnswer("refused", error.exit_code, str(error))
    except AuditFailed as error:
        return PolicyAnswer("not confirmed", error.exit_code, str(error))
    return PolicyAnswer("kept")


def _of_table(coded: Tuples, policy: Policy, model: Model, answer: PolicyAnswer) -> TableAnswer:
    """What is shown apart from the method and form, by counts; or by a run that made a release."""
    bounds = Feasibility.of(coded, policy)
    against = bounds.impossible()
    possible = None if against is None else False
    if answer.outcome == "kept" or answer.instead or bounds.possible():
        possible = True
    whole = whole_table(model, coded)
    if bool(model.attainable(whole)[0]):
        return TableAnswer(possible, against or "")
    less = relief(model, coded)
    reason = against or ("" if possible else f"all rows as they are do not keep it: {model.obstacle(whole)}")
    nearest = model.nearest(whole) if possible is False and coded.person is None and model.decides else None
    return TableAnswer(
        possible, reason, nearest, None if less is None else less.rows, None if less is None else less.values
    )


def _statistics(*models: Model) -> tuple[Columns, ...]:
    return tuple(dict.fromkeys(columns for model in models for columns in model.statistics if columns))


def _column(coded: Tuples, column: Domain, facts: Facts) -> ColumnAdvice:
    whole = Groups.whole(coded, ((column.name,),))
    counts = column.counts[column.counts > 0]
    top = int(counts.max(initial=0))
    every_l = range(2, min(len(counts), MOST_L) + 1)
    return ColumnAdvice(
        column=column.name,
        values=len(counts),
        top=top,
        best_l=coded.rows // max(top, 1),
        strongest=strongest(column.name, facts, whole),
        recursive={l: c_to_exceed(l, column.name, facts, whole) for l in every_l},
        tau={l: least_tau(l, column.name, facts, whole) for l in every_l},
    )
