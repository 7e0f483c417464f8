"""Kinds of table files: one table of them, and a kind more is one entry more."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.main import app
from sfumato.errors import InputError, TableError
from sfumato.knowledge.read import read_knowledge
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw
from sfumato.table.databases import DATABASES
from sfumato.table.formats import FORMATS, Format, endings, kind_for, kind_of
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.csv.lines import Malformed, records
from sfumato.table.origin import Origin
from tests.support.sheets import every_kind

PEOPLE = "age\ttown\tdisease\n" + "".join(f"{20 + i}\tLeek {i % 2}\t{'flu' if i % 3 else 'cold'}\n" for i in range(12))
POLICY = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "town": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
}


@dataclass(frozen=True)
class Tabs:
    """Texts between tabs; an empty field is missing, and nothing is quoted."""

    name: str
    lines: Sequence[str]

    @classmethod
    def of(cls, data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> Tabs:
        text = data.decode()
        if not text.endswith("\n"):
            raise TableError(f"{name}: its last line has no end; add one")
        return cls(name, text[:-1].split("\n"))

    @property
    def names(self) -> Sequence[str]:
        return self.lines[0].split("\t")

    def frame(self) -> pl.DataFrame:
        rows = [[field or None for field in line.split("\t")] for line in self.lines[1:]]
        return pl.DataFrame(rows, schema=dict.fromkeys(self.names, pl.String), orient="row")

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        yield {name: self.frame()[name] for name in wanted}, Origin("tabs", self.name, by_line=True)


def into(frame: pl.DataFrame, file: BinaryIO) -> None:
    for row in (frame.columns, *frame.cast(pl.String).rows()):
        file.write(("\t".join(field or "" for field in row) + "\n").encode())


def reread(file: io.BufferedReader, name: str, lists: Sequence[str]) -> Reread:
    data = file.read()
    return Reread(Tabs.of(data, name, Input(), lists).frame(), hashlib.sha256(data).hexdigest(), len(data))


def notes(path: Path) -> Iterator[str]:
    if b"#" in path.read_bytes():
        yield "has a remark"


@pytest.fixture(autouse=True)
def a_kind_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is done for it: one entry."""
    made = Format("tab-separated text", (".tsv", ".tab"), Tabs.of, into, reread, beside_cells=notes)
    monkeypatch.setitem(FORMATS.homes, "tabs", made)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.tsv"
    path.write_bytes(PEOPLE.encode())
    return path


def test_another_kind_is_read_published_written_and_audited(tmp_path: Path, people: Path) -> None:
    table = sf.read(people, POLICY)
    assert (table.rows, table.origin.kind, table.inputs) == (12, "tabs", (str(people),))
    release = sf.publish(table, seed=1)
    written = release.write(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["release.json", "table.tsv"]
    assert written.audit.holds
    assert sf.audit(tmp_path / "out", POLICY, written.manifest).holds
    assert sf.audit(tmp_path / "out" / "table.tsv", POLICY).holds
    described = json.loads((tmp_path / "out" / "release.json").read_text())["tables"][0]
    shown = (tmp_path / "out" / "table.tsv").read_bytes()
    assert (described["kind"], described["file"]) == ("tabs", "table.tsv")
    assert described["sha256"] == hashlib.sha256(shown).hexdigest()
    assert shown.startswith(b"age\ttown\tdisease\n")
    assert shown.count(b"\n") == 13


def test_another_kind_is_a_target_of_one_file_and_a_choice(tmp_path: Path, people: Path) -> None:
    release = sf.publish(people, policy=POLICY, seed=1)
    assert release.write(tmp_path / "one.tab").audit.holds
    assert (tmp_path / "one.release.json").is_file()
    assert release.write(tmp_path / "other", kind="csv").files[0].name == "table.csv"
    frame = sf.publish(pl.DataFrame({"age": [1] * 4, "town": ["a"] * 4, "disease": ["b"] * 4}), policy=POLICY, seed=1)
    assert frame.write(tmp_path / "typed").files[0].name == "table.parquet"
    assert frame.write(tmp_path / "tabs", kind="tabs").files[0].name == "table.tsv"
    with pytest.raises(InputError, match=r"must be csv, parquet, excel, stata, spss or tabs$"):
        release.write(tmp_path / "third", kind="xls")
    with pytest.raises(InputError, match=r"ends in \.csv, \.parquet, \.xlsx, \.dta, \.sav, \.tsv or \.tab$"):
        release.write(tmp_path / "a.txt")
    with pytest.raises(InputError, match="is a tabs file by its name"):
        release.write(tmp_path / "b.tsv", kind="csv")


def test_another_kind_is_judged_by_its_bytes(tmp_path: Path, people: Path) -> None:
    sf.publish(people, policy=POLICY, seed=1).write(tmp_path / "out")
    table = tmp_path / "out" / "table.tsv"
    whole = table.read_bytes()
    table.write_bytes(whole.replace(b"flu", b"flu#", 1))
    assert "table.tsv: has a remark" in sf.audit(tmp_path / "out", POLICY).problems
    table.write_bytes(b"PAR1" + whole)
    with pytest.raises(InputError, match="Parquet file is damaged"):
        sf.audit(tmp_path / "out", POLICY)
    table.write_bytes(whole[:-1])
    with pytest.raises(InputError, match="its last line has no end"):
        sf.audit(tmp_path / "out", POLICY)


def test_the_command_line_and_knowledge_take_another_kind(tmp_path: Path, people: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(POLICY))
    command = ["anonymize", str(people), "-p", str(tmp_path / "p.json"), "-q"]
    assert CliRunner().invoke(app, [*command, "-o", str(tmp_path / "one.tsv")]).exit_code == 0
    assert CliRunner().invoke(app, [*command, "-o", str(tmp_path / "out"), "--format", "tabs"]).exit_code == 0
    assert (tmp_path / "out" / "table.tsv").is_file()
    (tmp_path / "ill.tsv").write_bytes(b"disease\tsymptom\nflu\tcough\ncold\tcough\n")
    assert read_knowledge(tmp_path / "ill.tsv").labels == ("cold", "flu")


def test_a_document_knows_the_kinds_there_are(tmp_path: Path, people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sf.publish(people, policy=POLICY, seed=1).write(tmp_path / "out")
    kinds = [*FORMATS, *DATABASES]
    assert sf.release_schema()["$defs"]["TableEntry"]["properties"]["kind"]["enum"] == kinds
    monkeypatch.delitem(FORMATS.homes, "tabs")
    with pytest.raises(InputError, match="the kind of a table must be 'csv', 'parquet', 'excel'"):
        sf.audit(tmp_path / "out", POLICY)


def test_kinds_are_told_by_bytes_then_by_names() -> None:
    others = {".xlsx": "excel", ".dta": "stata", ".sav": "spss"}
    assert endings() == {".csv": "csv", ".parquet": "parquet", **others, ".tsv": "tabs", ".tab": "tabs"}
    assert kind_of(b"PAR1...", "people.tsv") == "parquet"
    assert kind_of(b"age", "people.TSV.gz") == "tabs"
    assert kind_of(b"age", "people.parquet") == kind_of(b"", "people") == kind_of(b"age", "people.txt") == "csv"
    assert [kind_for(Origin(kind, "x")) for kind in ("tabs", "csv", "pandas")] == ["tabs", "csv", "parquet"]


@pytest.mark.parametrize("kind", every_kind())
@pytest.mark.parametrize("height", [0, 1, 5])
def test_every_kind_reads_what_it_writes(tmp_path: Path, kind: str, height: int) -> None:
    format = FORMATS[kind]
    frame = pl.DataFrame({"a": ["x", None, "y", "x", "é"], "b": ["1", "2", None, "1", "1"]})[:height]
    path = tmp_path / f"t{format.suffix}"
    digest = format.write(frame, path)
    data = path.read_bytes()
    assert digest == hashlib.sha256(data).hexdigest()
    assert data == format.bytes_of(frame)
    assert data.startswith(format.begins)
    assert kind_of(data, path.name) == kind
    opened = format.opened(data, "t", format.written, ())
    assert opened.names == ["a", "b"]
    assert opened.frame().equals(frame)
    with path.open("rb") as file:
        found = format.reread(file, "t", ())
    assert found is not None
    assert (found.sha256, found.size) == (digest, len(data))
    assert found.frame.cast(pl.String).equals(frame)
    assert [*format.beside_cells(path)] == []


@given(st.text(alphabet=st.sampled_from('ab",; \n\r'), max_size=30), st.sampled_from([",", ";"]), st.booleans())
def test_records_are_those_that_everybody_finds(text: str, delimiter: str, spaced: bool) -> None:
    """Where the library of Python reads a text strictly, the records and their lines are the same."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=spaced, strict=True)
    known, line = [], 1
    try:
        for cells in reader:
            if cells:
                known.append((line, cells))
            line = reader.line_num + 1
    except csv.Error:
        with pytest.raises(Malformed):
            list(records(text, delimiter, spaced))
        return
    assert list(records(text, delimiter, spaced)) == known


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('a,b\n\n"c\n,d', 3, "a quoted field begins here and is never closed"),
        ('a,b\nc,  "d\n\n"e', 2, "text follows its closing quote on line 4"),
        ('a,"b"c', 1, "text follows its closing quote on the same line"),
    ],
)
def test_a_record_that_is_none_is_placed(text: str, line: int, words: str) -> None:
    with pytest.raises(Malformed) as caught:
        list(records(text, ",", spaced=True))
    assert caught.value.line == line
    assert words in caught.value.words
