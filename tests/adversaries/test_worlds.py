"""Worlds, against all ways to match people with rows one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from sfumato.adversaries.worlds import Puzzle, World, ways
from tests.support.examples import examples


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Up to six people of up to three kinds, as many rows; who may be which row is drawn."""
    people = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda counts: sum(counts) <= 6))
    kinds = draw(st.integers(1, 3))
    rows = [0] * kinds
    for _ in range(sum(people)):
        rows[draw(st.integers(0, kinds - 1))] += 1
    may = [draw(st.lists(st.integers(0, kinds - 1), min_size=1, unique=True)) for _ in people]
    means = [draw(st.sampled_from(["a", "b", "ab", "bc"])) for _ in rows]
    return Puzzle(
        tuple(people),
        tuple(range(len(people))),
        tuple(people),
        tuple(tuple(sorted(each)) for each in may),
        tuple(rows),
        tuple(tuple(each) for each in means),
    )


def matched(puzzle: Puzzle) -> tuple[Counter[tuple[str, ...]], list[int]]:
    """What every person has, in how many ways, by trying every order of the rows and every meaning; whose each is."""
    whose = [kind for kind, count in enumerate(puzzle.people) for _ in range(count)]
    rows = [kind for kind, count in enumerate(puzzle.rows) for _ in range(count)]
    found: Counter[tuple[str, ...]] = Counter()
    for order in permutations(rows):
        if all(row in puzzle.may[person] for person, row in zip(whose, order, strict=True)):
            for secrets in product(*(puzzle.means[row] for row in order)):
                found[tuple(map(str, secrets))] += 1
    return found, whose


def world_of(secrets: tuple[str, ...], whose: list[int]) -> World:
    held = [Counter(secret for secret, mine in zip(secrets, whose, strict=True) if mine == kind) for kind in {*whose}]
    return tuple(tuple(sorted(each.items())) for each in held)


@settings(max_examples=examples(60))
@given(puzzles())
def test_all_worlds_are_found_once_and_counted(puzzle: Puzzle) -> None:
    found, whose = matched(puzzle)
    tables = Counter(world_of(secrets, whose) for secrets in found)
    worlds = puzzle.worlds(10_000)
    assert worlds is not None and sorted(worlds) == sorted(tables)
    assert {world: ways(world) for world in worlds} == tables
    assert not tables or puzzle.worlds(len(tables) - 1) is None


PUZZLES = [
    Puzzle((2, 2), (0, 1), (2, 2), ((0, 1), (1, 2)), (1, 2, 1), (("a",), ("b",), ("c",))),
    Puzzle((2, 1), (0, 1), (2, 1), ((0, 1), (0, 1)), (2, 1), (("a", "b"), ("a",))),
    Puzzle((3,), (0,), (3,), ((0, 1),), (2, 1), (("a",), ("b",))),
]


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_what_is_drawn_counts_every_matching_alike(puzzle: Puzzle) -> None:
    found, whose = matched(puzzle)
    wanted: Counter[World] = Counter()
    for secrets, many in found.items():
        wanted[world_of(secrets, whose)] += many
    chance, drawn = default_rng(1), dict.fromkeys(wanted, 0.0)
    for _ in range(4000):
        made = puzzle.drawn(chance)
        if made is not None:
            drawn[made[0]] += exp(made[1])
    whole = sum(drawn.values())
    for world, many in wanted.items():
        assert drawn[world] / whole == pytest.approx(float(Fraction(many, wanted.total())), abs=0.04)
