"""The column that says whose a row is: codes, missing values, and what it does to tuples."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.errors import PolicyError, TableError
from sfumato.table.read import read
from sfumato.table.tuples import Tuples
from tests.support.table_policies import policy

COLUMNS: dict[str, Any] = {"who": "individual", "age": "quasi", "pay": "sensitive"}
FRAME = pl.DataFrame({"who": ["b", "a", "b", "c"], "age": ["1", "1", "1", "1"], "pay": ["x", "x", "y", "x"]})


def coded(frame: pl.DataFrame, **settings: Any) -> Tuples:
    return read(frame, policy(COLUMNS, **settings)).encode()


def by_row(table: Tuples, rows: int) -> list[int]:
    """Whose every row is, where no two are equal."""
    assert table.person is not None and table.row is not None
    assert sorted(table.row.tolist()) == list(range(rows))
    return table.person[np.argsort(table.row)].tolist()  # type: ignore[no-any-return]


def held(table: Tuples) -> list[list[int]]:
    return [*(each.tolist() for each in table.every), table.counts.tolist()]


def test_codes_follow_the_names_whatever_the_order_of_rows() -> None:
    made = coded(FRAME)
    assert by_row(made, 4) == [1, 0, 1, 2]
    order = [3, 1, 0, 2]
    again = coded(FRAME[order])
    assert by_row(again, 4) == [2, 0, 1, 1]
    assert held(again) == held(made)
    assert made.row is not None and again.row is not None
    assert [order[row] for row in again.row] == made.row.tolist()


def test_whose_rows_are_is_part_of_a_tuple() -> None:
    other = FRAME.with_columns(pl.Series("who", ["b", "a", "c", "c"]))
    assert held(coded(FRAME)) != held(coded(other))


def test_rows_alike_but_for_the_person_are_not_interchangeable() -> None:
    """Rows 0, 1 and 3 agree in all that is published: their order still follows from whose they are."""
    made = coded(FRAME)
    assert made.row is not None and made.row.tolist() == [1, 0, 3, 2]
    assert made.content.tolist() == [0, 1, 2, 3] and not made.alike


def test_equal_rows_of_one_person_are() -> None:
    made = coded(pl.concat([FRAME, FRAME[[2]]]))
    assert made.counts.tolist() == [1, 1, 1, 2] and made.rows == 5
    assert made.each().person is not None and made.each().content.tolist() == [0, 1, 2, 3, 3]


def test_nobody_has_several_rows() -> None:
    alone = coded(FRAME.with_columns(pl.Series("who", ["b", "a", "d", "c"])))
    assert alone.person is None
    assert alone.alike and alone.counts.tolist() == [3, 1]


def test_numbers_as_names() -> None:
    table = read(
        pl.DataFrame({"who": [10, 9, 10], "age": ["1", "2", "3"]}),
        policy({"who": {"role": "individual", "type": "integer"}, "age": "quasi"}),
    )
    assert by_row(table.encode(), 3) == [1, 0, 1]


@pytest.mark.parametrize("settings", [{}, {"missing": "category"}, {"missing": "error"}])
def test_an_unknown_person_is_an_error(settings: dict[str, Any]) -> None:
    frame = FRAME.with_columns(pl.Series("who", ["b", None, None, "c"]))
    with pytest.raises(TableError, match=r"'who': 2 missing, the first in row 2") as error:
        read(frame, policy(COLUMNS, **settings))
    assert "an unknown person can only be dropped" in str(error.value)


def test_unknown_persons_are_dropped_if_asked_for() -> None:
    frame = FRAME.with_columns(pl.Series("who", ["b", None, "b", "c"]))
    own = policy({**COLUMNS, "who": {"role": "individual", "missing": "drop"}})
    for given in (own, policy(COLUMNS, missing="drop")):
        table = read(frame, given)
        assert table.dropped == 1
        assert by_row(table.encode(), 3) == [0, 0, 1]


def test_unknown_persons_are_no_category() -> None:
    with pytest.raises(PolicyError, match=r"columns\.who\.missing: .* must be error or drop"):
        policy({**COLUMNS, "who": {"role": "individual", "missing": "category"}})


def test_only_one_column_says_whose_a_row_is() -> None:
    with pytest.raises(PolicyError, match=r"columns\.else\.role: only one column"):
        policy({**COLUMNS, "else": "individual"})


def test_it_is_never_published_by_another_name() -> None:
    with pytest.raises(PolicyError, match="only an identifier can have one"):
        policy({**COLUMNS, "who": {"role": "individual", "pseudonym": True}})
