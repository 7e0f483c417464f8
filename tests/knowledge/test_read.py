"""Knowledge tables in every layout, and messages that say where a mistake stands and what to do."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from sfumato.errors import InputError
from sfumato.knowledge.check import check, unknown_terms
from sfumato.knowledge.layout import Layout
from sfumato.knowledge.read import read_knowledge
from sfumato.knowledge.table import Knowledge


def rows_of(knowledge: Knowledge) -> list[tuple[str, str]]:
    return [
        (
            knowledge.labels[label],
            " ".join(
                knowledge.terms[at]
                for at in knowledge.row_terms[knowledge.row_offsets[row] : knowledge.row_offsets[row + 1]]
            ),
        )
        for row, label in enumerate(knowledge.row_labels)
    ]


FLU = [("cold", "cough"), ("flu", "cough fever")]

LAYOUTS: list[tuple[str, Layout, list[tuple[str, str]]]] = [
    ("disease,symptom\nflu,cough\nflu,fever\ncold,cough\n", Layout(), FLU),
    ("disease;symptom\r\nflu;cough\r\n\r\nflu;fever\r\ncold;cough", Layout(), FLU),
    (
        "rows,symptom,disease\n9,cough,flu\n8,fever,flu\n7,cough,cold\n",
        Layout(label="disease", term="symptom"),
        FLU,
    ),
    ("disease,a,b\nflu,cough,fever\ncold,cough,\n", Layout(), FLU),
    ("disease,symptoms\nflu,cough|fever\ncold, cough |\n", Layout(separator="|"), FLU),
    ('disease,symptoms\nflu,"cough, fever"\ncold,cough\n', Layout(separator=","), FLU),
    ("disease,cough,fever\nflu,1,yes\ncold,TRUE,0\n", Layout(), FLU),
    ("disease,cough,fever\ncold,1,\nflu,1,1\nflu,0,1\n", Layout(), [*FLU, ("flu", "fever")]),
    (
        "disease,way,symptom\nflu,1,cough\nflu,1,fever\nflu,2,fever\ncold,1,cough\n",
        Layout(way="way"),
        [*FLU, ("flu", "fever")],
    ),
    ("disease\tsymptom\nflu\t1\nflu\t0\n", Layout(form="long"), [("flu", "0 1")]),
    ("disease,a,b\nwell,,\nill,x,y\n", Layout(form="wide"), [("ill", "x y"), ("well", "")]),
]


@pytest.mark.parametrize(("text", "layout", "expected"), LAYOUTS)
def test_layouts(tmp_path: Path, text: str, layout: Layout, expected: list[tuple[str, str]]) -> None:
    path = tmp_path / "ill.csv"
    path.write_bytes(text.encode())
    assert rows_of(read_knowledge(path, layout)) == expected


def test_parquet_and_frames_with_lists_or_columns(tmp_path: Path) -> None:
    lists = pl.DataFrame({"disease": ["flu", "cold"], "symptoms": [["fever", "cough"], ["cough"]]})
    lists.write_parquet(tmp_path / "ill.parquet")
    binary = pl.DataFrame({"disease": ["flu", "cold"], "cough": [True, True], "fever": [True, False]})
    long = pd.DataFrame({"disease": ["flu", "flu", "cold"], "symptom": ["cough", "fever", "cough"]})
    for source in (tmp_path / "ill.parquet", str(tmp_path / "ill.parquet"), lists, binary, long, lists.to_arrow()):
        assert rows_of(read_knowledge(source)) == FLU
    assert rows_of(read_knowledge(pl.DataFrame({"code": [7, 8], "term": [1.5, 2.0]}))) == [("7", "1.5"), ("8", "2")]


def test_yaml_json_and_mappings(tmp_path: Path) -> None:
    (tmp_path / "ill.yaml").write_text("flu: [cough, fever]\ncold: [[cough], [sneezing]]\nno: [on]\n")
    assert rows_of(read_knowledge(tmp_path / "ill.yaml")) == [
        ("cold", "cough"),
        ("cold", "sneezing"),
        ("flu", "cough fever"),
        ("no", "on"),
    ]
    (tmp_path / "ill.json").write_text('{"labels": {"flu": {"cough": 0.1, "fever": 1}}, "priors": {"flu": 3}}')
    found = read_knowledge(tmp_path / "ill.json")
    assert rows_of(found) == [("flu", "cough fever")]
    assert found.priors == (Fraction(1),)
    assert found.chances == {(0, 0): Fraction(1, 10), (1, 0): Fraction(1)}
    assert rows_of(read_knowledge({"flu": ("fever", "cough"), "cold": {"cough"}})) == FLU


def test_probabilities_and_priors(tmp_path: Path) -> None:
    path = tmp_path / "ill.csv"
    path.write_text("disease,symptom,p,often\nflu,cough,0.3,1\nflu,fever,1/3,1\ncold,cough,1,2\n")
    found = read_knowledge(path, Layout(term="symptom", probability="p", prior="often"))
    assert found.priors == (Fraction(2, 3), Fraction(1, 3))
    assert found.chances == {(0, 0): 1, (0, 1): Fraction(3, 10), (1, 1): Fraction(1, 3)}
    (tmp_path / "often.csv").write_text("disease,often\nflu,0.1\ncold,0.3\n")
    layout = Layout(term="symptom")
    assert read_knowledge(path, layout, tmp_path / "often.csv").priors == (Fraction(3, 4), Fraction(1, 4))
    assert read_knowledge(path, layout, {"flu": 1, "cold": 1}).priors == (Fraction(1, 2), Fraction(1, 2))


FAULTS: list[tuple[str, Layout, str]] = [
    ("", Layout(), "ill.csv: is empty; the first line must name the columns"),
    ("disease,symptom\n", Layout(), "has a header and no rows"),
    (
        "disease,symptom\nflu,cough\n,fever\n",
        Layout(),
        "ill.csv: line 3, column 'disease': the label is missing",
    ),
    ("disease,symptom\nflu,cough\nflu,\n", Layout(), "line 3, column 'symptom': the term is missing"),
    ("disease,symptom\nflu,cough,x\n", Layout(), "line 2 has 3 fields, the header 2; quote fields"),
    (
        "disease,symptom;x\nflu,cough\n",
        Layout(),
        "line 1: the header can be split at ',' or ';'; give the delimiter",
    ),
    ("disease,disease\nflu,cough\n", Layout(), "line 1: every column needs a name of its own"),
    (
        "disease,symptom\nflu,cough\n",
        Layout(label="sickness"),
        "no column 'sickness' for labels; its columns are disease, symptom",
    ),
    ("disease,symptom\nflu,cough\n", Layout(term="x"), "no column 'x' for terms"),
    ("disease\nflu\n", Layout(), "has no column for terms"),
    (
        'disease,symptom\nflu,"cough\n',
        Layout(),
        "line 2: a quoted field begins here and is never closed; add its closing quote",
    ),
    (
        'disease,symptom\nflu,"a"b\n',
        Layout(),
        "line 2: a quoted field begins here, and text follows its closing quote",
    ),
    (
        "disease,symptom,p\nflu,cough,2\n",
        Layout(term="symptom", probability="p"),
        "line 2, column 'p': must be a number above 0 and at most 1",
    ),
    (
        "disease,symptom,p\nflu,cough,0\n",
        Layout(term="symptom", probability="p"),
        "line 2, column 'p': must be a number above 0",
    ),
    (
        "disease,symptom,p\nflu,cough,x\n",
        Layout(term="symptom", prior="p"),
        "line 2, column 'p': must be a number above 0; leave",
    ),
    (
        "disease,symptom,p,w\nflu,cough,1,a\nflu,cough,0.5,b\n",
        Layout(term="symptom", probability="p", way="w"),
        "line 3, column 'p': 'cough' under 'flu' has another probability further up",
    ),
    (
        "disease,symptom,p\nflu,cough,1\nflu,fever,2\n",
        Layout(term="symptom", prior="p"),
        "line 3, column 'p': 'flu' has another prior",
    ),
    ("disease,a,b\nflu,1,0\ncold,1,maybe\n", Layout(form="binary"), "line 3, column 'b': must be 1 or 0"),
    ("disease,a,b\nflu,x,y\n", Layout(form="cell"), "line 2, column 'a': is one text; say at which separator"),
    (
        "disease,a,p\nflu,x,1\n",
        Layout(form="wide", probability="p"),
        "a column of probabilities goes with the layout 'long'",
    ),
]


@pytest.mark.parametrize(("text", "layout", "message"), FAULTS)
def test_mistakes_in_files_are_placed(tmp_path: Path, text: str, layout: Layout, message: str) -> None:
    path = tmp_path / "ill.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_knowledge(path, layout)
    assert message in str(caught.value)


NESTED: list[tuple[Any, str]] = [
    ([1, 2], "must be a file, a frame or a mapping"),
    ({}, "has no rows"),
    ({"flu": "cough"}, "'flu': must be a list of terms"),
    ({"flu": ["cough", ["fever"]]}, "'flu': mixes terms with lists of terms"),
    ({"flu": ["cough", None]}, "'flu': a term must be a text that is not empty"),
    ({"": ["cough"]}, "a label must be a text"),
    ({"flu": [True]}, "'flu': a term must be a text"),
    ({"flu": {"cough": 1}, "cold": ["cough"]}, "some terms have a probability and some have none"),
    ({"flu": {"cough": 3}}, "must be at most 1"),
    ({"labels": {"flu": ["cough"]}, "priors": {}}, "'flu' has no prior"),
    ({"labels": {"flu": ["cough"]}, "priors": [1]}, "priors: must be a mapping"),
    ({"labels": {"flu": ["cough"]}, "priors": {"flu": 1, "cold": 1}}, "'cold' is no label of the knowledge table"),
    ({"labels": {"flu": ["cough"]}, "priors": {"flu": 0}}, "must be above 0"),
    ({"labels": {"flu": ["cough"]}, "priors": {"flu": "x"}}, "must be a number"),
]


@pytest.mark.parametrize(("given", "message"), NESTED)
def test_mistakes_in_mappings_are_named(given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_knowledge(given)
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("no.csv", "no.parquet", "no.yaml"):
        with pytest.raises(InputError, match=f"{name}: no such knowledge table"):
            read_knowledge(tmp_path / name)
    (tmp_path / "bad.csv").write_bytes(b"a,b\nx,\xff\n")
    with pytest.raises(InputError, match=r"bad\.csv: line 2: is not UTF-8"):
        read_knowledge(tmp_path / "bad.csv")
    (tmp_path / "bad.parquet").write_bytes(b"none")
    with pytest.raises(InputError, match=r"bad\.parquet: the Parquet file is damaged or cut off"):
        read_knowledge(tmp_path / "bad.parquet")
    (tmp_path / "bad.yaml").write_text("a: [")
    with pytest.raises(InputError, match=r"bad\.yaml"):
        read_knowledge(tmp_path / "bad.yaml")
    (tmp_path / "often.csv").write_text("a,b,c\n1,2,3\n")
    with pytest.raises(InputError, match="must have two columns"):
        read_knowledge({"a": ["x"]}, priors=tmp_path / "often.csv")
    (tmp_path / "twice.csv").write_text("a,b\nx,2\nx,3\n")
    with pytest.raises(InputError, match="line 3, column 'a'"):
        read_knowledge({"x": ["x"]}, priors=str(tmp_path / "twice.csv"))
    (tmp_path / "ill.csv").write_text("a,b,p\nx,y,3\n")
    with pytest.raises(InputError, match="choose one"):
        read_knowledge(tmp_path / "ill.csv", Layout(term="b", prior="p"), {"x": 1})


def test_what_a_table_covers_is_counted_and_not_told() -> None:
    ill = Knowledge.of([("flu", ["cough", "fever"]), ("cold", ["cough"]), ("rash", ["spots"]), ("well", [])])
    rows = [["cough", "SECRET"], ["SECRET", "HIDDEN"], ["fever", "spots"], ["fever", "HIDDEN"]]
    found = check(ill, rows)
    assert (found.labels, found.terms, found.rows, found.linked, found.unlinked, found.unique) == (4, 3, 4, 2, 2, 1)
    assert (found.unknown, found.unknown_rows) == (2, 3)
    assert (found.unreached, found.unused, found.bare) == (("rash", "well"), (), ("well",))
    assert found.length == 2
    assert "SECRET" not in repr(found) + found.summary()
    assert "HIDDEN" not in repr(found) + found.summary()
    assert "every row has 2 terms" in found.summary()
    assert unknown_terms(ill, rows) == {"HIDDEN": 2, "SECRET": 2}
    strict = check(ill, [*rows, []], "strict")
    assert (strict.linked, strict.length, strict.unreached) == (1, None, ())
