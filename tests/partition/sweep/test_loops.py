"""SWEEP's loops against the algorithm as it is told: row by row, class by class, level vector by level vector."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.psi import psi
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import partitioner
from sfumato.partition.sweep import climb, landings
from sfumato.partition.sweep.blur import Blur
from sfumato.partition.sweep.information import Levels, level_vectors
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, columns_of, rows_of

Vector = tuple[int, ...]
UNEVEN = Node(
    "r", (Node("l1"), Node("l2"), Node("y", (Node("p", (Node("p1"), Node("p2"))), Node("q", (Node("q1"), Node("q2"))))))
)
EVEN = Node("e", tuple(Node(f"e{k}", tuple(Node(f"e{k}{j}") for j in range(2))) for k in range(2)))


def treed(name: str, codes: NDArray[np.int32], root: Node) -> Column:
    tree = Taxonomy.of(root)
    return column_with(name, codes, pl.Series(name, tree.leaves), tree)


def numbers(name: str, codes: NDArray[np.int32], size: int, missing: bool = False) -> Column:
    values: list[float | None] = [*map(float, range(size - missing)), *[None] * missing]
    positions = np.array([np.nan if value is None else value for value in values])
    return column_with(name, codes, pl.Series(name, values), None, positions, size - 1 if missing else None, True)


def secret(name: str, codes: NDArray[np.int32], size: int, deep: bool) -> Column:
    labels = [f"{name}{code}" for code in range(size)]
    half = size // 2
    parts = Node("lo", tuple(map(Node, labels[:half]))), Node("hi", tuple(map(Node, labels[half:])))
    return treed(name, codes, Node("*", parts if deep else tuple(map(Node, labels))))


def random_table(seed: int, rows: int, values: int, columns: int = 1) -> Tuples:
    rng = np.random.default_rng(seed)

    def codes(size: int) -> NDArray[np.int32]:
        return rng.integers(0, size, rows, dtype=np.int32)

    quasi = (treed("a", codes(6), UNEVEN), treed("b", codes(4), EVEN), numbers("c", codes(9), 9, missing=True))
    skewed = [np.minimum(rng.geometric(0.35, rows) - 1, values - 1).astype(np.int32) for _ in range(columns)]
    return rows_of(quasi, tuple(secret(f"s{k}", each, values, True) for k, each in enumerate(skewed)))


def swept(table: Tuples, promise: sf.Promise, method: sf.Sweep, seed: int = 0) -> Partition:
    return partitioner(method).partition(Task(table, bind(promise, Facts.of(table)), NCP(), Randomness.fixed(seed)))


def kept(counts: Counter[int], promise: sf.TauL) -> bool:
    ranked, rows = sorted(counts.values(), reverse=True), counts.total()
    return rows > 0 and all(sum(ranked[:k]) <= psi(promise, k) * rows for k in range(1, promise.l))


def one_by_one(counts: Counter[int], promise: sf.TauL) -> Counter[int]:
    left = Counter(counts)
    while left.total() and not kept(left, promise):
        left[left.most_common(1)[0][0]] -= 1
    return +left


class Replay:
    """Walks through level vectors with all rows open, and asks what the algorithm did with every class that it met."""

    def __init__(self, table: Tuples, found: Partition, promise: sf.TauL) -> None:
        self.table, self.found, self.promise = table, found, promise
        self.levels = [Levels.of(column) for column in table.quasi]
        self.secret = table.codes[table.sensitive[0].name]

    def shown(self, vector: Vector, row: int) -> tuple[tuple[int, int], ...] | None:
        key = []
        for column, each, at in zip(self.table.quasi, self.levels, vector, strict=True):
            code = int(self.table.codes[column.name][row])
            if not each.has[at][code]:
                return None
            key.append((int(each.first[at][code]), int(each.last[at][code])))
        return tuple(key)

    def as_published(self, label: int) -> tuple[tuple[int, int], ...]:
        recoding = self.found.recoding
        assert recoding is not None
        spans = (recoding.span(column) for column in self.table.quasi)
        return tuple((int(low[label]), int(high[label])) for low, high in spans)

    def check(self, faithful: bool) -> int:
        vectors = [tuple(vector) for vector in level_vectors(self.levels).tolist()]
        open_rows = set(range(self.table.rows))
        labels, closings = self.found.labels.tolist(), 0
        next_label = 0
        for vector in vectors[:-1]:
            classes: dict[Any, list[int]] = {}
            for row in sorted(open_rows):
                key = self.shown(vector, row)
                if key is not None:
                    classes.setdefault(key, []).append(row)
            closed: set[Any] = set()
            while next_label <= max(labels):
                key = self.as_published(next_label)
                rows = {row for row in open_rows if labels[row] == next_label}
                if key not in classes or not rows <= set(classes[key]) or key in closed:
                    break
                closed.add(key)
                self.compare(classes.pop(key), rows, faithful)
                open_rows -= rows
                next_label, closings = next_label + 1, closings + 1
            for rows_left in classes.values():
                self.compare(rows_left, set(), faithful)
        assert all(labels[row] == next_label for row in open_rows)
        return closings

    def compare(self, rows: list[int], stay: set[int], faithful: bool) -> None:
        counts, left = (Counter(int(self.secret[row]) for row in each) for each in (rows, stay))
        if not faithful:
            assert left == (counts if kept(counts, self.promise) else Counter())
            return
        expected = one_by_one(counts, self.promise)
        assert sorted(left.values()) == sorted(expected.values())  # ties may go to another value
        height = max(left.values(), default=0)
        assert not stay or all(left[value] in (count, height, height - 1) for value, count in counts.items())


@settings(max_examples=examples(40))
@given(
    st.integers(0, 10**6),
    st.integers(8, 90),
    st.integers(4, 7),
    st.sampled_from([("3/5", 3), ("1/2", 3), ("2/5", 4), ("7/10", 2)]),
    st.booleans(),
)
def test_classes_are_what_row_by_row_sweeping_leaves(
    seed: int, rows: int, values: int, promise: tuple[str, int], faithful: bool
) -> None:
    table = random_table(seed, rows, values)
    asked = sf.TauL(*promise)
    if not kept(Counter(table.codes[table.sensitive[0].name].tolist()), asked):
        return  # values are generalized first: not row by row of what is in the table
    found = swept(table, asked, sf.Sweep(faithful=faithful, generalize="last"), seed)
    Replay(table, found, asked).check(faithful)


def test_rows_are_swept_and_classes_closed_in_such_tables() -> None:
    table, promise = random_table(1, 400, 6), sf.TauL("2/5", 4)
    for faithful in (False, True):
        found = swept(table, promise, sf.Sweep(faithful=faithful, generalize="last"))
        assert Replay(table, found, promise).check(faithful) > 5


def holds(table: Tuples, found: Partition, promises: tuple[sf.TauL, ...]) -> bool:
    for promise in promises:
        column = table[promise.on or "s0"]
        tree = column.taxonomy
        assert tree is not None
        nodes = found.edits.get(column.name, table.codes[column.name]).tolist()
        present = set(table.codes[column.name].tolist())
        for label in range(int(found.labels.max()) + 1):
            induced: Counter[int] = Counter()
            for row in np.flatnonzero(found.labels == label).tolist():
                below = [c for c in range(tree.first[nodes[row]], tree.last[nodes[row]] + 1) if c in present]
                for code in below:
                    induced[code] += Fraction(1, len(below))  # type: ignore[assignment]
            if not kept(induced, promise):
                return False
    return True


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6), st.integers(10, 80), st.booleans())
def test_generalized_values_and_several_columns(seed: int, rows: int, several: bool) -> None:
    """Where the whole table breaks the promise, or two columns have one: the slow loop."""
    table = random_table(seed, rows, 4, 1 + several)
    promises = (sf.TauL("2/5", 4, on="s0"), *((sf.TauL("1/2", 3, on="s1"),) if several else ()))
    asked = promises[0] & promises[1] if several else promises[0]
    try:
        found = swept(table, asked, sf.Sweep(faithful=True), seed)
    except sf.NoneFound:
        return
    assert holds(table, found, promises)
    again = swept(table, asked, sf.Sweep(faithful=True), seed)
    assert np.array_equal(found.labels, again.labels)


@pytest.mark.parametrize("seed", range(12))
def test_rows_that_climb_are_counted_alike_in_whole_numbers_of_any_size(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    codes = np.minimum(rng.geometric(0.5, 60) - 1, 5).astype(np.int32)
    column = secret("s", codes, 6, True)
    caps = bind(sf.TauL("2/5", 4), Facts(60, {"s": column.domain})).caps()
    assert caps is not None
    blur = Blur.of(column.domain, [caps])
    rank = rng.permutation(len(blur.shares)).tolist()

    def climbed() -> list[int] | None:
        shown = blur.row_by_row(codes.astype(np.int64), rank, lambda count: np.arange(count, dtype=np.uint64))
        return None if shown is None else shown.tolist()

    fast = climbed()
    monkeypatch.setattr(Blur, "fits", lambda *_: False)
    assert fast == climbed()
    assert fast is None or blur.kept(Counter(fast))


def test_the_faithful_variant_tells_how_many_classes_lost_rows() -> None:
    """a a a b c in u1 loses one of three a; with it the class breaks 1/2, and d e f loses none."""
    place = Node("U", (Node("u1"), Node("u2")))
    codes = np.array([0] * 5 + [1] * 3, dtype=np.int32)
    table = rows_of(
        (treed("q", codes, place),), (secret("s", np.array([0, 0, 0, 1, 2, 3, 4, 5], dtype=np.int32), 6, False),)
    )
    found = swept(table, sf.TauL("1/2", 3), sf.Sweep(faithful=True))
    assert "rows were swept out of 1 classes; together with these, 1 of them break the promise" in found.notes
    assert not any("swept" in note for note in swept(table, sf.TauL("1/2", 3), sf.Sweep()).notes)


def test_level_order_of_an_uneven_tree() -> None:
    """y comes before p: a row under p meets the more general class first; `*` is last all the same."""
    levels = Levels.of(treed("a", np.zeros(1, dtype=np.int32), UNEVEN).domain)
    assert levels.worth == (Fraction(1, 6), Fraction(3, 4), Fraction(1, 2), Fraction(1))
    assert level_vectors([levels]).tolist() == [[3], [1], [2], [0]]
    by_leaves = Levels.of(treed("a", np.zeros(1, dtype=np.int32), UNEVEN).domain, "leaves")
    assert by_leaves.worth == (Fraction(1, 6), Fraction(1, 2), Fraction(1, 2), Fraction(1))


def test_importance_settles_ties() -> None:
    levels = [Levels.of(treed(name, np.zeros(1, dtype=np.int32), EVEN).domain) for name in "ab"]
    assert level_vectors(levels).tolist()[1:3] == [[2, 1], [1, 2]]
    assert level_vectors(levels, [1]).tolist()[1:3] == [[1, 2], [2, 1]]


def test_numbers_have_levels_of_their_own() -> None:
    levels = Levels.of(numbers("c", np.zeros(1, dtype=np.int32), 9, missing=True).domain)
    spans = [
        sorted(set(zip(f.tolist(), e.tolist(), strict=True))) for f, e in zip(levels.first, levels.last, strict=True)
    ]
    assert spans[0] == [(0, 8)]
    assert spans[1] == [(0, 3), (4, 7), (8, 8)]  # a missing value stands alone
    assert spans[2] == [(0, 1), (2, 3), (4, 5), (6, 7), (8, 8)]
    assert spans[3] == [(code, code) for code in range(9)]
    wide = Levels.of(numbers("c", np.zeros(1, dtype=np.int32), 100_000).domain)
    assert [int(last[0]) + 1 for last in wide.last] == [100_000, 10_000, 1_000, 100, 10, 1]


def test_keys_of_more_than_one_word() -> None:
    """Eight columns of 1,000 values need 80 bits."""
    rng = np.random.default_rng(0)
    labels = Node("*", tuple(Node(str(code)) for code in range(1000)))
    quasi = tuple(treed(f"q{k}", rng.choice(np.array([3, 700], dtype=np.int32), 120), labels) for k in range(8))
    table = rows_of(quasi, (secret("s", (np.arange(120) % 5).astype(np.int32), 6, False),))
    promise = sf.TauL("1/2", 3)
    for faithful in (False, True):
        found = swept(table, promise, sf.Sweep(faithful=faithful, generalize="last"))
        assert Replay(table, found, promise).check(faithful) > 5


@pytest.mark.parametrize("seed", range(examples(4, fewest=1)))
@pytest.mark.parametrize(
    "method", [sf.Sweep(), sf.Sweep(faithful=True), sf.Sweep(balance="1/4")], ids=["whole", "faithful", "balance"]
)
def test_landings_change_nothing(seed: int, method: sf.Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    """None at all against one wherever it halves what is looked at, with values that lack levels."""
    base = random_table(seed, 900, 6)
    more = np.random.default_rng(seed).integers(0, 6, (2, 900), dtype=np.int32)
    quasi = (*columns_of(base, base.quasi), treed("d", more[0], UNEVEN), treed("e", more[1], UNEVEN))
    table = rows_of(quasi, columns_of(base, base.sensitive))
    made: list[int] = []
    rest = landings.Landings.rest

    def counted(self: landings.Landings, vector: int, landing: int) -> None:
        made.append(vector)
        rest(self, vector, landing)

    monkeypatch.setattr(landings.Landings, "rest", counted)
    promises: list[sf.Promise] = [sf.TauL("2/5", 4)]
    if method == sf.Sweep():
        promises += [sf.EntropyL(3), sf.KAnonymity(6), sf.TauL("1/2", 3) & sf.KAnonymity(9)]
    for promise in promises:
        found = []
        for fixed in (10**12, -(10**12)):
            made.clear()
            monkeypatch.setattr(landings, "_FIXED", fixed)
            found.append(swept(table, promise, method, seed))
            assert bool(made) == (fixed < 0)
        none, many = found
        assert none.recoding is not None and many.recoding is not None
        assert np.array_equal(none.labels, many.labels) and none.notes == many.notes
        assert none.labels.max() > 5
        for column in table.quasi:
            for one, other in zip(none.recoding.span(column), many.recoding.span(column), strict=True):
                assert np.array_equal(one, other)
        assert none.edits.keys() == many.edits.keys()
        assert all(np.array_equal(none.edits[name], many.edits[name]) for name in none.edits)


def test_what_cannot_be_kept_is_told_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(0, 300, 5)
    one = rows_of(columns_of(table, table.quasi), (secret("s0", np.zeros(300, dtype=np.int32), 5, True),))

    def never(*_: object) -> None:
        pytest.fail("it looks for classes")

    monkeypatch.setattr(landings.Landings, "__post_init__", never)
    for promise in (sf.DistinctL(2), sf.EntropyL(2), sf.KAnonymity(301)):
        with pytest.raises(sf.NoneFound):
            swept(one, promise, sf.Sweep())


def test_too_much_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = random_table(0, 50, 5)
    monkeypatch.setattr(climb, "MOST_VISITS", 1000)
    for faithful in (False, True):
        with pytest.raises(sf.Refused, match="1000 visits are the most"):
            swept(table, sf.TauL("3/5", 3), sf.Sweep(faithful=faithful))


def test_intervals_are_published() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"n": rng.integers(0, 64, 300), "s": rng.choice(list("abcdef"), 300)})
    columns = {"n": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "tau-l", "tau": "0.4", "l": 4}],
        "partition": {"method": "sweep"},
    }
    release = sf.publish(frame, policy=policy, seed=1)
    shown = set(release.table["n"].to_list())
    assert sum(text.startswith("[") for text in shown) > 3
    for text in shown - {"*"}:
        low, high = map(int, text.strip("[]").split(", ")) if "," in text else (int(text), int(text))
        assert high - low + 1 in (1, 3, 9, 27, 64 % 27, 64 % 9, 64 % 3)


@pytest.mark.parametrize(
    "wrong", [{"balance": 0}, {"worth": "rows"}, {"importance": ["s"]}, {"importance": ["n", "n"]}], ids=str
)
def test_settings_are_checked(wrong: dict[str, Any]) -> None:
    columns = {"n": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "tau-l", "tau": "0.4", "l": 4}],
        "partition": {"method": "sweep", **wrong},
    }
    with pytest.raises(sf.PolicyError, match=next(iter(wrong))):
        sf.publish(pl.DataFrame({"n": [1], "s": ["a"]}), policy=policy, seed=0)
