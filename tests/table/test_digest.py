from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.arrow import columns_of
from sfumato.table.digest import digest as digest_of
from sfumato.table.digest import row_hashes
from tests.support.examples import examples

FRAME = pl.DataFrame(
    {"t": ["a", None, "", "longer than twelve bytes"], "n": [1, None, 0, 3], "d": [date(2024, 1, 1), None, None, None]}
)


def digest(frame: pl.DataFrame, secret: bytes = b"") -> str:
    return digest_of(columns_of({name: frame[name] for name in frame.columns}), secret)


def test_how_it_lies_in_memory_does_not_matter() -> None:
    wanted = digest(FRAME)
    assert digest(pl.concat([FRAME[:1], FRAME[1:]], rechunk=False)) == wanted
    assert digest(pl.concat([FRAME, FRAME])[4:]) == wanted
    assert digest(pl.concat([FRAME, FRAME, FRAME])[4:8]) == wanted
    assert digest(FRAME.with_columns(pl.col("t").cast(pl.Categorical))) == wanted
    assert digest(FRAME.with_columns(pl.col("t").cast(pl.Enum(["x", "longer than twelve bytes", "", "a"])))) == wanted
    hidden = FRAME.with_columns(pl.when(pl.col("n").is_not_null()).then(pl.col("n")).otherwise(pl.lit(None)))
    assert digest(hidden) == wanted


@pytest.mark.parametrize(
    "other",
    [
        FRAME.rename({"t": "u"}),
        FRAME.select("n", "t", "d"),
        FRAME[:3],
        FRAME.with_columns(pl.col("t").fill_null("")),
        FRAME.with_columns(pl.col("n").fill_null(0)),
        FRAME.with_columns(pl.col("n").cast(pl.Int32)),
        FRAME.with_columns(pl.col("n").cast(pl.String)),
        FRAME.with_columns(extra=pl.lit(None)),
        FRAME.with_columns(pl.col("n").reverse()),
        pl.concat([FRAME, FRAME[:1]]),
        pl.concat([FRAME, FRAME]),
    ],
)
def test_every_difference_shows(other: pl.DataFrame) -> None:
    assert digest(other) != digest(FRAME)


def test_borders_of_texts_show() -> None:
    assert digest(pl.DataFrame({"a": ["ab", "c"]})) != digest(pl.DataFrame({"a": ["a", "bc"]}))
    assert digest(pl.DataFrame({"a": ["x"], "b": ["y"]})) != digest(pl.DataFrame({"a": ["xy"], "b": [""]}))


def test_no_rows() -> None:
    assert digest(FRAME[:0]) != digest(FRAME[:0].drop("d"))


def test_cells_that_change_places_show() -> None:
    frame = pl.DataFrame({"a": ["1", "2", "3"], "b": ["2", "1", "3"], "c": ["x", "y", "z"]})
    swapped = pl.DataFrame({"a": ["2", "2", "3"], "b": ["1", "1", "3"], "c": ["x", "y", "z"]})
    parted = pl.DataFrame({"a": ["1", "2", "3"], "b": ["2", "1", "3"], "c": ["y", "x", "z"]})
    assert len({digest(each) for each in (frame, swapped, parted, frame.rename({"a": "b", "b": "a"}))}) == 4


def test_the_secret_shows() -> None:
    assert len({digest(FRAME, secret) for secret in (b"", b"a", b"b", b"a" * 65, b"a" * 66)}) == 5


def test_numbers_of_rows_follow_from_what_they_hold() -> None:
    frame = pl.DataFrame({"a": ["x", "y", "x", None], "n": [1.5, 2.0, 1.5, None]})
    columns = columns_of({name: frame[name] for name in frame.columns})
    drawn = row_hashes(columns, np.arange(4), b"key")
    assert drawn[0] == drawn[2] and len(set(drawn.tolist())) == 3
    assert row_hashes(columns, np.array([3, 1]), b"key").tolist() == drawn[[3, 1]].tolist()
    assert not set(row_hashes(columns, np.arange(4), b"other").tolist()) & set(drawn.tolist())


cells = st.tuples(st.none() | st.text(max_size=3), st.none() | st.integers(0, 3))
rows = st.lists(cells, max_size=8)


@settings(max_examples=examples(100))
@given(rows, rows, st.randoms())
def test_equal_exactly_if_equal_but_for_the_order(left: list[Any], right: list[Any], draw: Any) -> None:
    def made(rows: list[Any]) -> pl.DataFrame:
        return pl.DataFrame(rows, schema={"a": pl.String, "b": pl.Int64}, orient="row")

    assert (digest(made(left)) == digest(made(right))) == (Counter(left) == Counter(right))
    shuffled = list(left)
    draw.shuffle(shuffled)
    assert digest(made(shuffled)) == digest(made(left))


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.concat([FRAME] * 5)
    wanted = digest(frame)
    monkeypatch.setattr("sfumato.table.digest._ROWS_AT_ONCE", 3)
    assert digest(frame) == wanted
