"""Is a model what it says it is, and does its audit rule agree with it?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.engine.probe import SAMPLE_VALUES, probe
from sfumato.engine.release import Release
from sfumato.errors import Infeasible
from sfumato.forms.contract import Material
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Groups, ShareCaps
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition
from sfumato.policy.forms import Generalized
from sfumato.policy.promises import Promise, read_promise
from sfumato.randomness import Randomness
from sfumato.testing.counting import BoundPromise, Parts
from sfumato.testing.tables import Broken, Tables, Trial

__all__ = ["check_model"]

Ints = NDArray[np.int64]

_SECRET = ("sensitive", "quasi-sensitive")
_FEW = 7  # rows of which every part is looked at


def check_model(promise: Promise, seed: int = 0, rounds: int = 40) -> None:
    """Check the words, the model and the audit rule of a promise on random tables over the values a, b, c and d.

    - the words survive being written and read, and the example can be asked for;
    - many groups are judged as each alone, and an empty group keeps nothing;
    - `survives_merging`: unions of groups that keep the promise keep it; else `relaxed` does and is implied;
    - `hopeless` groups have no part that keeps it, `attainable` ones can be cut into parts that do;
    - `distinct_l` values (of its gauge, `fewest`) and `least_rows` rows are there in every group that keeps it, and
      `uniform_l` different values keep it;
    - what it declares of one column is true: `caps` are all that it promises, `uniform_only` and `prefers_even`;
    - `require_feasible` raises where it must, and `nearest` can be kept;
    - the auditor says the same of every group as the model.
    """
    for part in promise.parts:
        _check_words(part)
    tables = Tables.of(promise)
    for trial in tables.draws(seed, rounds):
        trial.require(f"model of {promise.name}", _checked(trial))


def _check_words(promise: Promise) -> None:
    written = promise.as_dict()
    if read_promise(json.loads(json.dumps(written))) != promise:
        raise AssertionError(f"{promise}: reading what as_dict() says must give the same promise; it says {written}")
    try:
        sample = type(promise).sample()
        bind(sample, Facts.of(probe(sample)))
    except ValueError as error:
        values = ", ".join(SAMPLE_VALUES)
        raise AssertionError(
            f"{promise.name}: its `example` must be parameters that can be asked of the values {values}: {error}"
        ) from error


def _checked(trial: Trial) -> Iterator[Broken]:
    bound = BoundPromise.of(trial.promise, trial.read().encode())
    rng = trial.rng("model")
    parts = bound.parts(rng.permutation(bound.table.rows)[: int(rng.integers(1, _FEW + 1))])
    yield from _shapes(bound, rng)
    yield from _parts(bound, parts)
    yield from _unions(bound, parts, rng)
    yield from _uniform(bound)
    yield from _declared(bound, parts)
    yield from _feasible(bound)
    yield from _audited(trial, bound, rng)


def _shapes(bound: BoundPromise, rng: np.random.Generator) -> Iterator[Broken]:
    """One answer per group, the same in whatever company."""
    model, rows = bound.model, bound.table.rows
    count = int(rng.integers(1, 7))
    groups = bound.groups(np.arange(rows), rng.integers(0, count, rows), count + 1)
    alone = [groups.only(group) for group in range(count + 1)]
    answers = {"holds": model.holds, "hopeless": model.hopeless, "attainable": model.attainable, "level": model.level}
    for name, answer in answers.items():
        together: NDArray[Any] = np.asarray(answer(groups))
        kind = np.float64 if name == "level" else np.bool_
        if together.shape != (count + 1,) or together.dtype != kind:
            yield f"{name} must answer with one {kind.__name__} per group", f"{together.dtype} {together.shape}"
            continue
        single = np.concatenate([answer(each) for each in alone])
        if not np.array_equal(together, single, equal_nan=name == "level"):
            yield f"{name} must judge many groups as each alone", f"{together} together, {single} alone"
    if model.holds(groups)[count] or model.attainable(groups)[count]:
        yield "an empty group keeps no promise", f"holds on {_shown(groups, count)}"


def _parts(bound: BoundPromise, parts: Parts) -> Iterator[Broken]:
    """All parts of a few rows."""
    model, groups = bound.model, parts.groups
    hopeless = np.asarray(model.hopeless(groups))
    for mask in np.flatnonzero(hopeless & parts.have_a_part_that_holds)[:1]:
        yield "no part of a hopeless group keeps the promise", f"one of {_shown(groups, mask)} does"
    attainable = np.asarray(model.attainable(groups))
    for mask in np.flatnonzero(parts.can_be_cut & ~attainable)[:1]:
        yield "what can be cut into groups that keep the promise is attainable", f"not {_shown(groups, mask)}"
    for mask in np.flatnonzero(attainable & ~parts.can_be_cut)[: int(bound.decides)]:
        yield "what is attainable can be cut into groups that keep the promise", f"not {_shown(groups, mask)}"
    gauge = model.gauge()
    least, rows = max(model.distinct_l(), 1 if gauge is None else gauge.fewest), model.least_rows()
    seen = np.max([np.diff(each.starts) for each in groups.histograms.values()] or [groups.sizes], axis=0)
    for mask in np.flatnonzero(parts.holds & (seen < least))[:1]:
        yield f"every group that keeps the promise has distinct_l = {least} values", f"not {_shown(groups, mask)}"
    for mask in np.flatnonzero(parts.holds & (groups.sizes < rows))[:1]:
        yield f"every group that keeps the promise has least_rows = {rows} rows", f"not {_shown(groups, mask)}"


def _unions(bound: BoundPromise, parts: Parts, rng: np.random.Generator) -> Iterator[Broken]:
    """Of two among few rows, and of many in the whole table."""
    model = bound.model
    if not model.survives_merging:
        yield from _relaxed(bound, parts)
        return
    rule = "survives_merging says that unions of groups that keep the promise keep it"
    for one, other in list(zip(*parts.broken_unions(), strict=True))[:1]:
        yield rule, f"not that of {_shown(parts.groups, one)} and {_shown(parts.groups, other)}"
    rows = bound.table.rows
    labels = rng.integers(0, max(rows // 4, 1), rows)
    groups = bound.groups(np.arange(rows), labels, int(labels.max()) + 1)
    joined = model.holds(groups) & (rng.random(len(groups.sizes)) < 0.7)
    if joined.any() and not model.holds(groups.merged(joined))[0]:
        yield rule, f"not that of {', '.join(_shown(groups, each) for each in np.flatnonzero(joined))}"


def _relaxed(bound: BoundPromise, parts: Parts) -> Iterator[Broken]:
    """What an algorithm may search with instead."""
    weaker = bound.model.relaxed()
    if weaker is None:
        return
    other = BoundPromise.of(weaker, bound.table)
    if not other.model.survives_merging:
        yield "the relaxed promise survives merging", str(weaker)
        return
    for mask in np.flatnonzero(parts.holds & ~other.parts(parts.rows).holds)[:1]:
        yield f"what keeps the promise keeps the relaxed one, {weaker}", f"not {_shown(parts.groups, mask)}"


def _uniform(bound: BoundPromise) -> Iterator[Broken]:
    """Different values of the one column that it counts."""
    model, least = bound.model, bound.model.uniform_l()
    if least is None or len(model.statistics) > 1:
        return
    column = model.statistics[0] if model.statistics else ()
    codes = range(bound.table[column[0]].size) if len(column) == 1 else range(least)
    chosen = [dict.fromkeys(each, 1) for each in combinations(codes, least)][:100]
    if chosen:
        groups = Groups.of_counts(column[0] if column else "", chosen)
        for group in np.flatnonzero(~model.holds(groups))[:1]:
            yield f"uniform_l = {least} rows of different values keep the promise", f"not {_shown(groups, group)}"


def _declared(bound: BoundPromise, parts: Parts) -> Iterator[Broken]:
    """What others rest on who do not know which promise it is, of the one column that it counts."""
    model, groups, size = bound.model, parts.groups, bound.model.uniform_l()
    if not (len(model.statistics) == 1 and len(model.statistics[0]) == 1):
        return
    (column,) = model.statistics[0]
    ranked = [np.sort(groups[(column,)].row(group)[1])[::-1] for group in range(len(groups.sizes))]
    caps = model.caps()
    if caps is not None:
        within = np.array([_within(counts, caps) for counts in ranked])
        for mask in np.flatnonzero(within != parts.holds)[:1]:
            yield "caps are all that it promises", f"not of {_shown(groups, mask)}"
    if size is not None and model.uniform_only():
        top = np.array([counts.max(initial=0) for counts in ranked])
        for mask in np.flatnonzero(parts.can_be_cut & (top * size > groups.sizes))[:1]:
            yield f"it is kept only where all rows go to groups of {size} different values", _shown(groups, mask)
    if model.prefers_even:
        chosen = [mask for mask in np.flatnonzero(model.attainable(groups)).tolist() if len(ranked[mask])]
        evener = Groups.of_counts(column, [_evener(*groups[(column,)].row(mask)) for mask in chosen])
        for place in np.flatnonzero(~model.attainable(evener))[:1]:
            found = f"{_shown(groups, chosen[place])} is attainable, not {_shown(evener, place)}"
            yield "prefers_even says that more even counts can keep the promise as well", found


def _within(counts: Ints, caps: ShareCaps) -> bool:
    """Whether the most frequent values of a group, most frequent first, fill no more than they may."""
    rows = int(counts.sum())
    filled = np.cumsum(counts).tolist()
    return rows > 0 and all(top <= most * rows for top, most in zip(filled, caps.most, strict=False))


def _evener(values: Ints, counts: Ints) -> dict[int, int]:
    """One row of the most frequent value has the rarest instead, if that is more even."""
    top, rare = int(counts.argmax()), int(counts.argmin())
    moved = int(counts[top] - counts[rare] > 1)
    return {
        int(value): int(count) - moved * (place == top) + moved * (place == rare)
        for place, (value, count) in enumerate(zip(values, counts, strict=True))
    }


def _feasible(bound: BoundPromise) -> Iterator[Broken]:
    """What is said of the whole table."""
    model, able = bound.model, bound.attainable
    try:
        model.require_feasible(bound.whole)
    except Infeasible as error:
        if able:
            yield "require_feasible raises only where no grouping of all rows keeps the promise", str(error)
        elif error.nearest is not None and not BoundPromise.of(error.nearest, bound.table).attainable:
            yield "the nearest promise is one that the whole table can keep", str(error.nearest)
        return
    if not able:
        yield "require_feasible raises where no grouping of all rows keeps the promise", "it does not"


def _audited(trial: Trial, bound: BoundPromise, rng: np.random.Generator) -> Iterator[Broken]:
    """The auditor's judgement of each group, published alone, by its rule; the model's, by its counts."""
    labels = rng.integers(0, 4, trial.frame.height)
    named = trial.needs_group_id or not bound.model.survives_merging
    form = Generalized(group_id=named or bool(rng.random() < 0.5))
    secrets = [name for name, column in trial.columns.items() if column["role"] in _SECRET]
    frame = trial.frame.select(secrets).with_columns(q=pl.Series(labels).cast(pl.String))
    columns = {"q": {"role": "quasi"}, **{name: trial.columns[name] for name in secrets}}
    settings = {"form": form.model_dump(mode="json"), "suppression": {"limit": 1}}
    table = Trial(trial.seed, trial.promise, frame, columns).read(settings)
    coded = table.encode()
    mine = coded["q"].values.cast(pl.Int64).to_numpy()[coded.codes["q"]]
    groups = Groups.of(coded, mine, [columns for columns in bound.model.statistics if columns])
    holds = bound.model.holds(groups)
    for group in np.flatnonzero(groups.sizes).tolist():
        found = Partition.of(coded, np.where(mine == group, 0, -1))
        material = Material(table.policy, table.digest, coded, found, False, Randomness.fixed(trial.seed))
        made = publisher(form).publish(material)
        release = Release(table, coded, made, found.suppressed, loss=0.0, key_id="testing")
        verdict = release.judged()
        if verdict.holds != bool(holds[group]):
            said = f"the model says it is {'kept' if holds[group] else 'broken'} in {_shown(groups, group)}"
            yield "model and audit rule agree on every group", f"{said}; the auditor: {verdict.summary()}"


def _shown(groups: Groups, group: int | np.integer[Any]) -> str:
    """A group of synthetic rows in figures: code: count, by statistic."""
    texts = []
    for columns, histogram in groups.histograms.items():
        values, counts = histogram.row(int(group))
        pairs = ", ".join(f"{value}: {count}" for value, count in zip(values.tolist(), counts.tolist(), strict=True))
        texts.append(f"{'+'.join(columns)} {{{pairs}}}")
    return "; ".join(texts) or f"a group of rows: {int(groups.sizes[int(group)])}"
