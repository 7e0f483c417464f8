"""ARP: its measure of correlation, its blocks, and the two rules of the paper that had to change."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import NoneFound
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.apart import arp
from sfumato.partition.contract import Partition, Task
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.testing import check_partitioner
from tests.support.examples import examples, some
from tests.support.golden import golden
from tests.support.handmade import Column, column_with, rows_of

GOLDEN: dict[str, Any] = golden("arp")


def coded(name: str, values: list[Any]) -> Column:
    known = sorted(set(values))
    codes = [known.index(value) for value in values]
    return column_with(name, codes, known)


def run(quasi: list[list[Any]], secrets: list[Any], options: sf.Arp, promise: sf.Promise, seed: int = 0) -> Partition:
    columns = tuple(coded(f"q{place}", values) for place, values in enumerate(quasi))
    table = rows_of(columns, (coded("s", secrets),))
    model = bind(promise, Facts.of(table))
    return arp.ArpPartitioner(options).partition(Task(table, model, NCP(), Randomness.fixed(seed), limit=Fraction(1)))


def blocks(found: Partition, secrets: list[Any]) -> list[Counter[Any]]:
    return [
        Counter(secrets[row] for row in np.flatnonzero(found.labels == label))
        for label in range(found.labels.max() + 1)
    ]


@pytest.mark.parametrize("case", GOLDEN["phi2"])
def test_strength_of_a_correlation(case: dict[str, str]) -> None:
    one, other = coded("a", case["a"].split()), coded("s", case["s"].split())
    table = np.zeros((one.domain.size, other.domain.size), dtype=np.int64)
    np.add.at(table, (one.codes, other.codes), 1)
    assert arp.strength(table) == pytest.approx(float(Fraction(case["phi2"])), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("split_merged", [True, False])
def test_merging_goes_on_until_every_block_meets_the_demand(seed: int, split_merged: bool) -> None:
    """One pass over the parts as first split would end with a block that one value fills to four fifths."""
    case = GOLDEN["merging"]
    secrets = [letter for block in case["blocks"] for letter in block]
    values = [place for place, block in enumerate(case["blocks"]) for _ in block]
    options = sf.Arp(initial_only=True, split_merged=split_merged)
    found = blocks(run([values], secrets, options, sf.SimpleL(case["l"]), seed), secrets)
    worst = max(Fraction(max(block.values()), block.total()) for block in found)
    assert worst <= Fraction(1, case["l"]) < Fraction(case["one_pass"])
    assert Fraction(*Counter("aaaab").most_common(1)[0][1:], 5) == Fraction(case["one_pass"])


def test_columns_split_in_the_order_of_their_strength() -> None:
    """By hand: the halves have 1/2, the single row 3/7. Split first, it must be merged, and what is merged is final."""
    weak = [0, 1, 1, 1, 1, 1, 1, 1]
    strong = [0, 0, 0, 0, 1, 1, 1, 1]
    secrets = list("abcdabef")
    for order, expected in (("descending", [4, 4]), ("ascending", [8])):
        options = sf.Arp.model_validate({"order": order, "initial_only": True, "split_merged": False})
        found = run([weak, strong], secrets, options, sf.SimpleL(3))
        assert np.bincount(found.labels).tolist() == expected


def test_one_value_that_is_too_frequent() -> None:
    found = run([[1, 2, 3, 4]], list("aaab"), sf.Arp(), sf.DistinctL(2))
    assert found.labels.tolist() == [0, 0, 0, 0]
    assert "fills more than 1/2" in found.notes[0]
    with pytest.raises(NoneFound):
        run([[1, 2, 3, 4]], list("aaab"), sf.Arp(), sf.PairwiseL(2))


@settings(max_examples=examples(100))
@given(st.data(), st.integers(2, 4), st.booleans())
def test_blocks_meet_the_demand_and_groups_differ(data: st.DataObject, l: int, split_merged: bool) -> None:
    rows = data.draw(st.integers(1, 60))
    lists = st.lists(st.integers(0, 5), min_size=rows, max_size=rows)
    secrets, quasi = data.draw(lists), [data.draw(lists), [37 * place % 211 for place in range(rows)]]
    if max(Counter(secrets).values()) * l > rows:
        return
    first = run(quasi, secrets, sf.Arp(initial_only=True, split_merged=split_merged), sf.SimpleL(l))
    assert all(max(block.values()) * l <= block.total() for block in blocks(first, secrets))
    groups = blocks(run(quasi, secrets, sf.Arp(split_merged=split_merged), sf.PairwiseL(l)), secrets)
    assert all(max(group.values()) == 1 and group.total() >= l for group in groups)
    assert sum(group.total() for group in groups) == rows


def test_many_values_are_split_at_equal_frequencies() -> None:
    values = list(range(1000))
    found = run([values], [value % 2 for value in values], sf.Arp(initial_only=True), sf.SimpleL(2))
    sizes = np.bincount(found.labels)
    assert set(sizes.tolist()) == {10}


def correlated(frame: pl.DataFrame) -> Tuples:
    names = ("sex", "age", "race", "marital-status", "education", "workclass")
    return rows_of(
        tuple(coded_series(frame[name]) for name in names),
        (coded_series(frame["occupation"]),),
    )


def coded_series(values: pl.Series) -> Column:
    known = values.unique().sort()
    codes = values.rank("dense").to_numpy().astype(np.int32) - 1
    return column_with(values.name, codes, known)


def number_of_blocks(table: Tuples, options: sf.Arp, l: int) -> int:
    model = bind(sf.SimpleL(l), Facts.of(table))
    found = arp.ArpPartitioner(options).partition(Task(table, model, NCP(), Randomness.fixed(0)))
    return int(found.labels.max()) + 1


@pytest.mark.data
@pytest.mark.parametrize("l", [3, 4, 5, 7])
def test_adult_is_one_block_where_merged_parts_are_final(l: int, adult_arx: pl.DataFrame) -> None:
    """The strongest attribute is sex; from l = 4 on one of its two parts fails, and the merged part is final."""
    table = correlated(adult_arx)
    assert (number_of_blocks(table, sf.Arp(split_merged=False, initial_only=True), l) == 1) == (l >= 4)
    assert l > 5 or number_of_blocks(table, sf.Arp(initial_only=True), l) > 10
    assert number_of_blocks(table, sf.Arp(), l) == table.rows // l


@pytest.mark.parametrize(
    "options", some([sf.Arp(), sf.Arp(initial_only=True), sf.Arp(split_merged=False, order="ascending")])
)
def test_conforms(options: sf.Arp) -> None:
    check_partitioner(options, seed=70, rounds=3)
