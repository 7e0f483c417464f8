"""Rings: any l neighbours differ, and what an adversary learns, by enumerating what could have been drawn."""

from __future__ import annotations

import doctest
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.forms import ring_order as subject
from sfumato.forms.ring_order import Rings, carried, matching, ring_order, rings_of
from sfumato.randomness import Randomness
from tests.support.examples import examples
from tests.support.golden import golden

GOLDEN = golden("rings")
Values = tuple[str, ...]


def windows(ring: Sequence[Any], size: int) -> list[list[Any]]:
    return [[ring[(place + step) % len(ring)] for step in range(size)] for place in range(len(ring))]


def turns(ring: Sequence[Any], size: int) -> bool:
    """Whether any `size` neighbours differ."""
    return all(len(set(window)) == size for window in windows(ring, size))


# --- the order --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", GOLDEN["ring"], ids=lambda case: f"{case['block']} l={case['l']}")
def test_rings_that_exist(case: dict[str, Any]) -> None:
    counts = [count for _, count in sorted(Counter(case["block"].split()).items())]
    found = ring_order(counts, case["l"])
    assert (found is not None) == case["exists"]
    assert found is None or (turns(found, case["l"]) and [found.count(v) for v in range(len(counts))] == counts)


@pytest.mark.parametrize("rows", range(2, 8))
def test_a_ring_is_found_if_there_is_one_at_all(rows: int) -> None:
    """Against trying every order."""
    for size, parts in product(range(2, rows + 1), partitions(rows, rows)):
        values = [value for value, count in enumerate(parts) for _ in range(count)]
        exists = any(turns((values[0], *rest), size) for rest in set(permutations(values[1:])))
        found = ring_order(parts, size)
        assert (found is not None) == exists == (max(parts) <= rows // size), (parts, size)
        assert found is None or turns(found, size)


def partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a number as a sum, the largest first."""
    if total == 0:
        yield ()
    for first in range(min(total, most), 0, -1):
        yield from ((first, *rest) for rest in partitions(total - first, first))


@st.composite
def blocks_at_the_limit(draw: st.DrawFn) -> tuple[list[int], int]:
    """Counts with a value that occurs as often as it may, in a number of rows that need not be a multiple of l."""
    size = draw(st.integers(2, 7))
    rows = draw(st.integers(size, 60))
    most, left = rows // size, rows % size + rows // size * size
    counts: list[int] = []
    while left:
        counts.append(min(left, most if not counts or draw(st.booleans()) else draw(st.integers(1, most))))
        left -= counts[-1]
    return counts, size


@settings(max_examples=examples(200))
@given(blocks_at_the_limit(), st.integers(0, 10**6))
def test_every_window_differs_at_the_limit(block: tuple[list[int], int], seed: int) -> None:
    counts, size = block
    values = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    labels = np.zeros(len(values), dtype=np.int64)
    ring = rings_of(labels, [values], size, Randomness.fixed(seed), cut=False)
    assert sorted(ring.rows.tolist()) == list(range(len(values))) and ring.width.tolist() == [size]
    assert turns(values[ring.rows].tolist(), size)
    cut = rings_of(labels, [values], size, Randomness.fixed(seed), cut=True)
    assert sorted(cut.rows.tolist()) == list(range(len(values))) and len(cut.length) == len(values) // size
    for begin, end in zip(cut.starts[:-1], cut.starts[1:], strict=True):
        part = values[cut.rows[begin:end]].tolist()
        assert size <= len(part) == len(set(part)) < 2 * size
        assert set(cut.rows[begin:end].tolist()) == set(ring.rows[begin:end].tolist()), "a line of the matrix"


def test_groups_without_a_ring_are_shown_whole() -> None:
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, -1, 3])
    values = np.array([0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 5])
    for cut in (False, True):
        made = rings_of(labels, [values], 2, Randomness.fixed(1), cut)
        shown = {
            frozenset(made.rows[begin:end].tolist()): int(width)
            for begin, end, width in zip(made.starts, made.starts[1:], made.width, strict=False)
        }
        assert shown[frozenset({0, 1, 2})] == 3 and shown[frozenset({3, 4})] == 2 and shown[frozenset({10})] == 1
        assert (frozenset({5, 6, 7, 8}) in shown) is not cut
    both = rings_of(labels, [values, np.zeros_like(values)], 2, Randomness.fixed(1), cut=False)
    assert (both.width == both.length).all(), "in the second column nobody differs"


def test_windows_and_documented_examples() -> None:
    assert doctest.testmod(subject).failed == 0 and doctest.testmod(subject).attempted > 2
    made = Rings(np.array([3, 1, 2, 0]), np.array([0, 4]), np.array([3]))
    rows, starts, shows = made.windows()
    assert rows.tolist() == [3, 1, 2, 1, 2, 0, 2, 0, 3, 0, 3, 1] and starts.tolist() == [0, 3, 6, 9, 12]
    assert shows.tolist() == [0, 1, 2, 3]


class Tied(Randomness):
    """Equal counts are always in the order of values."""

    def shuffle(self, count: int, purpose: str) -> Any:
        return np.arange(count) if purpose == "ties of values" else super().shuffle(count, purpose)


def test_places_of_a_value_are_drawn() -> None:
    """Two rows have a; which of them comes before b is even."""
    values, labels = np.array([0, 0, 1, 2]), np.zeros(4, dtype=np.int64)
    followed = Counter()  # type: Counter[int]
    for seed in range(300):
        ring = rings_of(labels, [values], 2, Tied(Randomness.fixed(seed).seed), cut=False).rows.tolist()
        followed[ring[(ring.index(2) - 1) % 4]] += 1
    assert followed.keys() == {0, 1} and 110 < followed[0] < 190


def test_the_order_in_a_cut_ring_does_not_come_from_its_values() -> None:
    values, labels = np.array([0, 1, 2, 3]), np.zeros(4, dtype=np.int64)
    orders = Counter(
        tuple(rings_of(labels, [values], 3, Tied(Randomness.fixed(seed).seed), cut=True).rows.tolist())
        for seed in range(480)
    )
    assert len(orders) == 24 and max(orders.values()) < 50, "20 of each expected"


# --- who carries what -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "width"), [(3, 2), (4, 3), (5, 3), (7, 4), (8, 5), (9, 5), (6, 2)])
@pytest.mark.parametrize("seed", range(5))
def test_matchings_hold_every_pair_once(length: int, width: int, seed: int) -> None:
    """So that each pair has probability 1/width exactly, if the last number is all that is random."""
    keys = Randomness.fixed(seed).numbers(length * width + 1, "test").copy()
    pairs = Counter()  # type: Counter[tuple[int, int]]
    for chosen in range(width):
        keys[-1] = chosen
        found = matching(length, width, keys)
        assert sorted(found) == list(range(length))
        pairs.update(enumerate(found))
    assert pairs == Counter((place, (place + step) % length) for place in range(length) for step in range(width))


@pytest.mark.parametrize("turn", [False, True])
def test_everybody_is_carried_once_by_a_row_that_shows_them(turn: bool) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 6, 80)
    values = rng.integers(0, 9, 80)
    made = rings_of(labels, [values], 3, Randomness.fixed(5), cut=not turn)
    taken = carried(made, Randomness.fixed(5), turn)
    assert sorted(taken.tolist()) == list(range(80))
    rows, starts, shows = made.windows()
    for place, row in enumerate(taken.tolist()):
        assert row in rows[starts[shows[place]] : starts[shows[place] + 1]]
    turned = [
        {(made.rows[begin:end].tolist().index(row) - at) % (end - begin) for at, row in enumerate(taken[begin:end])}
        for begin, end, width in zip(made.starts.tolist(), made.starts[1:].tolist(), made.width.tolist(), strict=False)
        if width < end - begin
    ]
    assert turned and (all(len(steps) == 1 for steps in turned) is turn)


# --- what an adversary learns -----------------------------------------------------------------------------------------

Drawn = tuple[tuple[int, ...], Values]
"""A ring of people from the first of them on, and what the row of each carries."""
Beliefs = dict[Drawn, dict[Values, Fraction]]


def from_first(ring: Sequence[int], shown: Sequence[str]) -> Drawn:
    at = list(ring).index(min(ring))
    return (*ring[at:], *ring[:at]), (*shown[at:], *shown[:at])


def drawn_by_rotation(world: Values, size: int) -> Iterator[Drawn]:
    """Everything that can be drawn for a group, each equally likely: order of values, places of rows, rotation."""
    for ties in permutations(sorted(set(world))):
        ranked = sorted(ties, key=lambda value: -world.count(value))
        order = ring_order([world.count(value) for value in ranked], size)
        assert order is not None
        rows = [[person for person, own in enumerate(world) if own == value] for value in ranked]
        for placed in product(*(permutations(each) for each in rows)):
            queues = [list(each) for each in placed]
            ring = [queues[value].pop() for value in order]
            for step in range(size):
                yield from_first(ring, [world[ring[(place + step) % len(ring)]] for place in range(len(ring))])


def beliefs(values: Values, draws: Any) -> Beliefs:
    """By Bayes' rule, every assignment of the values being as likely before."""
    found: dict[Drawn, dict[Values, Fraction]] = defaultdict(dict)
    for world in sorted(set(permutations(values))):
        made = Counter(draws(world))
        for output, count in made.items():
            found[output][world] = Fraction(count, made.total())
    return {
        output: {world: likely / sum(worlds.values()) for world, likely in worlds.items()}
        for output, worlds in found.items()
    }


def most_likely(found: Beliefs) -> Fraction:
    """The most that any value of any person is believed."""
    return max(
        sum((likely for world, likely in worlds.items() if world[person] == value), Fraction(0))
        for worlds in found.values()
        for person in range(len(next(iter(worlds))))
        for value in set(next(iter(worlds)))
    )


@pytest.mark.parametrize(
    ("values", "size"), [("abcd", 2), ("aabb", 2), ("aabbc", 2), ("aabcd", 2), ("abcd", 3), ("aabbcc", 3)]
)
def test_a_rotation_leaves_l_values_equally_likely(values: str, size: int) -> None:
    found = beliefs(tuple(values), lambda world: drawn_by_rotation(world, size))
    assert most_likely(found) == Fraction(1, size), "to whoever knows ring, algorithm and all quasi-identifiers"


def test_the_direction_alone_tells_everything() -> None:
    """As published in the paper's example: everybody's own value first."""
    case = GOLDEN["direction"]
    ages, own = case["ages"], case["sa"].split()
    rows = [[min(window), max(window), value] for window, value in zip(windows(ages, case["l"]), own, strict=True)]
    assert rows == case["published"]

    def undrawn(world: Values) -> Iterator[Drawn]:
        yield tuple(range(len(world))), world

    assert most_likely(beliefs(tuple(own), undrawn)) == 1
    assert most_likely(beliefs(tuple(own), lambda world: drawn_by_rotation(world, 2))) == Fraction(1, 2)


def after_learning(found: Beliefs, person: int) -> Fraction:
    """The most that anybody else's value is believed by who knows one person's."""
    worst = Fraction(0)
    for worlds in found.values():
        for value in {world[person] for world in worlds}:
            left = {world: likely for world, likely in worlds.items() if world[person] == value}
            for other in range(len(next(iter(left)))):
                shares: dict[str, Fraction] = defaultdict(Fraction)
                for world, likely in left.items():
                    shares[world[other]] += likely
                worst = max(worst, max(shares.values()) / sum(left.values()) if other != person else Fraction(0))
    return worst


def drawn_by_matching(world: Values, size: int) -> Iterator[Drawn]:
    """One ring whose values all differ, in an order that is drawn apart from them; matchings found in many ways."""
    length = len(world)
    for found in permutations(range(length)) if length == size else MATCHINGS[length, size]:
        yield tuple(range(length)), tuple(world[place] for place in found)


def all_matchings(length: int, size: int, ways: int) -> Iterator[tuple[int, ...]]:
    for seed in range(ways):
        keys = Randomness.fixed(seed).numbers(length * size + 1, "test").copy()
        for chosen in range(size):
            keys[-1] = chosen
            yield tuple(matching(length, size, keys))


MATCHINGS = {pair: list(all_matchings(*pair, ways)) for pair, ways in [((3, 2), 1), ((4, 3), 100), ((5, 4), 100)]}


def test_one_value_tells_all_of_a_rotated_ring_and_less_of_a_matched_one() -> None:
    turned = beliefs(tuple("abcd"), lambda world: drawn_by_rotation(world, 3))
    assert (most_likely(turned), after_learning(turned, 0)) == (Fraction(1, 3), Fraction(1))
    homogeneous = beliefs(tuple("abc"), lambda world: drawn_by_matching(world, 3))
    assert (most_likely(homogeneous), after_learning(homogeneous, 0)) == (Fraction(1, 3), Fraction(1, 2))
    for values, size in (("abcd", 3), ("abcde", 4)):
        matched = beliefs(tuple(values), lambda world, size=size: drawn_by_matching(world, size))
        assert most_likely(matched) == Fraction(1, size)
        assert after_learning(matched, 0) < Fraction(4, 5)


def drawn_by_cutting(world: Values, size: int) -> Iterator[Any]:
    """A whole group: places of rows, the order in every line of the matrix, and a matching in each."""
    ranked = sorted(sorted(set(world)), key=lambda value: -world.count(value))
    order = ring_order([world.count(value) for value in ranked], size)
    assert order is not None
    lines, more = len(world) // size, len(world) % (len(world) // size)
    lengths = [len(world) // lines + (line < more) for line in range(lines)]
    ends = [sum(lengths[: line + 1]) for line in range(lines)]
    rows = [[person for person, own in enumerate(world) if own == value] for value in ranked]
    for placed in product(*(permutations(each) for each in rows)):
        queues = [list(each) for each in placed]
        ring = [queues[value].pop() for value in order]
        parts = [ring[end - length : end] for end, length in zip(ends, lengths, strict=True)]
        for orders in product(*(permutations(part) for part in parts)):
            ways = [
                permutations(range(len(part))) if len(part) == size else MATCHINGS[len(part), size] for part in parts
            ]
            for found in product(*ways):
                yield frozenset(
                    from_first(part, [world[part[place]] for place in carries])
                    for part, carries in zip(orders, found, strict=True)
                )


@pytest.mark.parametrize(("values", "size"), [("aabbc", 2), ("aabc", 2), ("abcde", 2), ("abcd", 3)])
def test_cutting_a_group_leaves_l_values_equally_likely(values: str, size: int) -> None:
    found = beliefs(tuple(values), lambda world: drawn_by_cutting(world, size))
    assert most_likely(found) == Fraction(1, size), "to whoever knows all rings and how they are made"


def test_a_matching_of_a_ring_with_equal_values_tells_too_much() -> None:
    """Why rings are cut first: the value that a person's rows show twice is not theirs."""
    world, size = tuple("abcabc"), 3
    assert turns(world, size)
    edges = [[(place + step) % 6 for step in range(size)] for place in range(6)]
    matchings = [each for each in product(*edges) if len(set(each)) == 6]
    shown = tuple("aacbcb")
    assert any(tuple(world[row] for row in each) == shown for each in matchings)
    worlds = set()
    for each in matchings:
        fits = dict(zip(each, shown, strict=True))
        guess = tuple(fits[person] for person in range(6))
        if turns(guess, size):
            worlds.add(guess)
    assert {guess[1] for guess in worlds} == {"b"}, "P = 1 for the second person"
    assert len(matchings) > size, "there are more matchings than rotations"
