"""From a table and a policy to an audited release, in memory."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

from sfumato.auditor.verdict import Audit
from sfumato.engine.grouping import grouping
from sfumato.engine.missing import Unseen, what_missing_keep
from sfumato.engine.outcome import outcome
from sfumato.engine.persons import Several, constant_secrets
from sfumato.engine.plan import plan
from sfumato.engine.release import Release
from sfumato.engine.sound import sound
from sfumato.errors import InputError, NoneFound, SfumatoWarning, TableError
from sfumato.exact import as_text
from sfumato.forms.contract import Material, Published, shows_recoding
from sfumato.forms.registry import publisher
from sfumato.loss.contract import Loss, column_means
from sfumato.loss.registry import loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Progress, Task, silent
from sfumato.partition.lattice.mapping import applied_mapping
from sfumato.policy.document import Policy
from sfumato.policy.forms import Form
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.randomness import Key, Randomness
from sfumato.release.like import Like
from sfumato.table.read import read
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["made", "prepared", "publish"]


def publish(
    data: object,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    partition: Method | Mapping[str, Any] | None = None,
    form: Form | Mapping[str, Any] | None = None,
    like: Like | None = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> Release:
    """Make a release that keeps the promise, audited; or raise and leave nothing behind.

    data       a `Table` from `sfumato.read`, or a path or frame together with `policy`
    promise    instead of the policy's `privacy:`
    partition, form   instead of the policy's; like the promise, a value or the mapping that stands for it in a policy
    like       what the table must be like, or nothing is made of it
    seed       for tests and papers only: by default the order of rows and every tie are secret
    progress   called with (stage, rows done, rows in all)

    Raises `Refused` if promise, algorithm and form do not go together, `NoneFound` if they found no release, with what
    would be kept, `Infeasible` if it is shown that none exists, `AuditFailed` if the auditor does not confirm the
    result.
    """
    from sfumato.kernels.first import first_run

    progress("read", 0, 1)
    with first_run(lambda: progress("compiling, once", 0, 1)):
        table = prepared(data, policy, promise, partition, form)
        if like is not None:
            like.require(table)
        return made(table, seed, progress, lambda caution: warnings.warn(caution, SfumatoWarning, stacklevel=4))


def made(table: Table, seed: int | None, progress: Progress, warn: Callable[[str], None]) -> Release:
    """The release of a table under its policy, audited; else the outcome that it is."""
    try:
        return _attempt(table, seed, progress, warn)
    except NoneFound as error:
        failed = error
    raise outcome(failed, table, lambda other: _attempt(read(table, other), seed, silent, _unsaid))


def _unsaid(caution: str) -> None:
    """What nobody asked for is not warned about."""


def _attempt(table: Table, seed: int | None, progress: Progress, warn: Callable[[str], None]) -> Release:
    """One run; `NoneFound` is what a step says, and not yet judged."""
    coded = table.encode()
    _require_plain_secrets(coded)
    progress("read", table.rows, table.rows)
    key = None if seed is not None else Key.load()
    randomness = Randomness.fixed(seed) if seed is not None else _keyed(key, table)
    chosen = table.policy
    facts = Facts.of(coded)
    model = bind(chosen.partition.searched(chosen.promise), facts)
    algorithm, shown = grouping(chosen.partition, facts), publisher(chosen.form)
    several = Several.of(coded, chosen.individual)
    plan(model, algorithm, shown, persons=several is not None).require_possible(f"{several}: " if several else "")
    cautions = [*_cautions(chosen, coded)]
    for caution in cautions:
        warn(caution)
    loss = loss_of(chosen.loss.metric, chosen.loss.weights)
    progress("partition", 0, coded.rows)
    allowed = chosen.suppression
    missed = what_missing_keep(shown, chosen.promise, facts)
    unseen = None if missed is None else Unseen.of(table, coded, missed)
    if unseen is not None:
        _require_plain_secrets(unseen.table)
        unseen.require()
    task = Task(coded, model, loss, randomness, progress, allowed.limit, allowed.keep)
    task = replace(task, missed=missed, blank=allowed.columns if shows_recoding(shown) else {})
    grouped = sound(algorithm.partition(task), coded, chosen.partition.method)
    _require_suppression(chosen, grouped)
    if unseen is not None:
        unseen.require(grouped)
    progress("publish", 0, coded.rows)
    promised = bind(chosen.promise, facts)
    coded = _telling(coded, grouped, allowed.keep)
    published = shown.publish(Material(chosen, table.digest, coded, grouped, allowed.keep, randomness, promised))
    _require_column_limits(chosen, published)
    progress("audit", 0, coded.rows)
    recoding = grouped.recoding if published.recoded else None
    release = Release(
        source=table,
        published=published,
        suppressed=grouped.suppressed,
        loss=_lost(loss, coded, published, grouped.suppressed),
        levels=recoding.levels if recoding is not None else {},
        mapping=applied_mapping(coded, recoding),
        generalized=frozenset(grouped.edits),
        notes=(*table.notes, *([str(several)] if several else []), *grouped.notes, *published.notes),
        cautions=tuple(cautions),
        key_id=key.id if key is not None else "fixed seed",
        suppressed_terms=_suppressed_terms(coded, grouped, allowed.keep),
        left_out=None if unseen is None else unseen.held(chosen.secret, coded, grouped, allowed.keep),
        tuples=coded,
    )
    for caution in _unlinked(release.judged().raise_for_failure()):
        warn(caution)
    progress("audit", coded.rows, coded.rows)
    return release


def _telling(coded: Tuples, grouped: Partition, keep: bool) -> Tuples:
    """With names that are made from what is published, so that no label tells of a row that is not."""
    told = np.zeros(len(coded), dtype=np.bool_)
    told[grouped.tuples[grouped.groups >= 0]] = True
    return coded if told.all() else coded.telling(told, np.ones_like(told) if keep else told)


def _unlinked(audit: Audit) -> Iterator[str]:
    """Groups that keep a promise about terms only because the knowledge says nothing of them."""
    for criterion in audit.criteria:
        if criterion.beliefs is not None and criterion.beliefs.unlinked_groups:
            yield (
                f"{criterion.promise}: {counted(criterion.beliefs.unlinked_groups, 'group')} of rows that are linked to"
                f" no label by column {criterion.on!r}; it says nothing of them, and somebody who knows more might:"
                " complete the knowledge"
            )


def _suppressed_terms(coded: Tuples, grouped: Partition, keep: bool) -> dict[str, int]:
    """Per quasi-sensitive column, how many terms of the rows that are shown do not stay."""
    shown = np.where((grouped.groups >= 0) | keep, grouped.counts, 0)
    lost = {}
    for column in coded.sets:
        if column.name in grouped.terms:
            lengths = np.diff(column.offsets(coded.codes[column.name][grouped.tuples]))
            lost[column.name] = int(np.repeat(shown, lengths)[~grouped.terms[column.name]].sum())
    return lost


def _cautions(policy: Policy, coded: Tuples) -> Iterator[str]:
    """What the promise does not cover, though the holder may think so."""
    if policy.unpromised and len(policy.unpromised) < len(policy.secret):
        names = ", ".join(map(repr, policy.unpromised))
        yield (
            f"no promise speaks of the sensitive column {names}: its values may be the same in a whole group; promise"
            " something of it too, or give it another role"
        )
    for column in coded.sets if policy.partition.terms is not None else ():
        lengths = column.terms.lengths[column.counts > 0]
        if not column.known and coded.rows > 1 and lengths.max() == lengths.min() > 0:
            yield (
                f"column {column.name!r}: every row has {counted(int(lengths[0]), 'term')}, so that a reader who knows"
                " this sees how many were suppressed, and rules out labels with fewer; set its lengths: known"
            )
    for one, other in itertools.combinations(coded.sets, 2):
        if set(one.told.labels) & set(other.told.labels):
            yield (
                f"columns {one.name!r} and {other.name!r} may stand for the same labels; each keeps its promise by"
                " itself, and who takes them together may believe more: make one column of both"
            )
    for name, persons in constant_secrets(coded).items():
        yield (
            f"column {name!r}: {counted(persons, 'person')} with one value in several rows; each row keeps the promise,"
            " but whoever finds them all and knows that the value stays the same learns it from what their groups have"
            " in common; keep one row per person and value (rows: one-per-value)"
        )


def _keyed(key: Key | None, table: Table) -> Randomness:
    return Randomness.keyed(key or Key.load(), table.digest, table.policy.digest)


def prepared(
    data: object,
    policy: PolicyLike | None,
    promise: Promise | Mapping[str, Any] | None,
    partition: Method | Mapping[str, Any] | None,
    form: Form | Mapping[str, Any] | None,
) -> Table:
    """The data under the policy that results from the arguments; it has rows."""
    if policy is None and not isinstance(data, Table):
        raise InputError("this needs a policy: pass policy=..., or data from sfumato.read(data, policy)")
    given = data.policy if policy is None and isinstance(data, Table) else policy or {}
    table = read(data, read_policy(given, promise=promise, partition=partition, form=form))
    if table.rows == 0:
        raise TableError(f"{table.origin.name}: the table has no rows")
    return table


def _lost(loss: Loss, coded: Tuples, published: Published, suppressed: int) -> float:
    """The loss of what is published; a suppressed row costs the same whether it is kept as `*` or not."""
    spans = published.spans
    cells = [loss.cost(column, *spans.of[column.name]) for column in coded.quasi]
    weights = np.array([loss.weight(column) for column in coded.quasi])
    return loss.value(column_means(cells, spans.rows, suppressed), weights, published.sizes, coded.rows)


def _require_plain_secrets(coded: Tuples) -> None:
    """A reader would take '*' for suppressed and an empty text for missing."""
    for column in coded.sensitive:
        for text, meaning in (("*", "suppressed"), ("", "missing")):
            rows = int(column.counts[(column.values.cast(pl.String) == text).fill_null(False).to_numpy()].sum())
            if rows:
                raise TableError(
                    f"column {column.name!r}: {text!r} in {counted(rows, 'row')}, which a reader would take for"
                    f" {meaning}; rename it, or list it under input.missing_values"
                )


def _require_suppression(policy: Policy, grouped: Partition) -> None:
    rows, suppressed = int(grouped.counts.sum()), grouped.suppressed
    if Fraction(suppressed, rows) > policy.suppression.limit:
        raise NoneFound(
            f"{suppressed} of {counted(rows, 'row')} would have to be suppressed; the policy allows a share of"
            f" {as_text(policy.suppression.limit)}. Raise suppression.limit, or promise less"
        )
    if suppressed == rows:
        raise NoneFound("every row would have to be suppressed; promise less")


def _require_column_limits(policy: Policy, published: Published) -> None:
    rows = published.first.height
    over = [
        f"column {name!r} says nothing in {published.blank[name]} of {counted(rows, 'row')} (limit {as_text(limit)})"
        for name, limit in policy.suppression.columns.items()
        if Fraction(published.blank[name], rows) > limit
    ]
    if over:
        raise NoneFound("; ".join(over) + ". Raise the limit or the column's loss weight, or promise less")
