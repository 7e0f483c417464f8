"""Whether a release is true: against looking for an assignment of rows by hand, and on what was broken by hand."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.matching import Kinds, OriginalRows, match
from sfumato.auditor.truthful import Truthfulness
from sfumato.release.documents import InMemory
from sfumato.release.spans import CellSpans
from tests.support.examples import examples

POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
        "ward": {"role": "insensitive"},
    },
    "privacy": [{"model": "distinct-l", "l": 1}],
}


def truth(theirs: object, original: object, policy: Any = POLICY, **how: Any) -> Truthfulness:
    found = sf.audit(theirs, policy, original=original, **how).truth
    assert found is not None
    return found


def assigned(fits: list[list[int]]) -> int:
    """How many of some rows can each have one of those that fit it, alone (Kuhn's algorithm)."""
    owner: dict[int, int] = {}

    def finds(row: int, seen: set[int]) -> bool:
        for other in fits[row]:
            if other not in seen:
                seen.add(other)
                if other not in owner or finds(owner[other], seen):
                    owner[other] = row
                    return True
        return False

    return sum(finds(row, set()) for row in range(len(fits)))


def people(draw: random.Random, rows: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 28) for _ in range(rows)],
            "sex": [draw.choice("fmx") for _ in range(rows)],
            "disease": [draw.choice("abc") for _ in range(rows)],
            "ward": [draw.choice(["1", "2"]) for _ in range(rows)],
        }
    )


Shown = tuple[str, Callable[[Any], bool]]


def generalized(draw: random.Random, row: dict[str, Any]) -> dict[str, Shown]:
    """A published row: texts, and what each of them means; some of them are of nobody."""
    low = row["age"] - draw.randrange(3) + (draw.random() < 0.1) * draw.randrange(4)
    high = low + draw.randrange(4)
    sexes = {row["sex"], draw.choice("fmx")} if draw.random() < 0.9 else {draw.choice("fmx")}
    ages: list[Shown] = [
        (f"[{low}, {high}]", lambda age: low <= age <= high),
        (f"[{low}, {high + 1}[", lambda age: low <= age <= high),
        (f"{low}-{high}", lambda age: low <= age <= high),
        (f">={low}", lambda age: age >= low),
        ("*", lambda age: True),
        (f"{row['age']}.0", lambda age: age == row["age"]),
    ]
    disease = row["disease"] if draw.random() < 0.9 else draw.choice("abc")
    ward = row["ward"] if draw.random() < 0.95 else "3"
    return {
        "age": draw.choice(ages),
        "sex": ("{" + ", ".join(sorted(sexes)) + "}", lambda sex: sex in sexes),
        "disease": (disease, lambda found: found == disease),
        "ward": (ward, lambda found: found == ward),
    }


@settings(max_examples=examples(300))
@given(st.integers(0, 10**6), st.integers(1, 14))
def test_as_many_rows_are_untrue_as_no_assignment_accounts_for(seed: int, rows: int) -> None:
    draw = random.Random(seed)
    original = people(draw, rows)
    shown = [generalized(draw, row) for row in original.to_dicts()]
    shown = draw.sample(shown, draw.randrange(1, rows + 1)) + draw.choices(shown, k=draw.choice([0, 0, 1]))
    theirs = pl.DataFrame([{name: text for name, (text, _) in row.items()} for row in shown])
    known = original.to_dicts()
    fits = [
        [place for place, each in enumerate(known) if all(means(each[name]) for name, (_, means) in row.items())]
        for row in shown
    ]
    found = truth(theirs, original)
    assert found.exact and found.untrue == len(shown) - assigned(fits)
    assert found.more == max(len(shown) - rows, 0) and found.left_out == max(rows - len(shown), 0)
    for name in POLICY["columns"]:
        strange = sum(not any(row[name][1](each[name]) for each in known) for row in shown)
        assert found.cells.get(name, 0) == strange


@pytest.mark.parametrize("gap", [False, True])
def test_many_rows_are_compared_by_compiled_loops(gap: bool) -> None:
    """The same rows by numpy, by loops and, with no room for pairs, each kind by itself."""
    draw = np.random.default_rng(3)
    points = OriginalRows(draw.integers(0, 30, (4000, 2)).astype(np.int32), draw.integers(1, 3, 4000))
    low = draw.integers(0, 28, 1500)
    listed = [[each, each + 2] if gap else [each, each + 1, each + 2] for each in low.tolist()]
    spans = CellSpans.listed(listed)
    kinds = Kinds((np.arange(1500), draw.permutation(1500)), (spans, spans), draw.integers(0, 12, 1500))
    found = match(kinds, points)
    fits = [
        int(
            points.counts[
                np.isin(points.codes[:, 0], listed[kinds.cells[0][kind]])
                & np.isin(points.codes[:, 1], listed[kinds.cells[1][kind]])
            ].sum()
        )
        for kind in range(1500)
    ]
    lacking = sum(max(int(count) - fit, 0) for count, fit in zip(kinds.counts, fits, strict=True))
    assert found.exact and found.nowhere + found.over >= lacking
    given_up = match(kinds, points, steps=0)
    assert not given_up.exact and given_up.nowhere + given_up.over == lacking
    apart = match(kinds, points, most=10)
    assert not apart.exact and apart.nowhere + apart.over <= lacking and apart.starts is None
    assert (apart.nowhere + apart.over == lacking) or gap
    assert match(kinds, points, most=10, steps=0).over == 0


def test_too_many_pairs_are_seen_by_some_kinds() -> None:
    """Each of 5,000 kinds holds 100 of 1,000 points, which have 1,000 rows for 10,000: 500,000 pairs."""
    spans = CellSpans.listed([[*range(100)]])
    kinds = Kinds((np.zeros(5000, np.int64),), (spans,), np.full(5000, 2))
    points = OriginalRows(np.arange(1000, dtype=np.int32).reshape(-1, 1), np.full(1000, 10))
    found = match(kinds, points, most=500_000)
    assert (found.exact, found.over) == (True, 9000)
    given_up = match(kinds, points, most=100_000)
    assert (given_up.exact, given_up.over, given_up.looked) == (False, 0, 1)


FORMS = ["generalized", "anatomized", "permuted", "sliced", "ring", "randomized"]


def published(seed: int, form: str) -> tuple[pl.DataFrame, sf.Release]:
    draw = random.Random(seed)
    frame = people(draw, draw.randrange(12, 40))
    frame = frame.with_columns(disease=pl.Series([f"d{place % 6}" for place in range(frame.height)]))
    how = {"form": {"publish": form}, "suppression": {"limit": "1/2", "keep": draw.random() < 0.5}}
    partition = {"method": "mondrian", **({"slack": 1} if form == "randomized" else {})}
    policy = {**POLICY, "privacy": [{"model": "simple-l", "l": 2}], "partition": partition}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.SfumatoWarning)  # wards may single rows out
        return frame, sf.publish(frame, policy={**policy, **how}, seed=seed)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(60))
@given(seed=st.integers(0, 10**6))
def test_our_own_releases_are_true(form: str, seed: int) -> None:
    frame, release = published(seed, form)
    shown, manifest = release.held
    audit = sf.audit(shown, release.source.policy, manifest, original=frame)
    assert audit.truth is not None and audit.truth.holds, audit.summary()
    assert audit.holds == sf.audit(shown, release.source.policy, manifest).holds


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(60))
@given(seed=st.integers(0, 10**6))
def test_one_cell_that_fits_nobody_is_found(form: str, seed: int) -> None:
    frame, release = published(seed, form)
    shown, manifest = release.held
    draw, tables = random.Random(seed), dict(shown.tables)
    where = draw.choice(
        [(key, name) for key, table in tables.items() for name in table.columns if name in POLICY["columns"]]
    )
    if form == "randomized" and where[1] == "disease":
        return  # changed at random, and not compared
    key, name = where
    texts = tables[key][name].cast(pl.String).to_list()
    texts[draw.randrange(len(texts))] = "77"
    tables[key] = tables[key].with_columns(pl.Series(name, texts))
    broken = sf.audit(InMemory(shown.document, tables), release.source.policy, manifest, original=frame).truth
    assert broken is not None and broken.cells == {name: broken.cells[name]} and broken.untrue >= 1
