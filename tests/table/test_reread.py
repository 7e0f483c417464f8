"""What a sink wrote is read again block by block, and its length tells whether its bytes are more than its cells."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.dictionaries import as_dictionaries, as_texts
from sfumato.table.formats import FORMATS
from sfumato.table.formats.csv import reread as module
from sfumato.table.formats.places import more_than_cells
from sfumato.table.formats.reread import reread
from sfumato.table.formats.source import read_raw
from tests.support.examples import examples

WORK = settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
texts = st.text(alphabet=st.sampled_from('ab",\n\r\ufeff é'), max_size=4)


@pytest.fixture(params=[1 << 22, 16], ids=["one block", "many blocks"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(module, "_BLOCK", request.param)
    yield request.param


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(texts.filter(str.strip), min_size=1, max_size=3, unique=True))
    height = draw(st.integers(0, 8))
    column = st.lists(st.none() | texts, min_size=height, max_size=height)
    return pl.DataFrame({name: pl.Series(draw(column), dtype=pl.String) for name in names})


def hidden(path: Path, kind: str = "csv") -> list[str]:
    return [*more_than_cells(path, kind, reread(path))]


@WORK
@given(frames())
def test_what_was_written_is_read_and_hides_nothing(tmp_path: Path, block: int, frame: pl.DataFrame) -> None:
    path = tmp_path / "a.csv"
    for given_ in (frame, as_dictionaries(frame)):
        assert FORMATS["csv"].write(given_, path) == hashlib.sha256(path.read_bytes()).hexdigest()
        found = reread(path)
        assert as_texts(found.frame).equals(frame)
        assert (found.sha256, found.size) == (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_size)
        assert hidden(path) == []


@WORK
@given(st.text(alphabet='ab",\n\r\ufeff', max_size=40), st.sampled_from(["p,q\n", "p\n", '"p",q\n', "\ufeffp,q\n"]))
def test_any_bytes_are_judged_as_if_they_were_written_again(tmp_path: Path, block: int, body: str, head: str) -> None:
    """By length or byte by byte, by blocks or whole: the cells and the judgement are those of the plain way."""
    path = tmp_path / "a.csv"
    path.write_bytes((head + body).encode())
    try:
        cells = read_raw(path, Input(delimiter=","))
    except TableError as error:
        with pytest.raises(TableError) as caught:
            reread(path)
        assert str(caught.value) == str(error)
        return
    assert as_texts(reread(path).frame).equals(cells)
    again = tmp_path / "again.csv"
    with again.open("wb") as file:
        FORMATS["csv"].into(cells, file)
    assert (hidden(path) == []) == (again.read_bytes() == path.read_bytes())


def never(frame: pl.DataFrame, file: BinaryIO) -> None:
    pytest.fail("nothing had to be written")


def test_most_files_are_judged_by_their_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"age": ["[20, 30]", "", None, "x"], "town": ["a", "b", "b", None]})
    FORMATS["csv"].write(frame, tmp_path / "a.csv")
    assert reread(tmp_path / "a.csv").plain
    monkeypatch.setitem(FORMATS.homes, "csv", replace(FORMATS["csv"], into=never))
    assert hidden(tmp_path / "a.csv") == []
    data = (tmp_path / "a.csv").read_bytes()
    for more in (data + b"\n", data.replace(b"b", b'"b"', 1), data.replace(b"b\n", b"b\n\n", 1)):
        assert more != data
        (tmp_path / "b.csv").write_bytes(more)
        assert len(hidden(tmp_path / "b.csv")) == 1


def test_quotes_too_many_do_not_make_up_for_those_that_lack(tmp_path: Path) -> None:
    """A text that begins with a byte order mark is written in quotes; bare, it is two bytes shorter."""
    path = tmp_path / "a.csv"
    path.write_bytes('p,q\nx,\ufeffa\n"y",b\n'.encode())
    assert reread(path).plain
    assert len(hidden(path)) == 1


@pytest.mark.parametrize("more", [b"\xff,2\n", b"\x00,2\n", b"1\n", b'"1,2\n', b'"1"x,2\n'])
def test_a_file_that_is_no_table_is_refused_in_the_usual_words(tmp_path: Path, block: int, more: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n1,2\n" + b"3,4\n" * 20 + more)
    with pytest.raises(TableError) as usual:
        read_raw(path, Input(delimiter=","))
    with pytest.raises(TableError) as caught:
        reread(path)
    assert str(caught.value) == str(usual.value)


@WORK
@given(frames(), st.randoms(use_true_random=False))
def test_parquet_says_texts_and_nothing_of_how_they_lay(tmp_path: Path, frame: pl.DataFrame, random: object) -> None:
    import pyarrow.parquet as pq

    assume(frame.height)
    one, other = tmp_path / "a.parquet", tmp_path / "b.parquet"
    more = frame.with_columns(day=pl.lit(date(2024, 1, 2)), lists=pl.lit(["x", "y"], dtype=pl.List(pl.String)))
    assume(more.width == frame.width + 2)
    shuffled = [
        column.cast(pl.Enum([*reversed(column.drop_nulls().unique().to_list()), "never there"]))
        for column in frame.get_columns()
    ]
    digest = FORMATS["parquet"].write(more, one)
    assert (
        digest
        == hashlib.sha256(one.read_bytes()).hexdigest()
        == FORMATS["parquet"].write(more.with_columns(shuffled), other)
    )
    assert b"never there" not in one.read_bytes()
    assert {str(kind) for kind in pq.read_schema(one).types} <= {"string", "date32[day]", "list<element: string>"}
    assert pq.read_metadata(one).metadata is None
    found = reread(one, ["lists"])
    assert as_texts(found.frame).equals(more)
    assert [*more_than_cells(one, "parquet", found)] == []


def test_row_groups_have_dictionaries_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.table.formats.parquet.sink._ROWS_IN_GROUP", 3)
    frame = pl.DataFrame({"a": ["x", "y", "x", "z", None, "z", "y"], "n": [1.5, None, 0.1, 1.0, 2.0, 3.0, 4.0]})
    FORMATS["parquet"].write(as_dictionaries(frame), tmp_path / "a.parquet")
    assert as_texts(reread(tmp_path / "a.parquet").frame).equals(frame)
    assert hidden(tmp_path / "a.parquet", "parquet") == []
    FORMATS["parquet"].write(frame[:0], tmp_path / "b.parquet")
    assert as_texts(reread(tmp_path / "b.parquet").frame).equals(frame[:0])
    assert hidden(tmp_path / "b.parquet", "parquet") == []


def test_parquet_keeps_time_zones(tmp_path: Path) -> None:
    moments = pl.Series([datetime(2024, 1, 2, 3), None]).dt.replace_time_zone("Europe/Berlin")
    frame = pl.DataFrame({"when": moments, "town": ["a", "b"]})
    FORMATS["parquet"].write(frame, tmp_path / "a.parquet")
    assert as_texts(reread(tmp_path / "a.parquet").frame).equals(frame)
    assert pl.read_parquet(tmp_path / "a.parquet").schema == frame.schema
    assert hidden(tmp_path / "a.parquet", "parquet") == []
