"""Before any search: can the table keep the promise at all, what stands against it, and what could be promised."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import Infeasible, Refused
from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node
from tests.support.definitions import emd, keeps
from tests.support.examples import examples
from tests.support.model_tables import added, groups_of, histograms, large, model_of, moderate, small

Counts = dict[int, int]
TREE = Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d"), Node("e")))))


def partitions(rows: list[int]) -> Iterator[list[list[int]]]:
    """Every way to cut rows into groups."""
    if not rows:
        yield []
        return
    for rest in partitions(rows[1:]):
        yield [[rows[0]], *rest]
        for index, group in enumerate(rest):
            yield [*rest[:index], [rows[0], *group], *rest[index + 1 :]]


def multisets(rows: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Counts in descending order."""
    if rows == 0:
        yield ()
        return
    for first in range(min(rows, parts), 0, -1):
        for rest in multisets(rows - first, first):
            yield (first, *rest)


TABLES = [counts for rows in range(1, 8) for counts in multisets(rows, rows)]


@pytest.mark.parametrize("kind", [promises.PairwiseL, promises.UniqueDistinctL, promises.UniqueDistinctLiteral])
@pytest.mark.parametrize("l", [1, 2, 3, 4])
def test_attainable_by_trying_every_partition(kind: Callable[[int], Promise], l: int) -> None:
    promise = kind(l)
    for counts in TABLES:
        rows = [value for value, count in enumerate(counts) for _ in range(count)]
        expected = any(
            all(keeps(promise, {value: group.count(value) for value in group}) for group in cut)
            for cut in partitions(rows)
        )
        whole = dict(enumerate(counts))
        assert model_of(promise, whole).attainable(groups_of(whole)).tolist() == [expected], counts


@pytest.mark.parametrize("kind", [promises.PairwiseL, promises.UniqueDistinctL, promises.UniqueDistinctLiteral])
def test_nearest_of_models_that_merging_breaks_is_the_closest_attainable(kind: Callable[[int], Promise]) -> None:
    for counts in TABLES:
        whole = dict(enumerate(counts))
        able = [l for l in range(1, 9) if model_of(kind(l), whole).attainable(groups_of(whole))[0]]
        for l in range(1, 9):
            near = model_of(kind(l), whole).nearest(groups_of(whole))
            if kind is promises.PairwiseL:
                assert near == kind(max(able))
            else:
                assert near == kind(min(able, key=lambda each: (abs(each - l), -each)))


ASKED: list[Promise] = [
    promises.KAnonymity(40),
    promises.DistinctL(4),
    promises.EntropyL("3.3"),
    promises.RecursiveCL("0.7", 2),
    promises.RecursiveCL("0.7", 3),
    promises.RecursiveCL("0.2", 5),
    promises.PdRecursive("0.7", 3, ("a",)),
    promises.PdRecursive("0.2", 5, ("a", "b")),
    promises.NpdRecursive("0.7", 30, 3, ("a",), ("b", "c")),
    promises.NpdRecursive(2, 10, 2, (), ("b",)),
    promises.SimpleL("3.3"),
    promises.AlphaK("0.3", 40),
    promises.TCloseness(0),
    promises.TCloseness(0, "ordered"),
    promises.TCloseness(0, "hierarchical"),
    promises.DeltaDisclosure("0.01"),
    promises.KAnonymity(40) & promises.EntropyL("3.3"),
    promises.PairwiseL(4),
    promises.UniqueDistinctL(4),
    promises.UniqueDistinctLiteral(4),
]


@pytest.mark.parametrize("promise", ASKED, ids=str)
@given(histograms(st.one_of(small, moderate, large)))
@settings(max_examples=examples(60))
def test_the_nearest_promise_can_be_kept(promise: Promise, counts: Counts) -> None:
    reference = {0: 4, 1: 3, 2: 2, 3: 1, 4: 1}
    model, whole = model_of(promise, reference, tree=TREE), groups_of(counts)
    near = model.nearest(whole)
    if near is None:  # a value that is absent fails every delta
        assert promise.name == "delta-disclosure" and len(counts) < 5
        return
    kept = model_of(near, reference, tree=TREE)
    assert kept.attainable(whole)[0]
    kept.require_feasible(whole)
    if model.attainable(whole)[0]:
        model.require_feasible(whole)
    else:
        with pytest.raises(Infeasible) as raised:
            model.require_feasible(whole)
        assert raised.value.nearest == near


@given(histograms(st.one_of(small, moderate)), histograms(small))
def test_nearest_is_the_strongest(counts: Counts, rest: Counts) -> None:
    whole, rows = groups_of(counts), sum(counts.values())
    ranked = sorted(counts.values(), reverse=True)
    table = added([counts, rest])

    def nearest(promise: Promise) -> Promise | None:
        return model_of(promise, table, tree=TREE).nearest(whole)

    assert nearest(promises.KAnonymity(10**6)) == promises.KAnonymity(rows)
    assert nearest(promises.DistinctL(10**6)) == promises.DistinctL(len(counts))
    assert nearest(promises.SimpleL(10**6)) == promises.SimpleL(Fraction(rows, ranked[0]))
    assert nearest(promises.AlphaK("0.01", 3)) == promises.AlphaK(Fraction(ranked[0], rows), min(3, rows))
    entropy = nearest(promises.EntropyL(10**6))
    assert isinstance(entropy, promises.EntropyL)
    assert entropy.l.denominator <= 100 and keeps(entropy, counts)
    assert not keeps(promises.EntropyL(entropy.l + Fraction(1, 100)), counts)
    if len(counts) > 1:
        recursive = nearest(promises.RecursiveCL("0.001", 2))
        assert isinstance(recursive, promises.RecursiveCL) and recursive.l == 2
        assert keeps(recursive, counts)
        below = recursive.c - Fraction(1, 100)
        assert below <= 0 or not keeps(promises.RecursiveCL(below, 2), counts)
    for distance in ("equal", "ordered", "hierarchical"):
        exact = emd(counts, table, distance, TREE)
        assert nearest(promises.TCloseness(0, distance)) == promises.TCloseness(
            Fraction(ceil(100 * exact), 100), distance
        )
    delta = nearest(promises.DeltaDisclosure("0.01"))
    assert (delta is None) == (set(table) != set(counts))
    if isinstance(delta, promises.DeltaDisclosure):
        assert keeps(delta, counts, table) and delta.delta.denominator <= 100
        below = delta.delta - Fraction(1, 100)
        assert below == 0 or not keeps(promises.DeltaDisclosure(below), counts, table)


def test_recursive_keeps_l_while_there_is_a_tail_and_lowers_it_otherwise() -> None:
    whole = {0: 6, 1: 3, 2: 1}

    def nearest(promise: Promise) -> Promise | None:
        return model_of(promise, whole).nearest(groups_of(whole))

    assert nearest(promises.RecursiveCL(1, 2)) == promises.RecursiveCL("1.51", 2)  # 6 / 4
    assert nearest(promises.RecursiveCL(1, 3)) == promises.RecursiveCL("6.01", 3)
    assert nearest(promises.RecursiveCL(7, 4)) == promises.RecursiveCL(7, 3)
    assert nearest(promises.RecursiveCL(6, 4)) == promises.RecursiveCL(6, 2)  # 6 < 6 * 1 is false
    assert nearest(promises.RecursiveCL("1.5", 9)) == promises.RecursiveCL("1.5", 1)
    assert nearest(promises.RecursiveCL("1.5", 1)) == promises.RecursiveCL("1.5", 1)
    assert nearest(promises.PdRecursive(1, 3, ("a",))) == promises.PdRecursive("3.01", 3, ("a",))  # b: 3 / 1
    assert nearest(promises.PdRecursive(1, 4, ("a",))) == promises.PdRecursive(1, 2, ("a",))  # 3 < 1 * 7
    assert nearest(promises.PdRecursive(1, 4, ("a", "b", "c"))) == promises.PdRecursive(1, 4, ("a", "b", "c"))


def test_npd_weakens_only_what_it_must() -> None:
    whole = {0: 6, 1: 3, 2: 1}

    def nearest(promise: Promise) -> Promise | None:
        return model_of(promise, whole).nearest(groups_of(whole))

    assert nearest(promises.NpdRecursive(2, 10, 2, (), ("c",))) == promises.NpdRecursive(2, 10, 2, (), ("c",))
    assert nearest(promises.NpdRecursive(2, "10.01", 2, (), ("c",))) == promises.NpdRecursive(2, 10, 2, (), ("c",))
    assert nearest(promises.NpdRecursive(1, 11, 2, (), ("b", "c"))) == promises.NpdRecursive(
        "1.51", 10, 2, (), ("b", "c")
    )
    assert nearest(promises.NpdRecursive(1, 30, 2, (), ("b",))) == promises.NpdRecursive("1.51", 30, 2, (), ("b",))
    assert nearest(promises.NpdRecursive(2, 1, 2, (), ("d",))) == promises.NpdRecursive(2, 0, 2, (), ("d",))


ADULT_SALARY = {0: 34014, 1: 11208}


def test_messages_say_which_count_forces_it() -> None:
    cases: list[tuple[Promise, list[str], Promise]] = [
        (
            promises.SimpleL(2),
            ["no grouping of all 45222 rows", "column 's'", "most frequent value fills 34014 of 45222 rows"],
            promises.SimpleL(Fraction(45222, 34014)),
        ),
        (promises.RecursiveCL(3, 2), ["34014 of 45222", "number 2 on together 11208"], promises.RecursiveCL("3.04", 2)),
        (promises.DistinctL(3), ["column 's' has 2 different values"], promises.DistinctL(2)),
        (promises.KAnonymity(50000), ["it has 45222 rows"], promises.KAnonymity(45222)),
        (promises.EntropyL(2), ["34014 of 45222", "1.751 even values"], promises.EntropyL("1.75")),
        (promises.PairwiseL(2), ["34014 of 45222"], promises.PairwiseL(1)),
        (promises.UniqueDistinctL(4), ["34014 of 45222", "groups of 4 leave 2 over"], promises.UniqueDistinctL(1)),
        (promises.UniqueDistinctLiteral(3), ["2 different values, 0 of them once"], promises.UniqueDistinctLiteral(2)),
        (promises.AlphaK("0.5", 5), ["34014 of 45222"], promises.AlphaK(Fraction(34014, 45222), 5)),
        (
            promises.PdRecursive(2, 2, ("b",)),
            ["may not be disclosed fills 34014 of 45222 rows", "others 11208"],
            promises.PdRecursive("3.04", 2, ("b",)),
        ),
        (
            promises.NpdRecursive(2, 25, 2, (), ("b",)),
            ["34014 of 45222", "rarest protected value fills 11208 of 45222"],
            promises.NpdRecursive("3.04", "24.78", 2, (), ("b",)),
        ),
        (
            promises.KAnonymity(5) & promises.SimpleL(2) & promises.DistinctL(3),
            ["simple-l (l=2): in column 's'", "; distinct-l (l=3): column 's' has 2"],
            promises.KAnonymity(5) & promises.SimpleL(Fraction(45222, 34014)) & promises.DistinctL(2),
        ),
    ]
    for promise, words, near in cases:
        with pytest.raises(Infeasible) as raised:
            model_of(promise, ADULT_SALARY).require_feasible(groups_of(ADULT_SALARY))
        message = str(raised.value)
        assert message.startswith(f"{promise}: ")
        for word in words:
            assert word in message, message
        assert raised.value.nearest == near
        assert re.search(r"\bnearest promise that can be kept\b", message)
    assert "k-anonymity (k=5): it" not in message


def test_messages_about_the_original_table() -> None:
    original, left = {0: 4, 1: 3, 2: 2, 3: 1, 4: 1}, {0: 4, 1: 4}
    with pytest.raises(Infeasible, match=r"these 8 rows lie 0\.3636 from the original table"):  # 4/11
        model_of(promises.TCloseness("0.1"), original).require_feasible(groups_of(left))
    with pytest.raises(Infeasible, match="3 of the 5 values of column 's' are absent"):
        model_of(promises.DeltaDisclosure(1), original).require_feasible(groups_of(left))
    with pytest.raises(Infeasible, match=r"share of a value of column 's' changes by e\^0\.6931"):
        model_of(promises.DeltaDisclosure("0.5"), {0: 1, 1: 1}).require_feasible(groups_of({0: 1, 1: 3}))


def test_the_whole_original_table_keeps_t_and_delta() -> None:
    for promise in (promises.TCloseness(0), promises.TCloseness(0, "ordered"), promises.DeltaDisclosure("0.000001")):
        model = model_of(promise, ADULT_SALARY)
        model.require_feasible(groups_of(ADULT_SALARY))
        assert model.level(groups_of(ADULT_SALARY)).tolist() == [0.0]


def test_a_protected_value_that_no_row_has_is_infeasible() -> None:
    promise = promises.NpdRecursive(5, 1, 2, (), ("z",))
    with pytest.raises(Infeasible, match="rarest protected value fills 0 of 45222 rows"):
        model_of(promise, ADULT_SALARY).require_feasible(groups_of(ADULT_SALARY))
    model_of(promises.NpdRecursive(5, 0, 2, (), ("z",)), ADULT_SALARY).require_feasible(groups_of(ADULT_SALARY))


def test_values_that_the_column_does_not_have_are_refused_by_count() -> None:
    secret = "not a letter"
    with pytest.raises(
        Refused, match="column 's' does not have 2 of the 3 values listed under 'disclosable'"
    ) as raised:
        model_of(promises.PdRecursive(1, 2, ("a", secret, "nor this")), ADULT_SALARY)
    assert secret not in str(raised.value)
    with pytest.raises(Refused, match="column 's' does not have 1 of the 1 values listed under 'protected'"):
        model_of(promises.NpdRecursive(1, 1, 2, (), (secret,)), ADULT_SALARY)


def test_distances_need_an_order_or_a_hierarchy() -> None:
    with pytest.raises(Refused, match="column 's' has no order"):
        model_of(promises.TCloseness("0.1", "ordered"), ADULT_SALARY, ordered=False)
    with pytest.raises(Refused, match="column 's' has no hierarchy"):
        model_of(promises.TCloseness("0.1", "hierarchical"), ADULT_SALARY)


def test_floor_of_the_entropy_is_not_rounded_up() -> None:
    """1.751... is promised as 1.75; for (4, 1, 1, 1, 1) the whole 4."""
    for counts, l in ((ADULT_SALARY, "1.75"), ({0: 4, 1: 1, 2: 1, 3: 1, 4: 1}, "4"), ({0: 7}, "1")):
        assert model_of(promises.EntropyL(9), counts).nearest(groups_of(counts)) == promises.EntropyL(l)
    assert floor(100 * float(model_of(promises.EntropyL(9), {}).level(groups_of(ADULT_SALARY))[0])) == 175
