"""What who knows the algorithm can infer from SWEEP: every column that could have led to what is published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import attrgetter

import pytest

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import partitioner
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.examples import some
from tests.support.handmade import Column, column_with, rows_of

Output = tuple[tuple[tuple[str, str], int], ...]


def leaves(labels: str) -> tuple[Node, ...]:
    return tuple(map(Node, labels))


def leaves_of(*labels: str) -> tuple[Node, ...]:
    return tuple(map(Node, labels))


XY = Node("*", (Node("x", leaves("ab")), Node("y", leaves("cd"))))
FLAT = Node("*", leaves("abcdef"))
PLACE = Node("U", (Node("u1"), Node("u2")))


def coded(name: str, cells: Sequence[str], tree: Node) -> Column:
    taxonomy = Taxonomy.of(tree)
    return column_with(name, [taxonomy.code_of[cell] for cell in cells], taxonomy.leaves, taxonomy)


def swept(table: Tuples, promise: sf.Promise, method: sf.Sweep, seed: int) -> Partition:
    task = Task(table, bind(promise, Facts.of(table)), NCP(), Randomness.fixed(seed))
    return partitioner(method).partition(task)


def published(promise: sf.Promise, tree: Node, u1: Sequence[str], u2: str, method: sf.Sweep, seed: int) -> Output:
    """What every row shows, in no order."""
    quasi = coded("q", ["u1"] * len(u1) + ["u2"] * len(u2), PLACE)
    secret = coded("s", [*u1, *u2], tree)
    found = swept(rows_of((quasi,), (secret,)), promise, method, seed)
    where, what = quasi.domain.taxonomy, secret.domain.taxonomy
    assert found.recoding is not None and where is not None and what is not None
    places = found.recoding.shown["q"][found.labels].tolist()
    values = found.edits.get("s", secret.codes).tolist()
    pairs = ((where.labels[a], what.labels[b]) for a, b in zip(places, values, strict=True))
    return tuple(sorted(Counter(pairs).items()))


def beliefs(tree: Node, size: int, u2: str, method: sf.Sweep, seed: int = 0) -> dict[Output, dict[str, Fraction]]:
    """For every output, how likely each value is for a person of u1: every column of u1 is as likely as any other.

    u2 keeps the promise, so it is a class of its own whatever u1 holds: nothing else needs to be enumerated.
    """
    values = Taxonomy.of(tree).leaves
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys(values, 1))
    seen: dict[Output, Counter[str]] = {}
    columns = 0
    for own in combinations_with_replacement(values, size):
        ways = factorial(size) // prod(factorial(own.count(value)) for value in set(own))
        columns += ways
        belief = seen.setdefault(published(promise, tree, own, u2, method, seed), Counter())
        for value in own:
            belief[value] += ways
    assert columns == len(values) ** size
    return {
        output: {value: Fraction(count, belief.total()) for value, count in belief.items()}
        for output, belief in seen.items()
    }


def worst(tree: Node, size: int, u2: str, method: sf.Sweep, seed: int = 0) -> Fraction:
    return max(max(belief.values()) for belief in beliefs(tree, size, u2, method, seed).values())


def test_single_generalized_values_tell_which_was_too_frequent() -> None:
    """256 columns: `x x a c` comes from `a a a c` alone."""
    found = beliefs(XY, 4, "bbcd", sf.Sweep(faithful=True))
    told = {("U", "x"): 2, ("U", "a"): 1, ("U", "c"): 1}
    (belief,) = [belief for output, belief in found.items() if told.items() <= dict(output).items()]
    assert belief == {"a": Fraction(3, 4), "c": Fraction(1, 4)}


METHODS = [
    sf.Sweep(),
    sf.Sweep(balance=4),
    sf.Sweep(balance="1/4"),
    sf.Sweep(worth="leaves"),
    sf.Sweep(generalize="last"),
]


@pytest.mark.parametrize("method", some(METHODS, kind=attrgetter("worth")))
def test_whole_subtrees_do_not(method: sf.Sweep) -> None:
    assert worst(XY, 4, "bbcd", method) <= Fraction(1, 2)


@pytest.mark.thorough
def test_single_swept_rows_tell_which_was_too_frequent() -> None:
    """7776 columns, to who knows how ties were broken; `a a b c` left in u1 was `a a a b c` for some ties."""
    assert max(worst(FLAT, 5, "def", sf.Sweep(faithful=True), seed) for seed in range(3)) >= Fraction(3, 5)


@pytest.mark.parametrize("method", some([sf.Sweep(), sf.Sweep(balance=4), sf.Sweep(generalize="last")]))
def test_classes_closed_whole_do_not(method: sf.Sweep) -> None:
    assert worst(FLAT, 5, "def", method) <= Fraction(1, 2)


def both_open(tree: Node, size: int, method: sf.Sweep) -> tuple[Fraction, Fraction]:
    """As `beliefs`, whatever u2 holds as well: the worst, and the share of tables in which one is above 1/2."""
    values = Taxonomy.of(tree).leaves
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys(values, 1))
    seen: dict[Output, Counter[str]] = {}
    columns = [
        (own, factorial(size) // prod(map(factorial, Counter(own).values())))
        for own in combinations_with_replacement(values, size)
    ]
    for own, ways in columns:
        for other, more in columns:
            belief = seen.setdefault(published(promise, tree, own, "".join(other), method, 0), Counter())
            for value in own:
                belief[value] += ways * more
    worst = {output: Fraction(max(belief.values()), belief.total()) for output, belief in seen.items()}
    above = sum(seen[output].total() for output, most in worst.items() if most > Fraction(1, 2))
    return max(worst.values()), Fraction(above, sum(belief.total() for belief in seen.values()))


@pytest.mark.thorough
def test_neither_do_classes_that_are_taken_apart() -> None:
    """4096 tables of three rows each: in one of six the paper's variant tells more than it promises, here none does."""
    assert both_open(XY, 3, sf.Sweep()) == (Fraction(1, 2), Fraction(0))
    worst, above = both_open(XY, 3, sf.Sweep(faithful=True))
    assert worst == 1 and above > Fraction(1, 8)


REGIONS = Node("U", (Node("P", leaves_of("p1", "p2")), Node("Q", leaves_of("q1"))))


def of_three(parts: Sequence[Sequence[str]], method: sf.Sweep) -> Output:
    """What rows of p1, p2 and q1 show."""
    quasi = coded("q", [place for place, part in zip(("p1", "p2", "q1"), parts, strict=True) for _ in part], REGIONS)
    secret = coded("s", [value for part in parts for value in part], XY)
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys("abcd", 1))
    found = swept(rows_of((quasi,), (secret,)), promise, method, 0)
    where, what = quasi.domain.taxonomy, secret.domain.taxonomy
    assert found.recoding is not None and where is not None and what is not None
    places = found.recoding.shown["q"][found.labels].tolist()
    values = found.edits.get("s", secret.codes).tolist()
    return tuple(
        sorted(Counter((where.labels[a], what.labels[b]) for a, b in zip(places, values, strict=True)).items())
    )


@pytest.mark.parametrize("other", ["acc", "bcc", "add"])
def test_whether_a_class_is_taken_apart_does_not_tell_who_has_what(other: str) -> None:
    """p1 and q1 end in U with one value of x and three of y, dear ones: whose is the one? p2 keeps the promise."""
    method = sf.Sweep(balance=10)
    one = next(value for value in other if value in "ab")
    mine, theirs = (
        of_three(([one], "abc", other.replace(one, other[1])), method),
        of_three(([other[1]], "abc", other), method),
    )
    assert mine == theirs and {place for (place, _), _ in mine} == {"U", "p2"}


def test_single_generalized_values_tell_who_knows_how_often_each_occurs() -> None:
    """Of `a a a c` and `b b c d`, three a: `x x a c` beside `b b c d` shows one, so that both x are a."""
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys("abcd", 1))
    shown = Counter[str]()
    for (_, value), rows in published(promise, XY, "aaac", "bbcd", sf.Sweep(faithful=True), 0):
        shown[value] += rows
    missing = Counter("aaacbbcd") - shown
    assert shown["x"] == 2 and missing == Counter("aa")


def test_a_class_that_would_lose_its_place_for_nothing_keeps_it() -> None:
    """`a a a c` has its values generalized in U as in u1: so it stays in u1, whatever they are worth."""
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys("abcd", 1))
    for method, place in (
        (sf.Sweep(generalize="last"), "U"),
        *((sf.Sweep(balance=dear), "u1") for dear in ("1/2", 2, 9)),
    ):
        output = dict(published(promise, XY, "aaac", "bbcd", method, 0))
        assert output[(place, "x")] == 3 and output[(place, "c")] == 1


def test_balance_weighs_sensitive_values_against_places() -> None:
    """`a a a c` and `b b b d` keep the promise as U, and eight places lose half: 4; in place, six values do: 3."""
    promise = sf.TauL("1/2", 3, weights=dict.fromkeys("abcd", 1))
    for dear, place in ((1, "u1"), ("5/4", "u1"), ("3/2", "U"), (2, "U")):
        output = dict(published(promise, XY, "aaac", "bbbd", sf.Sweep(balance=dear), 0))
        assert {where for where, _ in output} == ({"U"} if place == "U" else {"u1", "u2"}), dear


def test_several_columns_each_for_itself_are_not_all() -> None:
    """`not s1` gives v3 for sure: each column keeps its promise, multi-attribute says that both do not."""
    cells = [("s1", "v1"), ("s1", "v2"), ("s2", "v3"), ("s3", "v3")]
    first, second = (list(part) for part in zip(*cells, strict=True))
    trees = (Node("S", tuple(Node(f"s{k}") for k in (1, 2, 3))), Node("V", tuple(Node(f"v{k}") for k in (1, 2, 3))))
    table = rows_of((coded("q", ["u1"] * 4, PLACE),), (coded("s", first, trees[0]), coded("v", second, trees[1])))
    both = sf.TauL("1/2", 3, on="s") & sf.TauL("1/2", 3, on="v")
    for faithful in (False, True):
        found = swept(table, both, sf.Sweep(faithful=faithful), 0)
        assert found.labels.tolist() == [0] * 4 and not found.edits
    with pytest.raises(sf.Infeasible):
        swept(table, sf.MultiAttribute(of=sf.DistinctL(2)), sf.Sweep(), 0)
