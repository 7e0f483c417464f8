from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.digest import digest

FRAME = pl.DataFrame(
    {"t": ["a", None, "", "longer than twelve bytes"], "n": [1, None, 0, 3], "d": [date(2024, 1, 1), None, None, None]}
)


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
        FRAME[::-1],
        FRAME[:3],
        FRAME.with_columns(pl.col("t").fill_null("")),
        FRAME.with_columns(pl.col("n").fill_null(0)),
        FRAME.with_columns(pl.col("n").cast(pl.Int32)),
        FRAME.with_columns(pl.col("n").cast(pl.String)),
        FRAME.with_columns(extra=pl.lit(None)),
    ],
)
def test_every_difference_shows(other: pl.DataFrame) -> None:
    assert digest(other) != digest(FRAME)


def test_borders_of_texts_show() -> None:
    assert digest(pl.DataFrame({"a": ["ab", "c"]})) != digest(pl.DataFrame({"a": ["a", "bc"]}))
    assert digest(pl.DataFrame({"a": ["x"], "b": ["y"]})) != digest(pl.DataFrame({"a": ["xy"], "b": [""]}))


def test_no_rows() -> None:
    assert digest(FRAME[:0]) != digest(FRAME[:0].drop("d"))


texts = st.lists(st.none() | st.text(max_size=20), max_size=8)


@settings(deadline=None, max_examples=60)
@given(texts, texts)
def test_equal_exactly_if_equal(left: list[str | None], right: list[str | None]) -> None:
    one = pl.DataFrame({"a": pl.Series(left, dtype=pl.String)})
    two = pl.DataFrame({"a": pl.Series(right, dtype=pl.String)})
    assert (digest(one) == digest(two)) == (left == right)
