from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.table.dictionaries import as_dictionaries, as_texts
from sfumato.table.formats import FORMATS
from sfumato.table.formats.places import more_than_cells
from sfumato.table.formats.reread import reread
from sfumato.table.formats.source import read_raw
from tests.support.examples import examples
from tests.support.sheets import every_kind

nasty = st.text(
    alphabet=st.one_of(
        st.sampled_from("\",;\t|\r\n\ufeff\u2028\u0085 '=*\\"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=12,
)
cells = st.none() | nasty


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(nasty.filter(str.strip), min_size=1, max_size=4, unique=True))
    height = draw(st.integers(0, 6))
    column = st.lists(cells, min_size=height, max_size=height)
    return pl.DataFrame({name: pl.Series(draw(column), dtype=pl.String) for name in names})


@settings(max_examples=examples(250), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames())
def test_texts_survive_the_file(tmp_path: Path, frame: pl.DataFrame) -> None:
    from sfumato.policy.document import Input

    FORMATS["csv"].write(frame, tmp_path / "a.csv")
    assert read_raw(tmp_path / "a.csv", Input(delimiter=",")).to_dict(as_series=False) == frame.to_dict(as_series=False)
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = [[cell or "" for cell in row] for row in frame.rows()]
        assert [row or [""] for row in csv.reader(file, strict=True)] == [frame.columns, *rows]
    FORMATS["parquet"].write(frame, tmp_path / "a.parquet")
    assert read_raw(tmp_path / "a.parquet").equals(frame)


def test_bytes_of_a_file(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "plain": ["x", None, ""],
            'say "so"': ['5" disk', "a,b", "c\rd"],
            "number": [1.5, None, 0.1],
            "flag": [True, False, None],
            "day": [date(2024, 1, 2), None, None],
            "kind": pl.Series(["u", "v", ""], dtype=pl.Categorical),
        }
    )
    FORMATS["csv"].write(frame, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == (
        b'plain,"say ""so""",number,flag,day,kind\n'
        b'x,"5"" disk",1.5,true,2024-01-02,u\n'
        b',"a,b",,false,,v\n'
        b'"","c\rd",0.1,,,""\n'
    )


def test_many_rows_and_none(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": pl.int_range(600_000, eager=True).cast(pl.String), "b": "x"})
    FORMATS["csv"].write(frame, tmp_path / "a.csv")
    assert read_raw(tmp_path / "a.csv").equals(frame)
    FORMATS["csv"].write(frame[:0], tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_bytes() == b"a,b\n"


def test_texts_that_hardly_repeat_stand_in_parquet_without_a_dictionary(tmp_path: Path) -> None:
    """However they are held, with and without missing ones; read again they hide nothing."""
    rare = [None if number % 9 == 1 else f"{7 * number % 9001:05d}" for number in range(9000)]
    often = [f"{number % 2000:05d}" for number in range(9000)]
    whole = pl.DataFrame({"rare": rare, "often": often, "number": range(9000)})
    wider = pl.Enum(sorted({text for text in rare if text} | {"unused"}))
    written = {}
    for name, frame in {
        "texts": whole,
        "dictionaries": as_dictionaries(whole),
        "more than occur": whole.with_columns(pl.col("rare").cast(wider)),
        "pieces": pl.concat([whole[:4000], whole[4000:]], rechunk=False),
    }.items():
        FORMATS["parquet"].write(frame, tmp_path / "a.parquet")
        written[name] = (tmp_path / "a.parquet").read_bytes()
        found = reread(tmp_path / "a.parquet")
        assert as_texts(found.frame).equals(whole)
        assert [*more_than_cells(tmp_path / "a.parquet", "parquet", found)] == []
    assert len({*written.values()}) == 1
    group = pq.read_metadata(tmp_path / "a.parquet").row_group(0)
    assert [group.column(place).has_dictionary_page for place in range(3)] == [False, True, True]
    pq.write_table(whole.to_arrow(), tmp_path / "a.parquet", compression="zstd", store_schema=False)
    (said,) = more_than_cells(tmp_path / "a.parquet", "parquet", reread(tmp_path / "a.parquet"))
    assert "something may be hidden" in said  # the same cells, written otherwise
    few = whole[:4000]
    FORMATS["parquet"].write(few, tmp_path / "a.parquet")
    assert pq.read_metadata(tmp_path / "a.parquet").row_group(0).column(0).has_dictionary_page


def test_a_dictionary_that_another_writer_left_out_is_made(tmp_path: Path) -> None:
    table = pa.table({"a": [f"{number % 50}" for number in range(9000)]})
    pq.write_table(table, tmp_path / "a.parquet", use_dictionary=False)
    found = reread(tmp_path / "a.parquet").frame["a"]
    assert isinstance(found.dtype, pl.Enum)
    assert found.to_list() == table["a"].to_pylist()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("kind", every_kind())
def test_a_full_disk_is_an_os_error(kind: str) -> None:
    with pytest.raises(OSError, match="is the disk full"):
        FORMATS[kind].write(pl.DataFrame({"a": ["x" * 100] * 1000}), Path("/dev/full"))
