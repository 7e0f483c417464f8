"""A promise, an algorithm and a form together, from end to end: published, written, and the written files audited."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np

from sfumato.auditor.audit import audit
from sfumato.engine.matrix import Cell, methods
from sfumato.engine.plan import plan
from sfumato.engine.release import Release
from sfumato.errors import AuditFailed, Infeasible, NoneFound, PolicyError, Refused, SfumatoError
from sfumato.forms.contract import shows_missing
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts
from sfumato.models.registry import bind, binding
from sfumato.partition.registry import grouping
from sfumato.policy.forms import Form
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.table.formats import FORMATS
from sfumato.table.tuples import Tuples
from sfumato.testing.counting import BoundPromise
from sfumato.testing.tables import Tables, Trial
from sfumato.testing.variety import varied_form, varied_method, varied_policy

__all__ = ["Ends", "check_triple", "triples"]

_ROUNDING = 1e-9
"""By which losses, which are floats, may differ from what they are."""

Outcome = Literal["published", "none_found", "infeasible", "refused"]


@dataclass(frozen=True)
class Ends:
    """How many random tables came to which end."""

    published: int = 0
    none_found: int = 0
    infeasible: int = 0
    refused: int = 0

    def __str__(self) -> str:
        counts = {name: getattr(self, name) for name in ("published", "none_found", "infeasible", "refused")}
        return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count)


def triples(sample: int | None = None, seed: int = 0, *, persons: bool = False) -> tuple[Cell, ...]:
    """The cells of the matrix, or so many of them by chance, in the order of the matrix.

    persons    that of tables in which somebody has several rows
    """
    cells = methods(persons=persons).cells
    if sample is None or sample >= len(cells):
        return cells
    chosen = np.random.default_rng(seed).choice(len(cells), sample, replace=False)
    return tuple(cells[place] for place in sorted(chosen.tolist()))


def check_triple(cell: Cell, seed: int = 0, rounds: int = 5) -> Ends:
    """Run one cell of the matrix on random tables under random settings.

    What goes together ends in a release whose files the auditor confirms and that loses no less than its bound, in
    `Infeasible` where that is so, or in `NoneFound` where the promise may ask for more than the table has. What does
    not go together is refused with the reason that the matrix gives.
    """
    tables = Tables.of(cell.promise)
    check = _refused if cell.status == "refused" else _kept
    trials = tables.draws(seed, rounds)
    ends = [check(cell, trial.with_persons() if cell.persons else trial) for trial in trials]
    return Ends(*(ends.count(end) for end in ("published", "none_found", "infeasible", "refused")))


def _refused(cell: Cell, trial: Trial) -> Outcome:
    """Said before any work, and why."""
    subject = f"{cell.model} x {cell.method} x {cell.form}"
    try:
        trial.publish({}, cell.partition, cell.publication)
    except PolicyError as error:  # the one thing that a policy says of a promise and a form
        if trial.needs_group_id:
            return "refused"
        raise trial.failed(subject, f"is refused: {cell.why}", str(error)) from error
    except Refused as error:
        if cell.why and cell.why in str(error):
            return "refused"
        raise trial.failed(subject, f"the matrix gives the reason: {cell.why}", str(error)) from error
    except SfumatoError as error:
        raise trial.failed(subject, f"is refused: {cell.why}", repr(error)) from error
    raise trial.failed(subject, f"is refused: {cell.why}", "a release")


def _kept(cell: Cell, trial: Trial) -> Outcome:
    """Published, written and audited; or truly infeasible, or not found by what asks for more than the promise."""
    rng = trial.rng(f"{cell.method} {cell.form}")
    settings = varied_policy(rng, trial.quasi)
    table = trial.read(settings)
    coded = table.encode()
    if cell.persons and coded.person is None:  # the rows that are left are of different persons
        return "infeasible"
    method, form = _varied(rng, cell, trial.promise, coded)
    subject = f"{cell.model} x {cell.method} x {cell.form} under {settings}, {method!r}, {form!r}"
    try:
        release = trial.publish(settings, method, form)
    except NoneFound as error:
        plain, shown = BoundPromise.of(trial.promise, coded), isinstance(error, Infeasible)
        if shown and not cell.persons and plain.decides and plain.attainable:
            raise trial.failed(subject, "is infeasible only where no release keeps the promise", str(error)) from error
        limited = bool(getattr(method, "maximum", None))
        bound = BoundPromise.of(method.searched(trial.promise), coded)
        fits = grouping(method, binding(Facts.of(coded))).fit(bound.model), publisher(form).fit(bound.model)
        asks_more = any(fit.status == "adapted" for fit in fits)
        asks_more |= bool(table.dropped) and shows_missing(publisher(form))  # dropped rows keep the promise too
        if not limited and not asks_more and not cell.persons and bound.decides and bound.attainable:
            raise trial.failed(subject, "finds none only where the whole table breaks it", str(error)) from error
        return "infeasible" if shown else "none_found"
    except AuditFailed as error:
        raise trial.failed(subject, "the auditor confirms what is published", str(error)) from error
    except Exception as error:
        raise trial.failed(subject, "is published, or found to be none", repr(error)) from error
    limit = Fraction(settings["suppression"]["limit"])
    if release.suppressed > limit * coded.rows:
        raise trial.failed(subject, f"at most {limit} of the rows are suppressed", f"{release.suppressed}")
    least = release.bound.value
    if least is not None and release.loss < least - _ROUNDING:
        raise trial.failed(subject, f"no release loses less than its bound, {least}", f"{release.loss}")
    again = trial.in_another_order().publish(settings, method, form)
    if any(not frame.equals(again.tables[name]) for name, frame in release.tables.items()):
        raise trial.failed(subject, "the order of the rows does not change the release", "another one")
    kinds = [kind for kind, format in FORMATS.items() if not format.extra]
    _check_files(release, trial, subject, kinds[int(rng.random() * len(kinds))])
    return "published"


def _varied(rng: np.random.Generator, cell: Cell, promise: Promise, table: Tuples) -> tuple[Method, Form]:
    """Other settings for algorithm and form, if they go together as well."""
    method, form = varied_method(rng, cell.partition, promise, table), varied_form(rng, cell.publication)
    facts = Facts.of(table)
    model = bind(method.searched(promise), facts)
    if plan(model, grouping(method, binding(facts)), publisher(form), persons=cell.persons).status == "refused":
        return cell.partition, cell.publication
    return method, form


def _check_files(release: Release, trial: Trial, subject: str, kind: str) -> None:
    """What is on disk is judged again, with the holder's manifest."""
    with tempfile.TemporaryDirectory(prefix="sfumato-testing-") as folder:
        target = Path(folder) / "out"
        try:
            written = release.write(target, kind=kind)
            verdict = audit(target, release.source.policy, written.manifest)
        except SfumatoError as error:
            raise trial.failed(subject, "the auditor confirms what is written", str(error)) from error
    if not verdict.holds:
        raise trial.failed(subject, "the auditor confirms what is written", verdict.summary())
