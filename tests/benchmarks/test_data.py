"""Tables made larger: as many rows as asked for, as unlike as said, and the same ones every time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from benchmarks.adult import QUASI, SENSITIVE, adult
from benchmarks.contract import Rows, fresh, without_trees
from benchmarks.enlarge import DATA, EXTRA, duplicated, hard, perturbed
from sfumato.table.tuples import Tuples
from tests.support.tiny_adult import ROWS, tiny_adult

MANY = 20_000


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> Tuples:
    return tiny_adult(tmp_path_factory.mktemp("tiny"))[0]


@pytest.fixture(scope="module")
def base(coded: Tuples) -> Rows:
    return Rows.of_tuples(coded)


def held(rows: Rows) -> Counter[tuple[int, ...]]:
    columns = [rows.codes[column.name].tolist() for column in (*rows.quasi, *rows.sensitive)]
    return Counter(zip(*columns, strict=True))


def counted(table: Tuples) -> dict[tuple[int, ...], int]:
    columns = [table.codes[column.name].tolist() for column in (*table.quasi, *table.sensitive)]
    return dict(zip(zip(*columns, strict=True), table.counts.tolist(), strict=True))


def test_rows_are_those_of_the_table_in_no_order(coded: Tuples, base: Rows) -> None:
    assert len(base) == coded.rows == ROWS
    assert held(base) == counted(coded)
    assert (np.diff(base.codes["age"]) < 0).mean() > 0.3


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("rows", [ROWS // 3, ROWS, MANY])
def test_every_run_makes_the_same_rows(base: Rows, data: str, rows: int) -> None:
    made, again = DATA[data](base, rows), DATA[data](base, rows)
    assert len(made) == rows
    for column in (*made.quasi, *made.sensitive):
        codes = made.codes[column.name]
        assert codes.dtype == np.int32
        assert len(codes) == rows
        assert 0 <= codes.min() <= codes.max() < column.size
        assert np.array_equal(codes, again.codes[column.name])
        assert np.array_equal(column.counts, np.bincount(codes, minlength=column.size))
    assert counted(made.counted()) == held(made)


def test_duplicated_has_only_rows_of_the_table_and_is_it_at_its_size(base: Rows) -> None:
    assert held(duplicated(base, ROWS)) == held(base)
    many = held(duplicated(base, MANY))
    assert set(many) == set(held(base))
    assert many.total() == MANY


def test_perturbed_moves_ages_and_redraws_a_twentieth(base: Rows) -> None:
    made = perturbed(base, MANY)
    drawn = np.random.default_rng(2).integers(0, ROWS, MANY)  # the rows before they were perturbed
    step = made.codes["age"] - base.codes["age"][drawn]
    assert np.abs(step).max() == 3
    inner = (base.codes["age"][drawn] >= 3) & (base.codes["age"][drawn] <= 16)  # where no end cuts a step off
    assert (step[inner] != 0).mean() == pytest.approx(0.5 * 6 / 7, abs=0.02)
    for name in (*QUASI, SENSITIVE):
        if name != "age":
            shares = np.bincount(base.codes[name]) / ROWS
            changed = (made.codes[name] != base.codes[name][drawn]).mean()
            assert changed == pytest.approx(0.05 * (1 - (shares**2).sum()), abs=0.008)
    assert len(held(made)) > 3 * len(held(base))


def test_hard_makes_nearly_every_row_its_own(base: Rows) -> None:
    made = hard(base, MANY)
    assert [column.name for column in made.quasi] == [*(column.name for column in base.quasi), EXTRA]
    assert len(held(made)) > 0.99 * MANY


def test_without_trees_numbers_lie_on_a_line_and_the_rest_is_text(coded: Tuples) -> None:
    plain = without_trees(coded)
    assert all(column.taxonomy is None for column in plain.quasi)
    assert plain["age"].positions is not None
    assert plain["age"].positions[plain.codes["age"]].tolist() == [
        float(age) for age in coded["age"].values.gather(coded.codes["age"])
    ]
    assert [column.name for column in plain.quasi if column.positions is not None] == ["age"]
    assert counted(plain) == counted(coded)


def test_a_fresh_table_has_computed_nothing(base: Rows) -> None:
    used = duplicated(base, ROWS).counted()
    joint = used.joint(("age", "sex"))
    assert used.rows == ROWS
    new = fresh(used)
    assert "rows" not in vars(new)
    assert new.joint(("age", "sex"))[0] is not joint[0]
    assert np.shares_memory(new.codes["age"], used.codes["age"])


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
