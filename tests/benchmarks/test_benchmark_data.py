"""Tables made larger: as many rows as asked for, as unlike as said, and the same ones every time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tiny_adult import ROWS, tiny_adult

from benchmarks.adult import QUASI, SENSITIVE, adult
from benchmarks.contract import fresh, without_trees
from benchmarks.enlarge import DATA, EXTRA, duplicated, hard, perturbed
from sfumato.table.tuples import Tuples

MANY = 20_000


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Tuples:
    return tiny_adult(tmp_path_factory.mktemp("tiny"))[0]


def tuples(table: Tuples) -> Counter[tuple[int, ...]]:
    columns = [column.codes.tolist() for column in (*table.quasi, *table.sensitive)]
    return Counter(zip(*columns, strict=True))


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("rows", [ROWS // 3, ROWS, MANY])
def test_every_run_makes_the_same_rows(base: Tuples, data: str, rows: int) -> None:
    made, again = DATA[data](base, rows), DATA[data](base, rows)
    assert made.rows == rows
    for one, other in zip((*made.quasi, *made.sensitive), (*again.quasi, *again.sensitive), strict=True):
        assert one.codes.dtype == np.int32
        assert len(one.codes) == rows
        assert 0 <= one.codes.min() <= one.codes.max() < one.size
        assert np.array_equal(one.codes, other.codes)


def test_duplicated_has_only_rows_of_the_table_and_is_it_at_its_size(base: Tuples) -> None:
    assert tuples(duplicated(base, ROWS)) == tuples(base)
    many = tuples(duplicated(base, MANY))
    assert set(many) == set(tuples(base))
    assert many.total() == MANY


def test_perturbed_moves_ages_and_redraws_a_twentieth(base: Tuples) -> None:
    made = perturbed(base, MANY)
    drawn = np.random.default_rng(2).integers(0, ROWS, MANY)  # the rows before they were perturbed
    step = made["age"].codes - base["age"].codes[drawn]
    assert np.abs(step).max() == 3
    inner = (base["age"].codes[drawn] >= 3) & (base["age"].codes[drawn] <= 16)  # where no end cuts a step off
    assert (step[inner] != 0).mean() == pytest.approx(0.5 * 6 / 7, abs=0.02)
    for name in (*QUASI, SENSITIVE):
        if name != "age":
            shares = base[name].counts / ROWS
            changed = (made[name].codes != base[name].codes[drawn]).mean()
            assert changed == pytest.approx(0.05 * (1 - (shares**2).sum()), abs=0.008)
    assert len(tuples(made)) > 3 * len(tuples(base))


def test_hard_makes_nearly_every_row_its_own(base: Tuples) -> None:
    made = hard(base, MANY)
    assert [column.name for column in made.quasi] == [*(column.name for column in base.quasi), EXTRA]
    assert len(tuples(made)) > 0.99 * MANY


def test_without_trees_numbers_lie_on_a_line_and_the_rest_is_text(base: Tuples) -> None:
    plain = without_trees(base)
    assert all(column.taxonomy is None for column in plain.quasi)
    assert plain["age"].positions is not None
    assert plain["age"].positions[plain["age"].codes].tolist() == [
        float(age) for age in base["age"].values.gather(base["age"].codes)
    ]
    assert [column.name for column in plain.quasi if column.positions is not None] == ["age"]
    assert tuples(plain) == tuples(base)


def test_a_fresh_table_has_computed_nothing(base: Tuples) -> None:
    used = duplicated(base, ROWS)
    assert len(used.canonical) == ROWS
    assert used["age"].counts.sum() == ROWS
    new = fresh(used)
    assert "canonical" not in vars(new)
    assert "counts" not in vars(new["age"])
    assert np.shares_memory(new["age"].codes, used["age"].codes)


@pytest.mark.data
def test_adult_is_coded_by_the_hierarchies_of_arx(adult_arx: Any, arx_files: Any) -> None:
    table, document = adult()
    assert table.rows == 30_162
    assert {column.name for column in table.quasi} == set(QUASI)
    heights = {column.name: column.taxonomy.height for column in table.quasi if column.taxonomy is not None}
    assert np.prod([height + 1 for height in heights.values()]) == 4_320  # nodes of the lattice
    assert table["age"].size == 100
    assert table[SENSITIVE].size == 14
    assert set(document["columns"]) == {*QUASI, SENSITIVE}
