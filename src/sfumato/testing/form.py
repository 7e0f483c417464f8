"""Does a form show groups as it must, whatever algorithm made them?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.engine.plan import plan
from sfumato.engine.release import Release
from sfumato.errors import AuditFailed, NoneFound
from sfumato.extension import installed
from sfumato.fit import KeepsPersonsApart
from sfumato.forms.contract import Publisher
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Model
from sfumato.models.registry import binding
from sfumato.partition.registry import grouping
from sfumato.policy.forms import Form
from sfumato.policy.methods import METHODS, Method
from sfumato.policy.promises import Promise
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.testing.counting import BoundPromise
from sfumato.testing.partitioner import sampled_promises
from sfumato.testing.tables import Broken, Tables, Trial
from sfumato.testing.variety import varied_policy

__all__ = ["check_form"]

Ints = NDArray[np.int64]


_MANY = 12  # rows that a shuffle leaves in their order once in 479001600 times


def check_form(form: Form, seed: int = 0, rounds: int = 3, promises: Sequence[Promise] | None = None) -> None:
    """Check a form, by its settings, with every promise, or those given, and every algorithm that go with it.

    - `fit` says why it refuses, and how it adapts;
    - the auditor confirms what is published;
    - every row is published, suppressed or dropped, and rows do not stand in the order of the input;
    - the data dictionary explains every column, and every value of a quasi-identifier;
    - what is said of a row covers what it was;
    - `people` says which row of the table each published one is, where the form serves several rows of one person;
    - the same input under the same randomness gives the same release, its rows in any order.
    """
    shown = publisher(form)
    algorithms = installed(METHODS, "sfumato.partition_settings").values()
    methods = [words.model_validate({}) for words in algorithms]
    for promise in sampled_promises() if promises is None else promises:
        for asked in map(_Asked, Tables.of(promise).draws(seed, rounds)):
            for method in methods:
                where = f"form {form.publish} after {method.method}"
                asked.trial.require(where, _checked(asked, method, form, shown))


@dataclass(frozen=True)
class _Asked:
    """A random table under a random policy, read once for all algorithms."""

    trial: Trial

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        return varied_policy(self.trial.rng("form"), self.trial.quasi)

    @cached_property
    def table(self) -> Tuples:
        return self.trial.read(self.settings).encode()

    @cached_property
    def model(self) -> Model:
        return BoundPromise.of(self.trial.promise, self.table).model

    def possible(self, method: Method, shown: Publisher) -> bool:
        algorithm = grouping(method, binding(Facts.of(self.table)))
        return plan(self.model, algorithm, shown).status != "refused"


def _checked(asked: _Asked, method: Method, form: Form, shown: Publisher) -> Iterator[Broken]:
    trial, settings, fit = asked.trial, asked.settings, shown.fit(asked.model)
    if fit.status != "native" and not fit.why:
        yield "fit says how it adapts, or why it refuses", repr(fit)
    if not asked.possible(method, shown):
        return
    try:
        release = trial.publish(settings, method, form)
    except NoneFound:
        return
    except AuditFailed as error:
        yield f"the auditor confirms what is published, under {settings}", str(error)
        return
    yield from _rows(release, trial)
    yield from _dictionary(release, trial)
    yield from _people(release, shown)
    yield from _covering(release)
    yield from _repeated(release, trial, settings)


def _rows(release: Release, trial: Trial) -> Iterator[Broken]:
    table = release.published.first
    kept = release.suppressed if release.source.policy.suppression.keep else 0
    told = table.height - kept
    if told + release.suppressed + release.source.dropped != trial.frame.height:
        ends = f"{table.height}, {release.suppressed} and {release.source.dropped}"
        yield f"each of {trial.frame.height} rows is published, suppressed or dropped", ends
    if int(release.published.sizes.sum()) != told:
        yield f"sizes of classes add up to the {told} rows that show something", f"{release.published.sizes}"
    rows = table["row"].to_list() if "row" in table.columns else []
    if len(rows) >= _MANY and rows == sorted(rows):
        yield "rows do not stand in the order of the input", "they do"


def _dictionary(release: Release, trial: Trial) -> Iterator[Broken]:
    made = release.published
    plain = {None, made.notation["missing"], made.notation["suppressed"]}
    for frame in made.tables.values():
        unknown = set(frame.columns) - set(made.dictionary)
        if unknown:
            yield "the data dictionary explains every column", f"not {sorted(unknown)}"
        for name in set(trial.quasi) & set(frame.columns) & set(made.dictionary):
            values = made.dictionary[name].get("values")
            lost = set(frame[name].unique().to_list()) - plain - set(values or ()) if values is not None else set()
            if lost:
                yield f"the data dictionary explains every value of {name!r}", f"{len(lost)} are unknown"


def _covering(release: Release) -> Iterator[Broken]:
    """Spans say what rows show, and what is shown covers what they were."""
    made, coded = release.published, release.tuples
    told = made.first.height - (release.suppressed if release.source.policy.suppression.keep else 0)
    if int(made.spans.rows.sum()) != told:
        yield f"spans are those of the {told} rows that show something", f"{int(made.spans.rows.sum())} rows"
    for column in coded.quasi:
        if column.name not in made.spans.of or column.name not in made.blank:
            yield f"spans and blank cells of {column.name!r} are told", "they are not"
            continue
        low, high, _ = made.spans.of[column.name]
        codes = np.repeat(np.arange(column.size), column.counts)
        if told == coded.rows and not _covered(low, high, made.spans.rows, codes):
            yield f"what is shown of {column.name!r} covers what the rows were", "not everywhere"
        if not _covering_each(release, column):
            yield f"what is shown of {column.name!r} covers what the row was", "not everywhere"


def _covering_each(release: Release, column: Domain) -> bool:
    """Whether the node of its hierarchy that every row shows is above what the row was, as far as that is told."""
    made, tree = release.published, column.taxonomy
    if tree is None or made.people is None or not made.aligned or column.name not in made.first.columns:
        return True
    node_of = {label: node for node, label in enumerate(tree.labels)}
    texts = made.first[column.name].cast(pl.String).to_list()
    codes = release.tuples.codes[column.name][made.people].tolist()
    told = [(node_of[text], code) for text, code in zip(texts, codes, strict=True) if text in node_of]
    return all(tree.first[node] <= code <= tree.last[node] for node, code in told)


def _covered(low: Ints, high: Ints, rows: Ints, codes: Ints) -> bool:
    """Whether rows that show these intervals could hold the codes, one each: no more end below one than there are."""
    ends, begins = np.sort(np.repeat(high, rows)), np.sort(np.repeat(low, rows))
    return bool((begins <= codes).all() and (codes <= ends).all())


def _people(release: Release, shown: Publisher) -> Iterator[Broken]:
    """The auditor goes by what a form says of whose rows it shows; a random table numbers its rows."""
    made = release.published
    if made.people is None:
        if isinstance(shown, KeepsPersonsApart):
            yield "a form that tells persons apart says which row of the table each published one is", "it does not"
        return
    shown_rows = np.bincount(made.people, minlength=len(release.tuples))
    if len(made.people) != made.first.height or (shown_rows > release.tuples.counts).any():
        yield "every published row is another row of the table", f"{len(made.people)} of {made.first.height} are"
    elif "row" in made.first.columns:
        places = list(range(made.first.height))
        if not made.aligned:  # where columns are shown apart, a row number stands in its group, not in its row
            places = made.first[made.group_id].to_list() if made.group_id is not None else [0] * len(places)
        held = release.tuples["row"].published.gather(release.tuples.codes["row"][made.people])
        said = zip(places, held.to_list(), strict=True)
        if sorted(said) != sorted(zip(places, made.first["row"].to_list(), strict=True)):
            yield "the rows that a form says it shows are those that it shows", "others"


def _repeated(release: Release, trial: Trial, settings: Mapping[str, Any]) -> Iterator[Broken]:
    policy = release.source.policy
    again = trial.publish(settings, policy.partition, policy.form)
    if any(not frame.equals(again.tables[name]) for name, frame in release.tables.items()):
        yield "the same input under the same randomness gives the same release", "another one"
    moved = trial.in_another_order().publish(settings, policy.partition, policy.form)
    if any(not frame.equals(moved.tables[name]) for name, frame in release.tables.items()):
        yield "the order of the rows does not change the release", "another one"
