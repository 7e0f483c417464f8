"""Rings: the counterexamples of 003's form, matchings by trying every permutation, and honest releases."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.adversaries.matchings import components, pairs_matched
from sfumato.release.cells import covers
from tests.support.attacks import POLICY as HOSPITAL
from tests.support.attacks import hospital, released

POLICY: dict[str, Any] = {
    "columns": {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}},
    "privacy": [{"model": "simple-l", "l": 2}],
}
AGES, SHOWN = [20, 30, 40, 50], ["[20, 30]", "[30, 40]", "[40, 50]", "[20, 50]"]


def attacked(values: str, order: list[int], **more: Any) -> tuple[sf.Exposure, ...]:
    """Four people with a, b, c, d; rows of their ring carry these values, and stand in some order."""
    rows = pl.DataFrame({"age": SHOWN, "s": list(values)})[order]
    original = pl.DataFrame({"age": AGES, "s": list("abcd")})
    return sf.attack(rows, POLICY, original=original, only=[{"adversary": "ring", "l": 2, **more}])["ring"].exposures


def test_own_values_first_in_ring_order_tell_everything() -> None:
    """Who is covered by the first and the last row is first, by the first and the second is second, and so on."""
    matchings, order = attacked("abcd", [0, 1, 2, 3])
    assert (order.details["who"], order.people, order.exposed, order.right) == ("order", 4, 4, 1.0)
    assert matchings.details["who"] == "matchings"


def test_matchings_are_not_all_rotations() -> None:
    """Four matchings fit. The first row is the first person's in three of them, though two rotations were promised."""
    [matchings] = attacked("abcd", [2, 0, 3, 1])
    assert (matchings.surest, matchings.details["promised"]) == (0.75, 0.5)
    assert matchings.exposed == 2  # the first and the last; of the others one value is believed with 1/2
    assert matchings.details["mean belief in the truth"] == (3 + 2 + 1 + 1) / 16


def test_the_other_rotation_misleads_who_reads_the_order() -> None:
    """Turned by one, everybody's row carries the next one's value: nobody is right."""
    _, turned = attacked("bcda", [0, 1, 2, 3])
    assert (turned.exposed, turned.right) == (0, 0.0)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 2))
def test_matchings_against_every_permutation(seed: int, rows: int, more: int) -> None:
    fits = np.random.default_rng(seed).random((rows + more, rows)) < 0.6
    counts, found = np.zeros(fits.shape), 0
    for owners in permutations(range(rows + more), rows):  # of every row, whose it is
        if all(fits[person, row] for row, person in enumerate(owners)):
            found += 1
            for row, person in enumerate(owners):
                counts[person, row] += 1
    assert pairs_matched(fits) == pytest.approx(counts / max(found, 1))


@given(st.integers(0, 10**6))
def test_parts_hang_together_and_with_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = {(int(p), int(g)) for p, g in zip(rng.integers(0, 8, 9), rng.integers(0, 8, 9), strict=True)}
    person, group = (np.array(each) for each in zip(*sorted(edges), strict=True))
    parts = [({*part.people.tolist()}, {*part.classes.tolist()}) for part in components(person, group, 8, 8)]
    left = [({p}, {g}) for p, g in edges]
    for p, g in edges:  # merged one by one
        touched = [part for part in left if p in part[0] or g in part[1]]
        left = [part for part in left if part not in touched]
        left.append(({p for part in touched for p in part[0]}, {g for part in touched for g in part[1]}))
    assert sorted(map(str, parts)) == sorted(map(str, left))


@pytest.mark.parametrize("draw", ["rotation", "matching"])
def test_a_turned_ring_is_given_away_by_one_value(draw: str) -> None:
    """Six people in a ring of three neighbours each, shown as the towns of three: where it was turned as a whole, five
    follow from the sixth; and who takes everybody's own value to come first is right of all of them, or of nobody."""
    frame = pl.DataFrame({"town": list("uvwxyz"), "s": list("abcdef")})
    policy = {**POLICY, "columns": {"town": {"role": "quasi"}, "s": {"role": "sensitive"}}}
    policy |= {"privacy": [{"model": "simple-l", "l": 3}], "partition": {"method": "mondrian", "slack": 3}}
    right = []
    for seed in range(12):
        release = sf.publish(frame, policy={**policy, "form": {"publish": "ring", "draw": draw}}, seed=seed)
        found = {str(each.details["who"]): each for each in sf.attack(release, only=["ring"])["ring"].exposures}
        if draw == "matching":
            assert "one leak" not in found and found["matchings"].people == 6
            continue
        leak, order = found["one leak"], found["order"]
        assert (leak.people, leak.exposed, leak.details["rings"]) == (6, 5, 1)
        assert order.people == 6 and found["matchings"].details["promised"] == pytest.approx(1 / 3)
        right.append(order.right)
    assert {*right} == ({0.0, 1.0} if draw == "rotation" else set())


@given(st.integers(0, 10**6), st.integers(8, 24))
def test_beliefs_of_a_release_against_every_matching(seed: int, rows: int) -> None:
    """As far as parts have up to five rows: the chance of everybody's own value, by all permutations of their part."""
    frame = hospital(seed, rows)
    release = released(frame, "ring")
    [found, *_] = sf.attack(release, only=[{"adversary": "ring", "most": 5}])["ring"].exposures
    people, shown = frame.cast(pl.String).to_dicts(), release.table.cast(pl.String).to_dicts()
    columns = sf.read_policy(HOSPITAL).columns
    fits = {
        (i, j)
        for i, person in enumerate(people)
        for j, row in enumerate(shown)
        if all(covers(row[name], person[name], columns[name]) for name in ("age", "zip", "sex"))
    }
    beliefs, large, waiting = 0.0, 0, {*range(rows)}
    while waiting:
        mine = part_of(min(waiting), fits)
        waiting -= mine
        theirs = sorted({j for i, j in fits if i in mine})
        whole = len(fits & {(i, j) for i in mine for j in theirs}) == len(mine) * len(theirs)
        if len(theirs) > 5 and not whole:
            large += len(mine)
            continue
        if whole:  # everybody may be everywhere
            held = [shown[j]["disease"] for j in theirs]
            beliefs += sum(held.count(people[i]["disease"]) / len(held) for i in mine)
            continue
        worlds = [
            each
            for each in permutations(sorted(mine))
            if all((i, j) in fits for i, j in zip(each, theirs, strict=True))
        ]
        hits = sum(
            people[i]["disease"] == shown[j]["disease"] for each in worlds for i, j in zip(each, theirs, strict=True)
        )
        beliefs += hits / len(worlds)
    assert (found.people, found.details["people in parts that are too large"]) == (rows - large, large)
    assert found.details["mean belief in the truth"] == pytest.approx(beliefs / max(rows - large, 1))


def part_of(person: int, fits: set[tuple[int, int]]) -> set[int]:
    """Everybody who hangs together with somebody."""
    mine = {person}
    while True:
        theirs = {j for i, j in fits if i in mine}
        more = {i for i, j in fits if j in theirs}
        if more == mine:
            return mine
        mine = more


def test_other_forms_and_bare_tables_have_no_rings() -> None:
    release = released(hospital(3, 30), "generalized")
    assert "generalized" in sf.attack(release, only=["ring"])["ring"].lacks
    bare = sf.attack(
        pl.DataFrame({"age": SHOWN, "s": list("abcd")}),
        POLICY,
        original=pl.DataFrame({"age": AGES, "s": list("abcd")}),
        only=["ring"],
    )
    assert "of which l says" in bare["ring"].lacks
    with pytest.raises(sf.InputError, match="most must be from 1 to 18"):
        attacked("abcd", [0, 1, 2, 3], most=40)
