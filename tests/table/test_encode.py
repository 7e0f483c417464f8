from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, PolicyError, TableError
from sfumato.table.distinct import distinct
from sfumato.table.domain import Domain
from sfumato.table.read import read
from tests.support.examples import examples
from tests.support.table_policies import policy


def coded(values: list[Any], base: Path | None = None, *, codes: list[int] | None = None, **column: Any) -> Domain:
    """The column as a quasi-identifier, checked to stand for the values it came from, by these codes if any."""
    table = read(pl.DataFrame({"x": values}), policy({"x": {"role": "quasi", **column}}, base))
    tuples = table.encode()
    made, found = tuples["x"], tuples.codes["x"]
    assert found.dtype == np.int32 and tuples.row is not None
    assert made.values.gather(found).to_list() == table.distinct["x"].spread().gather(tuples.row).to_list()
    assert len(set(found.tolist())) == len(found) and tuples.counts.tolist() == made.counts[found].tolist()
    assert made.counts.sum() == len(values)
    if codes is not None:
        assert [codes[row] for row in tuples.row.tolist()] == found.tolist()
        assert made.counts.tolist() == np.bincount(codes, minlength=made.size).tolist()
    return made


def test_plain_text_in_text_order() -> None:
    made = coded(["b", "a", "Z", "é", "a"], codes=[2, 1, 0, 3, 1])
    assert made.values.to_list() == ["Z", "a", "b", "é"]
    assert made.counts.tolist() == [1, 2, 1, 1]
    assert (made.taxonomy, made.positions, made.missing, made.ordered) == (None, None, None, False)


def test_numbers_have_positions() -> None:
    made = coded(["10", "9", "100", None, "9"], codes=[1, 0, 2, 3, 0], type="integer")
    assert made.values.to_list() == [9, 10, 100, None]
    assert made.missing == 3
    assert made.ordered
    assert made.positions is not None
    np.testing.assert_array_equal(made.positions, [9, 10, 100, np.nan])


def test_decimals_and_dates_have_positions() -> None:
    made = coded([0.5, -1.25, 0.5], type="number")
    assert made.positions is not None
    assert made.positions.tolist() == [-1.25, 0.5]
    made = coded(["1970-01-11", "1969-12-31"], type="date")
    assert made.values.to_list() == [date(1969, 12, 31), date(1970, 1, 11)]
    assert made.positions is not None
    assert made.positions.tolist() == [-1.0, 10.0]


def test_the_order_of_the_policy() -> None:
    made = coded(["high", "low", None, "low"], codes=[1, 0, 2, 0], order=["low", "middle", "high"])
    assert made.values.to_list() == ["low", "high", None]
    assert made.ordered
    with pytest.raises(TableError, match="2 values not in its order: list, in 3 rows"):
        coded(["low", "odd", "odd", "even"], order=["low"])
    with pytest.raises(PolicyError, match=r"columns\.x\.order"):
        coded(["low"], order=["low", "low"])


def test_a_tree_written_down_keeps_all_its_leaves() -> None:
    tree = {"*": {"respiratory": ["flu", "asthma"], "other": ["burn"]}}
    made = coded(["burn", "flu", None], codes=[2, 0, 3], hierarchy={"tree": tree})
    assert made.values.to_list() == ["flu", "asthma", "burn", None]
    assert made.counts.tolist() == [1, 0, 1, 1]
    assert made.taxonomy is not None
    assert made.taxonomy.size == 4
    assert made.taxonomy.leaves[:3] == ("flu", "asthma", "burn")
    assert made.taxonomy.parent[3] == made.taxonomy.root
    assert made.positions is None
    with pytest.raises(HierarchyError, match="'x'"):
        coded(["burn", "gout"], hierarchy={"tree": tree})


def test_a_file_over_numbers(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("30;young;*\n40;young;*\n5;child;*\n", encoding="utf-8")
    made = coded(["040", "30"], tmp_path, type="integer", hierarchy={"file": "age.csv", "header": False})
    assert sorted(made.values.to_list()) == [5, 30, 40]
    assert made.values.dtype == pl.Int64
    assert made.taxonomy is not None
    low, high = np.flatnonzero(made.counts).tolist()
    assert [made.taxonomy.labels[node] for node in made.taxonomy.cover([low], [high])] == ["young"]


def test_numbers_out_of_order_in_a_tree_have_no_order() -> None:
    crossed = {"*": {"odd": ["1", "3"], "even": ["2", "4"]}}
    assert not coded(["1", "2", "3"], type="integer", hierarchy={"tree": crossed}).ordered
    upright = {"*": {"low": ["1", "2"], "high": ["3", "4"]}}
    assert coded(["1", "2", None], type="integer", hierarchy={"tree": upright}).ordered


@pytest.mark.parametrize(
    ("values", "column", "height"),
    [
        (["7", "12", "31"], {"type": "integer", "hierarchy": {"intervals": [5, 10]}}, 3),
        (["7.5", "12", "-31"], {"type": "number", "hierarchy": {"intervals": [5, 10]}}, 3),
        (["2024-01-31", "2023-05-05"], {"type": "date", "hierarchy": {"dates": ["month", "year"]}}, 3),
        (["02139", "02140"], {"hierarchy": {"mask": "right"}}, 5),
        (["a", "b", "c"], {"hierarchy": "flat"}, 1),
        (["1", "2", "3", "10"], {"type": "integer", "hierarchy": {"balanced": {"fanout": 2}}}, 2),
    ],
)
@pytest.mark.parametrize("missing", [False, True])
def test_trees_made_from_data(values: list[str | None], column: dict[str, Any], height: int, missing: bool) -> None:
    made = coded([*values, None] if missing else values, **column)
    assert made.taxonomy is not None
    assert made.taxonomy.height == height
    assert made.size == made.taxonomy.size == len(values) + missing
    assert made.missing == (len(values) if missing else None)


def test_a_value_called_like_the_missing_leaf() -> None:
    made = coded(["(missing)", None], hierarchy="flat")
    assert made.taxonomy is not None
    assert len(set(made.taxonomy.labels)) == 3


def test_only_missing_values() -> None:
    for column in ({}, {"type": "integer"}, {"hierarchy": "flat"}, {"order": ["a"]}):
        made = coded([None, None], codes=[0, 0], **column)
        assert made.missing == 0
        assert made.size == 1


def test_the_whole_table() -> None:
    frame = pl.DataFrame({"s": ["u", "v"], "id": ["1", "2"], "b": ["x", "y"], "a": ["1", "1"], "n": ["", "m"]})
    wanted = policy({"id": "identifier", "a": "quasi", "s": "sensitive", "b": "quasi", "n": "insensitive"})
    table = read(frame, wanted)
    made = table.encode()
    assert [column.name for column in made.quasi] == ["a", "b"]
    assert [column.name for column in made.sensitive] == ["s"]
    assert [column.name for column in made.beside] == ["n"]
    assert made.rows == 2
    assert table.encode() is made


values_of = {
    pl.String: st.text(max_size=3),
    pl.Int64: st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5),
    pl.Float64: st.floats(allow_nan=False, allow_infinity=False).map(lambda each: each + 0.0),
    pl.Date: st.dates(),
}


@settings(max_examples=examples(150))
@given(st.data(), st.sampled_from([pl.String, pl.Int64, pl.Float64, pl.Date]))
def test_distinct_against_python(data: st.DataObject, dtype: type[pl.DataType]) -> None:
    given_values = data.draw(st.lists(st.none() | values_of[dtype], max_size=12))
    found = distinct(pl.Series("x", given_values, dtype=dtype))
    ordered: list[Any] = sorted({value for value in given_values if value is not None})
    assert found.values.to_list() == ordered
    assert found.values.dtype == dtype
    assert found.codes.tolist() == [-1 if value is None else ordered.index(value) for value in given_values]
    assert found.codes.dtype == np.int32
    assert found.counts.tolist() == [given_values.count(value) for value in ordered]
    assert found.missing == given_values.count(None)
    assert found.first_rows.tolist() == [given_values.index(value) for value in ordered]
