from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.errors import InputError, TableError
from sfumato.policy.document import Input
from sfumato.table.formats import FORMATS, kind_for
from sfumato.table.formats.source import read_raw
from sfumato.table.read import read
from tests.support.handmade import published
from tests.support.table_policies import frame_of, policy

CSV = b"name,zip,disease\nAnn,02000,flu\nBob,02001,cold\n"
ROLES = {"name": "identifier", "zip": "quasi", "disease": "sensitive"}


class FakeInput:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refusal(source: object, roles: object = None, **settings: Any) -> str:
    with pytest.raises(TableError) as caught:
        read(source, policy(roles if isinstance(roles, dict) else ROLES, **settings))
    return str(caught.value)


def test_plain_packed_and_standard_input_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = read(put(tmp_path, "päople.csv", CSV), policy(ROLES))
    packed = read(str(put(tmp_path, "packed.csv.gz", gzip.compress(CSV))), policy(ROLES))
    disguised = read(put(tmp_path, "packed.csv", gzip.compress(CSV[:20]) + gzip.compress(CSV[20:])), policy(ROLES))
    monkeypatch.setattr(sys, "stdin", FakeInput(CSV))
    piped = read("-", policy(ROLES))
    assert frame_of(plain).rows() == [("02000", "flu"), ("02001", "cold")]
    for other in (packed, disguised, piped):
        assert frame_of(other).equals(frame_of(plain))
        assert other.digest == plain.digest
    assert piped.origin.name == "standard input"
    assert kind_for(plain.origin) == "csv"
    assert len(plain.digest) == 64


def test_parquet_keeps_types(tmp_path: Path) -> None:
    frame = pl.DataFrame({"name": ["Ann"], "zip": ["02000"], "disease": [3]})
    FORMATS["parquet"].write(frame, tmp_path / "people.data")
    table = read(tmp_path / "people.data", policy({**ROLES, "disease": {"role": "sensitive", "type": "integer"}}))
    assert frame_of(table).equals(frame.drop("name"))
    assert frame_of(table).schema == frame.drop("name").schema
    assert kind_for(table.origin) == "parquet"
    assert read_raw(tmp_path / "people.data").equals(frame)


def test_raw_needs_no_policy(tmp_path: Path) -> None:
    assert read_raw(put(tmp_path, "a.csv", b"a;b\n01;\n")).rows() == [("01", None)]
    assert read_raw(put(tmp_path, "b.csv", b"a:b\n01:2\n"), Input(delimiter=":")).columns == ["a", "b"]


def test_files_that_are_no_table(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.csv")
    assert "is a folder" in refusal(tmp_path)
    whole = gzip.compress(CSV * 100)
    assert "cut off" in refusal(put(tmp_path, "cut.csv.gz", whole[:-9]))
    assert "damaged" in refusal(put(tmp_path, "bad.csv.gz", whole[:15] + bytes(10) + whole[25:]))
    assert "spreadsheet" in refusal(put(tmp_path, "sheet.xls", b"\xd0\xcf\x11\xe0rest"))
    assert "Excel file is damaged" in refusal(put(tmp_path, "sheet.xlsx", b"PK\x03\x04rest"))
    FORMATS["parquet"].write(pl.DataFrame({"a": [1]}), tmp_path / "whole.parquet")
    cut = (tmp_path / "whole.parquet").read_bytes()[:-5]
    assert "Parquet file is damaged" in refusal(put(tmp_path, "cut.parquet", cut))
    assert "cannot read a table from int" in refusal(3)
    assert "cannot read a table from list" in refusal([1])


def test_every_difference_of_columns_at_once(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", b"Name,zip code,ward,disease\n1,2,3,4\n")
    message = refusal(
        path, {"name": "identifier", "zipcode": "quasi", "disease": "sensitive", "weight_kg": "insensitive"}
    )
    assert "'Name' of the data" in message
    assert "'zip code' of the data is not in the policy (did you mean 'zipcode'?)" in message
    assert "'ward' of the data is not in the policy\n" in message
    assert "'weight_kg' of the policy is not in the data\n" in message
    assert "'disease'" not in message
    assert message.count("but for case") == 2


def test_names_that_look_equal(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", "gro\u0308\u00dfe,b\n1,2\n".encode())
    message = refusal(path, {"gr\u00f6\u00dfe": "quasi", "b": "sensitive"})
    assert r"'gr\xf6\xdfe'" in message


def test_header_only_is_read_as_no_rows(tmp_path: Path) -> None:
    table = read(put(tmp_path, "a.csv", b"name,zip,disease\n"), policy(ROLES))
    assert table.rows == 0
    coded = table.encode()
    assert coded.rows == 0
    assert coded["zip"].size == 0
    assert published(table).height == 0


def test_a_table_passes_through(tmp_path: Path) -> None:
    mine = policy(ROLES)
    table = read(put(tmp_path, "a.csv", CSV), mine)
    assert read(table, policy(ROLES)) is table
    stricter = mine.model_copy(update={"privacy": mine.privacy * 2})
    assert read(table, stricter).policy.given is stricter
    assert read(table, stricter).columns is table.columns
    with pytest.raises(InputError, match="other columns or settings"):
        read(table, policy({**ROLES, "disease": "quasi"}))


def test_markers_of_missing_values(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", b'name,zip,disease\n?,?,"?"\n,"",NA\n')
    with pytest.warns(UserWarning, match="missing"):
        table = read(path, policy(ROLES, input={"missing_values": ["?", "", '""']}))
    assert frame_of(table).rows() == [(None, None), (None, "NA")]


def test_repr_shows_no_data(tmp_path: Path) -> None:
    assert "02000" not in repr(read(put(tmp_path, "a.csv", CSV), policy(ROLES)))
