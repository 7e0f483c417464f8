from __future__ import annotations

import csv
import io

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import columns_of
from sfumato.table.formats.csv import read as table_csv
from sfumato.table.formats.csv.grammar import first_fault, quotes_at_edges
from sfumato.table.formats.csv.read import CsvFile
from sfumato.table.formats.text import as_utf8
from tests.support.examples import examples


def rows(data: bytes, **setting: object) -> list[tuple[str | None, ...]]:
    """Both ways to read a file: row by row, and by the different values of its columns."""
    given = Input.model_validate(setting)
    file = CsvFile.of(data, "people.csv", given)
    found = file.frame().rows()
    columns = columns_of(next(file.parts(file.names))[0])
    assert list(zip(*(column.spread().to_list() for column in columns.values()), strict=True)) == found
    assert all(column.counts.all() for column in columns.values()), "no value that no row has"
    return found


def by_line(data: bytes) -> bool:
    file = CsvFile.of(data, "people.csv", Input())
    return next(file.parts(file.names))[1].by_line


def refusal(data: bytes, **setting: object) -> str:
    with pytest.raises(TableError) as caught:
        CsvFile.of(data, "people.csv", Input.model_validate(setting)).frame()
    return str(caught.value)


def test_every_column_is_text_and_codes_keep_their_zeros() -> None:
    data = b"zip,age\n02000,7\n00501,041\n"
    frame = CsvFile.of(data, "f", Input()).frame()
    assert frame.schema == {"zip": pl.String, "age": pl.String}
    assert frame.rows() == [("02000", "7"), ("00501", "041")]
    assert by_line(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"\xef\xbb\xbfa,b\n1,2\n", [("1", "2")], id="byte order mark"),
        pytest.param(b"a,b\n\xef\xbb\xbf1,2\n", [("\ufeff1", "2")], id="mark inside the data stays"),
        pytest.param(b"a,b\r\n1,2\r\n", [("1", "2")], id="CR LF"),
        pytest.param(b"a,b\r1,2\r", [("1", "2")], id="CR"),
        pytest.param(b"a,b\n1,2", [("1", "2")], id="no newline at the end"),
        pytest.param(b'a,b\n"x\r\ny","p""q"\n', [("x\r\ny", 'p"q')], id="newline and quotes in quotes"),
        pytest.param(b'a,b\n"1,5",2\n', [("1,5", "2")], id="delimiter in quotes"),
        pytest.param(b'a,b\n5" disk,2\n', [('5" disk', "2")], id="quote inside a bare field is literal"),
        pytest.param(b"a,b\n 1 , 2 \n", [(" 1 ", " 2 ")], id="spaces stay"),
        pytest.param(b"a,b\n\n1,2\n\n\n", [("1", "2")], id="blank lines are no rows"),
        pytest.param(b"a,b\n,\n", [(None, None)], id="empty fields are missing"),
        pytest.param(b'a,b\n"",x\n', [("", "x")], id="quoted empty field is a text"),
        pytest.param(b"a,b\nNA,NaN\n", [("NA", "NaN")], id="nothing else is missing"),
        pytest.param(b"a,b\n", [], id="header only"),
        pytest.param(b"a,b", [], id="header only, no newline"),
        pytest.param(b"a\nx\n\ny\n", [("x",), (None,), ("y",)], id="one column: a blank line is a row"),
        pytest.param(b'a\nx\n""\n', [("x",), ("",)], id="one column: empty text"),
        pytest.param(b"a\n1;2\n", [("1;2",)], id="one column: other delimiters are text"),
        pytest.param("name;größe\nÄnne;1,70\n".encode(), [("Änne", "1,70")], id="semicolon"),
        pytest.param(b"a\tb\n1,0\t2\n", [("1,0", "2")], id="tab"),
        pytest.param(b"a|b\n1|2\n", [("1", "2")], id="bar"),
        pytest.param(b'"a,x";b\n1;2\n', [("1", "2")], id="delimiter in a quoted name"),
        pytest.param(b'"a\nb",c\n1,2\n', [("1", "2")], id="newline in a name"),
    ],
)
def test_right_answers(data: bytes, expected: list[tuple[str | None, ...]]) -> None:
    assert rows(data) == expected


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", ["people.csv", "empty"], id="empty file"),
        pytest.param(b"\xef\xbb\xbf", ["empty"], id="only a mark"),
        pytest.param(b"\n\n", ["empty"], id="only newlines"),
        pytest.param(b"\na,b\n", ["line 1 is blank"], id="blank first line"),
        pytest.param(b"a,b\n1,2\n3\n4,5\n6,7,8\n", ["line 3 has 1 field,", "header has 2", "2 rows"], id="ragged"),
        pytest.param(b'a,b\n"1\n1",2\n\n3,4,5\n', ["line 5 has 3 fields"], id="ragged after a quoted newline"),
        pytest.param(b"a\n1,2\n", ["line 2 has 2 fields", "header has 1"], id="ragged single column"),
        pytest.param(b"a,b,a,b,c\n", ["2 times, in columns 1, 3", "2 times, in columns 2, 4"], id="duplicate names"),
        pytest.param(b"a,,c\n", ["column 2 has no name"], id="empty name"),
        pytest.param(b"a,b,\n1,2,\n", ["column 3 has no name", "end of the header"], id="trailing comma in header"),
        pytest.param(b"a, ,\n", ["column 2, 3 has no name"], id="blank name"),
        pytest.param(b"a,b;c\n1,2;3\n", ["',' or ';'", "input.delimiter"], id="two delimiters fit"),
        pytest.param(b'a,b\n1,2\n3,"x\n4,5\n', ["line 3", "never closed"], id="unclosed quote"),
        pytest.param(b'a,b\n3,"x\n4,"y"\n', ["line 2", "closing quote on line 3"], id="quote closed late"),
        pytest.param(b'a,b\n"x"y,2\n', ["line 2", "on the same line"], id="text after a closing quote"),
        pytest.param(b'"a,b\n1,2\n', ["line 1", "never closed"], id="unclosed quote in the header"),
        pytest.param(b"a,b\n1,2\n3,\xe9\n", ["line 3 is not valid UTF-8", "input.encoding"], id="not UTF-8"),
        pytest.param("a,b\n1,2\n".encode("utf-16"), ["UTF-16", "input.encoding"], id="UTF-16 unannounced"),
        pytest.param("a,b\n1,2\n".encode("utf-16-le"), ["NUL", "utf-16"], id="UTF-16 without a mark"),
        pytest.param(b"a,b\n1,2\n3,4\x00\n", ["line 3 holds a NUL"], id="NUL byte"),
    ],
)
def test_clear_errors(data: bytes, words: list[str]) -> None:
    message = refusal(data)
    for word in words:
        assert word in message


def test_errors_tell_no_cell() -> None:
    assert "Secret" not in refusal(b"a,b\n1,2\nSecret\n")
    assert "Secret" not in refusal(b'a,b\n"Secret"x,2\n')


def test_settings() -> None:
    assert rows("a;b\nß;é\n".encode("cp1252"), encoding="cp1252") == [("ß", "é")]
    assert rows("a,b\n1,\u0142\n".encode("utf-16"), encoding="utf-16") == [("1", "\u0142")]
    assert rows(b"a:b\n1:2\n", delimiter=":") == [("1", "2")]
    assert rows(b"a,b;c\n1,2;3\n", delimiter=";") == [("1,2", "3")]
    assert rows(b"a,b\n,x\n", missing_values=["NA"]) == [("", "x")]
    assert "not known" in refusal(b"a,b\n", encoding="klingon")
    assert "not known" in refusal(b"a,b\n", encoding="rot13")
    assert "line 2" in refusal(b"a,b\n\x81,2\n", encoding="cp1252")
    assert "input.delimiter" in refusal(b"a,b\n", delimiter='"')
    assert "input.delimiter" in refusal(b"a,b\n", delimiter="·")


def test_rows_that_span_lines_are_not_named_by_line() -> None:
    assert not by_line(b'a,b\n"x\ny",1\n')
    assert not by_line(b"a,b\n\n1,2\n")
    assert by_line(b"a,b\r\n1,2\r\n3,4")


def test_very_long_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows(b"a,b\nx," + b"y" * 200_000 + b"\n") == [("x", "y" * 200_000)]
    monkeypatch.setattr(table_csv, "_BLOCK", 1 << 10)
    assert rows(b"a,b\n" + b"1,2\n" * 2000 + b"x," + b"y" * 50_000 + b"\n")[-1] == ("x", "y" * 50_000)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_csv, "_BLOCK", 64)
    lines = [('5" disk', "plain"), ('say "so"', "a\nb"), ("x", "")]
    quoted = b'"say ""so""","a\nb"\n'
    data = b"a,b\n" + (b'5" disk,plain\n' + quoted + b'x,""\n') * 200
    assert rows(data) == lines * 200
    assert "200 rows" in refusal(b"a,b\n" + (b"1,2\n" + b"3\n") * 200)


def test_columns_that_nobody_asks_for_are_counted_and_not_read() -> None:
    file = CsvFile.of(b"a,b,c\n1,2,3\n4,5,\n", "f", Input())
    raw, origin = next(file.parts(["c", "a"]))
    columns = columns_of(raw)
    assert {name: found.spread().to_list() for name, found in columns.items()} == {"c": ["3", None], "a": ["1", "4"]}
    assert not raw and origin.by_line
    with pytest.raises(TableError, match="line 3 has 2 fields, the header has 3"):
        next(CsvFile.of(b"a,b,c\n1,2,3\n4,5\n", "f", Input()).parts(["a"]))


def reference(data: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data, newline=""), strict=True))


@settings(max_examples=examples(200))
@given(st.text(alphabet='ab",;\n\r ', max_size=30))
@example(',"";')  # which Python before 3.11.5 took for well formed, by possessive repeats
def test_strict_grammar_against_the_standard_reader(body: str) -> None:
    """Whatever is accepted is read as the standard library reads it; what it refuses is refused."""
    text = ("p,q\n" + body).encode()
    whole = first_fault(text, b",") is None
    assert whole or not quotes_at_edges(text, b",")
    try:
        expected = [row for row in reference("p,q\n" + body) if row]
    except csv.Error:
        assert not whole
        return
    if any(len(row) != 2 for row in expected) or not whole:
        refusal(text)
    else:
        found = rows(text, missing_values=[])
        assert [list(row) for row in found] == expected[1:]


@pytest.mark.parametrize("encoding", ["nope", "a\0b", "hex"])
def test_an_encoding_that_cannot_be_is_named(encoding: str) -> None:
    with pytest.raises(TableError, match="is not known"):
        as_utf8(b"a,b\n1,2\n", encoding, "table")
