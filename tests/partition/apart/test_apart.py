"""Groups of rows that all differ: what the four algorithms share, on the papers' tables and counterexamples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.partition.apart.apart import most_groups
from sfumato.partition.contract import Task
from sfumato.partition.registry import partitioner
from sfumato.policy.methods import Method
from sfumato.table.tuples import Tuples
from sfumato.testing import check_partitioner
from tests.support.examples import examples
from tests.support.golden import golden
from tests.support.tasks import METHODS, grouped, random_table, table_of, task_of

GOLDEN: dict[str, Any] = golden("bsgi")

every = pytest.mark.parametrize("method", METHODS, ids=lambda method: "-".join(map(str, method.model_dump().values())))


def members(labels: np.ndarray[Any, Any]) -> list[list[int]]:
    return [np.flatnonzero(labels == group).tolist() for group in range(int(labels.max()) + 1)]


def different(task: Task, rows: list[int]) -> bool:
    columns = [task.table.codes[column.name] for column in task.table.sensitive]
    columns += [] if task.table.person is None else [task.table.person]
    return all(len(set(codes[rows].tolist())) == len(rows) for codes in columns)


@every
def test_the_papers_table(method: Method) -> None:
    """Seven patients, three with one disease: three groups of at least two, all different; one group of three."""
    codes = [sorted({row[place] for row in GOLDEN["rows"]}) for place in range(3)]
    quasi = [[codes[place].index(row[place]) for row in GOLDEN["rows"]] for place in range(3)]
    names = sorted(set(GOLDEN["sensitive"]))
    task = task_of(table_of(quasi, [[names.index(value) for value in GOLDEN["sensitive"]]]), sf.PairwiseL(2))
    found = members(grouped(method, task))
    assert sorted(map(len, found)) == [2, 2, 3]
    assert all(different(task, rows) for rows in found)


@every
def test_the_best_l_is_offered(method: Method) -> None:
    best = GOLDEN["best_l"]
    values = [0] * best["n1"] + [1, 1, 2, 2]
    task = task_of(table_of([range(best["n"])], [values]), sf.PairwiseL(3))
    with pytest.raises(sf.NoneFound) as raised:
        grouped(method, task)
    assert raised.value.nearest == sf.PairwiseL(best["corollary3"])


@pytest.mark.parametrize("case", GOLDEN["max_groups"], ids=str)
def test_as_many_groups_as_can_be(case: dict[str, Any]) -> None:
    """The paper's Theorem 1, by exhaustive search."""
    assert most_groups(np.array(case["counts"]), case["l"]) == case["max_groups"]
    values = np.repeat(np.arange(len(case["counts"])), case["counts"]).tolist()
    task = task_of(table_of([range(len(values))], [values]), sf.PairwiseL(case["l"]), limit=Fraction(1))
    for method in METHODS:
        labels = grouped(method, task)
        assert labels.max() + 1 == case["max_groups"]
        assert (labels < 0).sum() == sum(max(count - case["max_groups"], 0) for count in case["counts"])


@every
def test_a_value_in_excess_is_refused_never_put_in_twice(method: Method) -> None:
    """a a a b at l = 2: the paper's last branch makes {a, b, a, a}, in which a has 3/4."""
    table = table_of([[0, 1, 2, 3]], [[0, 0, 0, 1]])
    with pytest.raises(sf.NoneFound, match="2 of 4 rows find no place"):
        grouped(method, task_of(table, sf.PairwiseL(2)))
    labels = grouped(method, task_of(table, sf.PairwiseL(2), limit=Fraction(1, 2)))
    assert sorted(labels.tolist()) == [-1, -1, 0, 0]
    assert labels[3] == 0


@every
def test_the_letter_of_unique_distinctness_is_not_what_is_made(method: Method) -> None:
    """a a a a b has exactly two values, and a has 4/5: all but two rows are left out."""
    table = table_of([[0] * 5], [[0, 0, 0, 0, 1]])
    labels = grouped(method, task_of(table, sf.UniqueDistinctL(2), limit=Fraction(3, 5)))
    assert sorted(labels.tolist()) == [-1, -1, -1, 0, 0]


@every
def test_exactly_l_leaves_the_residual_out(method: Method) -> None:
    """A row too many makes a group of three: not exactly two, so the row is suppressed, or the run refused."""
    table = table_of([list(range(7))], [[0, 0, 0, 1, 1, 2, 2]])
    with pytest.raises(sf.NoneFound, match="1 of 7 rows"):
        grouped(method, task_of(table, sf.UniqueDistinctL(2)))
    labels = grouped(method, task_of(table, sf.UniqueDistinctL(2), limit=Fraction(1, 7)))
    assert np.bincount(labels + 1).tolist() == [1, 2, 2, 2]


@every
def test_groups_that_look_alike_are_one_without_an_id(method: Method) -> None:
    """Without an id only simple l is claimed; with one, pairwise l is audited group by group."""
    frame = {"age": [30] * 4, "s": ["a", "b", "a", "c"]}
    policy = {
        "version": 1,
        "columns": {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
    }
    data = pl.DataFrame(frame)
    assert sf.publish(data, policy=policy, partition=method, seed=1).table.height == 4
    with pytest.raises(sf.PolicyError, match="group id"):
        sf.publish(data, sf.PairwiseL(2), policy=policy, partition=method, seed=1)
    kept = sf.publish(
        data, sf.PairwiseL(2), policy=policy, partition=method, form=sf.Generalized(group_id=True), seed=1
    )
    assert kept.table.group_by("group").agg(pl.col("s").n_unique())["s"].to_list() == [2, 2]


@every
def test_two_rows_of_one_person_never_meet(method: Method) -> None:
    """Bob's second row is left over: it must not join the group that has his first."""
    table = table_of([[0, 0, 0]], [[0, 1, 2]], person=[0, 1, 0])
    with pytest.raises(sf.NoneFound):
        grouped(method, task_of(table, sf.PairwiseL(2)))
    for seed in range(5):
        task = task_of(table, sf.PairwiseL(2), seed, limit=Fraction(1, 3))
        assert all(different(task, rows) and len(rows) == 2 for rows in members(grouped(method, task)))


@every
def test_several_sensitive_columns_all_differ(method: Method) -> None:
    """Each column alone is eligible, and a row may find no group that lacks its second value."""
    table = table_of([[0] * 6], [[0, 1, 2, 3, 4, 5], [0, 1, 2, 2, 2, 3]])
    promise = sf.PairwiseL(2, on="s0") & sf.PairwiseL(2, on="s1")
    for seed in range(8):
        task = task_of(table, promise, seed, limit=Fraction(1, 2))
        found = members(grouped(method, task))
        assert found
        assert all(different(task, rows) and len(rows) >= 2 for rows in found)


@every
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10**6), rows=st.integers(8, 60), size=st.integers(2, 4), exactly=st.booleans())
def test_random_tables_with_persons_and_two_columns(
    method: Method, seed: int, rows: int, size: int, exactly: bool
) -> None:
    rng = np.random.default_rng(seed)
    table = table_of(
        [rng.integers(0, 5, rows).tolist()],
        [rng.integers(0, 6, rows).tolist(), rng.integers(0, 5, rows).tolist()],
        person=rng.integers(0, rows, rows).tolist() if seed % 2 else None,
    )
    one, other = (sf.UniqueDistinctL if exactly else sf.PairwiseL)(size, on="s0"), sf.PairwiseL(size, on="s1")
    task = task_of(table, one & other, seed, limit=Fraction(9, 10))
    try:
        found = members(grouped(method, task))
    except sf.NoneFound:
        return
    assert all(different(task, rows) for rows in found)
    assert all(len(rows) == size if exactly else len(rows) >= size for rows in found)


@every
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10**6), rows=st.integers(10, 90), size=st.integers(2, 5))
def test_the_residual_rule(method: Method, seed: int, rows: int, size: int) -> None:
    """⌊n/l⌋ groups, nobody left out, at most n mod l groups larger than l."""
    task = task_of(random_table(np.random.default_rng(seed), rows, 7, size), sf.PairwiseL(size), seed)
    found = members(grouped(method, task))
    assert len(found) == rows // size
    assert sum(map(len, found)) == rows
    assert sum(len(rows) > size for rows in found) <= rows % size
    assert all(different(task, rows) for rows in found)


@every
def test_chance_is_secret_and_kept(method: Method) -> None:
    """Rows alike but for their value: chance alone says which values meet."""
    values = random_table(np.random.default_rng(1), 60, 7, 3).codes["s"].tolist()
    task = task_of(table_of([[0] * 60], [values]), sf.PairwiseL(3), 1)
    again, other = grouped(method, task), grouped(method, task_of(task.table, sf.PairwiseL(3), 2))
    assert grouped(method, task).tolist() == again.tolist()
    assert other.tolist() != again.tolist()


@every
def test_the_conformance_suite(method: Method) -> None:
    check_partitioner(
        method, seed=31, rounds=examples(8), promises=[sf.PairwiseL(2), sf.UniqueDistinctL(2), sf.SimpleL(3)]
    )
    check_partitioner(
        method, seed=37, rounds=examples(4, fewest=2), promises=[sf.EntropyL(2), sf.RecursiveCL(3, 2), sf.DistinctL(3)]
    )


@every
def test_what_has_no_uniform_size_is_refused(method: Method) -> None:
    task = task_of(table_of([[0, 1]], [[0, 1]]), sf.KAnonymity(2))
    assert "speaks of no sensitive" in partitioner(method).fit(task.model).why
    task = task_of(table_of([[0, 1]], [[0, 1]]), sf.TCloseness(Fraction(1, 2)))
    assert partitioner(method).fit(task.model).status == "refused"


@pytest.mark.data
@pytest.mark.parametrize("method", [sf.Anatomy(), sf.Hilbert(), sf.Bsgi(), sf.BsgiFree()], ids=lambda m: m.method)
def test_groups_on_adult(method: Method, adult: Tuples) -> None:
    """The paper's table 5: 30,162 rows, occupation; as many groups as rows allow, whatever the hierarchies."""
    for size, groups in GOLDEN["adult_groups"].items():
        assert groups == 30_162 // int(size)
        labels = grouped(method, task_of(adult, sf.PairwiseL(int(size))))
        sizes = np.bincount(labels)
        assert len(sizes) == groups
        assert sizes.min() == int(size)
        assert (sizes > int(size)).sum() <= adult.rows % int(size)
