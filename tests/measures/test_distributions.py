"""What a release says of distributions: by hand, and against loops over rows, groups and values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.measures.association import phi2
from sfumato.measures.spread import CodeRuns
from sfumato.release.cells import covers
from sfumato.release.subject import Subject
from tests.support.examples import examples
from tests.support.golden import golden

Pairs = dict[tuple[str, str], Fraction]
ILL = {"tree": {"any": {"x": ["a", "b"], "y": ["c", "d"]}}}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "type": "integer"},
    "land": {"role": "quasi", "hierarchy": {"tree": {"north": ["dk", "se", "fi"], "south": ["es", "it"]}}},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive", "hierarchy": ILL},
}


def people(seed: int, rows: int) -> pl.DataFrame:
    """Illness goes with the land."""
    draw = random.Random(seed)
    ill = [draw.choice("abcd") for _ in range(rows)]
    made = {
        "age": [draw.randrange(20, 27) for _ in range(rows)],
        "land": [draw.choice(["dk", "se"] if each in "ab" else ["es", "it", "se"]) for each in ill],
        "sex": [draw.choice(["f", "m", "n"]) for _ in range(rows)],
        "ill": ill,
    }
    return pl.DataFrame(made)


def meant(subject: Subject, name: str, cell: str) -> list[str]:
    """The values of the original that a cell may be."""
    domain, column = subject.domain(name), subject.policy.columns[name]
    texts = domain.values.cast(pl.String).to_list()
    present = [text for text, count in zip(texts, domain.counts, strict=True) if count]
    found = [text for text in present if covers(cell, text, column, domain.taxonomy)]
    return found or [text for text in texts if covers(cell, text, column, domain.taxonomy)]


def pairs_of(subject: Subject, name: str, exact: bool) -> Pairs:
    """Rows of the release by values of two columns, by loops."""
    found: Pairs = {}

    def add(one: Sequence[str], other: Sequence[str], mass: Fraction) -> None:
        for a in one:
            for s in other:
                found[a, s] = found.get((a, s), Fraction(0)) + mass / len(one) / len(other)

    table, ids = subject.seen.table.cast(pl.String).to_dicts(), str(subject.received.evidence.group_id)
    if not exact:
        for row in table:
            add(meant(subject, name, row[name]), meant(subject, "ill", row["ill"]), Fraction(1))
        return found
    frame = next(each for each in subject.people if name in each.columns).cast(pl.String).to_dicts()
    for group in {row[ids] for row in table}:
        mine = [row["ill"] for row in table if row[ids] == group]
        for person in (row[name] for row in frame if row[ids] == group):
            for ill in mine:
                add(meant(subject, name, person), meant(subject, "ill", ill), Fraction(1, len(mine)))
    return found


def slow_phi2(pairs: Pairs) -> Fraction:
    whole = sum(pairs.values())
    rows, columns = ({pair[at] for pair, mass in pairs.items() if mass} for at in (0, 1))
    by_row = {a: sum(pairs.get((a, s), Fraction(0)) for s in columns) / whole for a in rows}
    by_column = {s: sum(pairs.get((a, s), Fraction(0)) for a in rows) / whole for s in columns}
    least = min(len(rows), len(columns))
    if least < 2:
        return Fraction(0)
    total = sum(
        (pairs.get((a, s), Fraction(0)) / whole - by_row[a] * by_column[s]) ** 2 / (by_row[a] * by_column[s])
        for a in rows
        for s in columns
    )
    return Fraction(total) / (least - 1)


def slow_kl(original: dict[Any, Fraction], shown: dict[Any, Fraction], suppressed: int) -> float:
    rows, total = sum(original.values()), sum(shown.values()) + suppressed
    found = 0.0
    for value, count in original.items():
        says = shown.get(value, Fraction(0)) + Fraction(suppressed, len(original))
        found += float(count / rows) * log2((count / rows) / (says / total))
    return found


def counted(pairs: Sequence[Any]) -> dict[Any, Fraction]:
    return {pair: Fraction(sum(each == pair for each in pairs)) for pair in {*pairs}}


WAYS: dict[str, dict[str, Any]] = {
    "generalized": {"partition": {"method": "mondrian"}},
    "less": {"partition": {"method": "lattice"}, "suppression": {"limit": "1/2"}},
    "sweep": {"partition": {"method": "sweep"}, "privacy": [{"model": "tau-l", "tau": "2/3", "l": 2}]},
    "anatomized": {"partition": {"method": "mondrian"}, "form": {"publish": "anatomized"}},
    "permuted": {"partition": {"method": "mondrian"}, "form": {"publish": "permuted"}},
    "kept": {
        "partition": {"method": "lattice"},
        "form": {"publish": "permuted"},
        "suppression": {"limit": "1/2", "keep": True},
    },
    "sliced": {
        "partition": {"method": "mondrian"},
        "form": {"publish": "sliced", "slices": [["age"], ["land", "ill"], ["sex"]]},
    },
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=examples(25))
@given(st.integers(0, 10**6), st.integers(8, 25))
def test_distributions_against_loops(way: str, seed: int, rows: int) -> None:
    table = people(seed, rows)
    given = {"columns": COLUMNS, "privacy": [{"model": "distinct-l", "l": 2}], **WAYS[way]}
    try:
        release = sf.publish(table, policy=given, seed=seed)
    except sf.NoneFound:
        return
    subject = Subject.of(release)
    found = sf.measure(release, only=["kl-marginals", "kl-pairs", "phi2-kept"])
    texts = table.cast(pl.String)
    before, after = {}, {}
    for name in ("age", "land", "sex"):
        alone = way in ("generalized", "less", "sweep") or (way == "sliced" and name == "land")
        shown = pairs_of(subject, name, not alone)
        original = counted(texts.select(name, "ill").rows())
        wanted = slow_kl(original, shown, subject.suppressed)
        assert found["kl-pairs"].columns[name] == pytest.approx(wanted, abs=1e-9)
        before[name] = float(slow_phi2(original))
        after[name] = float(slow_phi2(shown)) * (subject.published / rows) ** 2
        values: dict[str, Fraction] = {}
        for (value, _), mass in shown.items():
            values[value] = values.get(value, Fraction(0)) + mass
        wanted = slow_kl(counted(texts[name].to_list()), values, subject.suppressed)
        assert found["kl-marginals"].columns[name] == pytest.approx(wanted, abs=1e-9)
    assert found["phi2-kept"].details["phi² of the original"] == pytest.approx(before)
    assert found["phi2-kept"].details["phi² of the release"] == pytest.approx(after, abs=1e-9)
    whole = sum(before.values())
    assert found["phi2-kept"].value == pytest.approx(sum(after.values()) / whole if whole else 1)


@pytest.mark.parametrize("case", golden("arp")["phi2"], ids=lambda case: f"{case['a']} {case['s']}")
def test_phi2_of_the_paper(case: dict[str, Any]) -> None:
    rows = [*zip(case["a"].split(), case["s"].split(), strict=True)]
    a, s = (sorted({row[at] for row in rows}) for at in (0, 1))
    made = np.array([[float(rows.count((x, y))) for y in s] for x in a])
    assert phi2(made) == pytest.approx(float(Fraction(case["phi2"])))


POLICY = {
    "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
    "privacy": [{"model": "distinct-l", "l": 1}],
}


def test_by_hand() -> None:
    """a goes with 1 and b with 2. With a and b joined nothing is left of it, and one bit of four pairs."""
    original = pl.DataFrame({"q": [*"aabb"], "s": [*"1122"]})
    shown = original.with_columns(q=pl.lit("{a, b}"))
    found = sf.measure(shown, POLICY, original=original, only=["kl-marginals", "kl-pairs", "phi2-kept"])
    assert found["phi2-kept"].value == 0 and found["kl-pairs"].value == pytest.approx(1)
    assert found["kl-marginals"].columns == pytest.approx({"q": 0, "s": 0})
    same = sf.measure(original, POLICY, original=original, only=["kl-marginals", "kl-pairs", "phi2-kept"])
    assert [same[name].value for name in ("kl-marginals", "kl-pairs", "phi2-kept")] == [0, 0, 1]
    half = sf.measure(original[::2], POLICY, original=original, only=["phi2-kept", "kl-marginals"])
    assert half["phi2-kept"].value == pytest.approx(1 / 4), "of half of the rows nothing is known"
    assert half["kl-marginals"].value == 0, "they may be anything"


def test_a_value_that_is_never_shown_is_half_a_row() -> None:
    original = pl.DataFrame({"q": [*"aabb"], "s": [*"1122"]})
    shown = original.with_columns(q=pl.lit("a"))
    found = sf.measure(shown, POLICY, original=original, only=["kl-marginals"])["kl-marginals"]
    assert found.columns["q"] == pytest.approx(0.5 * log2(0.5 / (4 / 4.5)) + 0.5 * log2(0.5 / (0.5 / 4.5)))


def test_numbers_with_many_values_are_put_in_bins() -> None:
    draw = np.random.default_rng(7)
    age = draw.permutation(1000)
    original = pl.DataFrame({"age": age, "s": np.where(age < 500, "young", "old")})
    columns = {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
    subject = Subject.of(original, {**POLICY, "columns": columns}, original=original)
    assert len(CodeRuns.few(subject.domain("age"), 100)) == 100 and len(CodeRuns.few(subject.domain("s"), 2)) == 2
    tens = original.with_columns(age=pl.Series([f"[{each // 10 * 10}, {each // 10 * 10 + 9}]" for each in age]))
    found = sf.measure(tens, {**POLICY, "columns": columns}, original=original, only=["phi2-kept", "kl-pairs"])
    assert found["phi2-kept"].value == pytest.approx(1) and found["kl-pairs"].value == pytest.approx(0)
    halves = original.with_columns(age=pl.Series([f"[{each // 250 * 250}, {each // 250 * 250 + 249}]" for each in age]))
    assert sf.measure(halves, {**POLICY, "columns": columns}, original=original, only=["phi2-kept"])[
        "phi2-kept"
    ].value == pytest.approx(1), "a quarter of all ages still tells young from old"
    fewer = {"measure": "phi2-kept", "bins": 1}
    with pytest.raises(sf.InputError, match="2 bins"):
        sf.measure(original, {**POLICY, "columns": columns}, original=original, only=[fewer])


def test_missing_numbers_have_a_bin_of_their_own() -> None:
    original = pl.DataFrame({"age": [*range(300), None, None], "s": ["a", "b"] * 151})
    columns = {"age": {"role": "quasi", "type": "integer", "missing": "category"}, "s": {"role": "sensitive"}}
    bins = CodeRuns.few(Subject.of(original, {**POLICY, "columns": columns}, original=original).domain("age"), 10)
    assert len(bins) == 11 and np.bincount(bins.of).tolist() == [30] * 10 + [1]


def test_what_they_need() -> None:
    table = pl.DataFrame({"q": ["x", "y"]})
    only = ["kl-pairs", "phi2-kept"]
    columns = {"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    found = sf.measure(table, columns, original=table, only=only)
    assert {each.lacks for each in found.measurements} == {"a quasi-identifier and a sensitive column in the release"}
