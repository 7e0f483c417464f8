"""Knowledge from pairs, cases, texts and an ontology: which pairs are kept, by hand; and what is said of mistakes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.knowledge.layout import Layout
from sfumato.knowledge.read import read_knowledge
from tests.support.command import Cli

FLU = {("cold", "cough"), ("flu", "cough"), ("flu", "fever")}


def test_pairs_and_how_often_they_were_met(tmp_path: Path) -> None:
    frame = pl.DataFrame({"d": ["flu", "flu", "cold", "flu"], "s": ["cough", "fever", "cough", "cough"]})
    built = sf.build_knowledge(frame)
    assert {*built.pairs} == FLU and built.pairs["flu", "cough"] is None
    assert {*sf.build_knowledge(frame, least=2).pairs} == {("flu", "cough")}
    counted = pl.DataFrame({"s": ["cough", "fever"], "n": [7, 2], "d": ["flu", "flu"]})
    assert {*sf.build_knowledge(counted, label="d", term="s", count="n", least=3).pairs} == {("flu", "cough")}
    assert built.labels == {"cold": ["cough"], "flu": ["cough", "fever"]}
    known = read_knowledge(built.write(tmp_path / "k.csv"))
    assert (known.labels, known.terms) == (("cold", "flu"), ("cough", "fever"))


def test_cases_give_shares(tmp_path: Path) -> None:
    wide = pl.DataFrame({"d": ["flu", "flu", "cold"], "1": ["cough", "fever", "cough"], "2": ["fever", None, None]})
    cells = pl.DataFrame({"d": ["flu", "flu", "cold"], "all": ["cough|fever", "fever", "cough"]})
    for built in (sf.build_knowledge(wide, "cases"), sf.build_knowledge(cells, "cases", separator="|")):
        assert built.pairs == {("cold", "cough"): 1, ("flu", "cough"): Fraction(1, 2), ("flu", "fever"): 1}
        told = read_knowledge(built.write(tmp_path / "k.csv", probabilities=True), Layout(probability="probability"))
        assert told.chances is not None and {*told.chances.values()} == {Fraction(1), Fraction(1, 2)}
    rare = sf.build_knowledge(wide, "cases", share="0.6")
    assert {*rare.pairs} == FLU - {("flu", "cough")} and rare.left_out == 1
    assert "1 pairs left out" in rare.summary()


def test_texts_by_words_and_by_phrases() -> None:
    texts = pl.DataFrame(
        {
            "d": ["flu", "flu", "cold"],
            "t": ["The patient has a COUGH and high fever.", "High-fever; the patient sweats", "The patient: a cough"],
        }
    )
    phrases = sf.build_knowledge(texts, "texts", vocabulary=["high_fever", "fever", "cough"])
    assert {*phrases.pairs} == {("cold", "cough"), ("flu", "cough"), ("flu", "high_fever")}
    assert phrases.pairs["flu", "high_fever"] == 1 and phrases.pairs["flu", "cough"] == Fraction(1, 2)
    words = sf.build_knowledge(texts, "texts", most="1/2")  # in one of two labels at most
    assert {*words.pairs} == {("flu", word) for word in ("and", "fever", "has", "high", "sweats")}


ONTOLOGY = """#description: made by hand
database_id\tdisease_name\tqualifier\thpo_id\tfrequency
D:1\tFlu\t\tHP:3\t45%
D:1\tFlu\tNOT\tHP:9\t
D:2\tCold\t\tHP:2\tHP:0040283
D:2\tCold\t\tHP:3\t0/7
"""
OBO = """format-version: 1.2

[Term]
id: HP:1
name: Any sign

[Term]
id: HP:2
name: Airway sign
is_a: HP:1 ! Any sign

[Term]
id: HP:3
name: Cough
is_a: HP:2 ! Airway sign

[Term]
id: HP:4
name: obsolete
is_obsolete: true

[Typedef]
id: part_of
"""


def test_an_ontology_with_broader_terms(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "hpoa.tsv").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "hp.obo").write_text(OBO, encoding="utf-8")
    target = tmp_path / "k.csv"
    command = ["knowledge", "build", str(tmp_path / "hpoa.tsv"), "--from", "ontology", "-o", str(target)]
    command += ["--label", "disease_name", "--term", "hpo_id", "--count", "frequency", "--unless", "qualifier=NOT"]
    command += ["--broader", str(tmp_path / "hp.obo"), "--probabilities"]
    assert "2 labels, 3 terms, 5 pairs" in cli.well(*command).out
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "label,term,probability"
    assert lines[1:] == [
        "Cold,Airway sign,17/100",
        "Cold,Any sign,17/100",
        "Flu,Airway sign,9/20",
        "Flu,Any sign,9/20",
        "Flu,Cough,9/20",
    ]
    assert cli(*command).code == 2  # it exists
    assert cli.well(*command, "--force", "--json").json["pairs"] == 5


def test_broader_terms_from_two_columns(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("term,above\ncough,airways\nairways,body\nbody,cough\n", encoding="utf-8")  # a ring
    frame = pl.DataFrame({"d": ["flu"], "s": ["cough"]})
    built = sf.build_knowledge(frame, "ontology", broader=tmp_path / "b.csv")
    assert {*built.pairs} == {("flu", "airways"), ("flu", "body"), ("flu", "cough")}


def test_mistakes_are_told_with_their_place_and_no_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"d": ["flu", None], "s": ["cough", "secret"]})
    with pytest.raises(sf.InputError, match="row 2, column 'd': the label is missing") as raised:
        sf.build_knowledge(frame)
    assert "secret" not in str(raised.value)
    whole = frame.head(1).with_columns(n=pl.lit("many"))
    with pytest.raises(sf.InputError, match="row 1, column 'n': must be a whole number"):
        sf.build_knowledge(whole, count="n")
    with pytest.raises(sf.InputError, match="must be a frequency"):
        sf.build_knowledge(whole, "ontology", count="n")
    with pytest.raises(sf.InputError, match="a share needs cases"):
        sf.build_knowledge(frame.head(1), share="0.5")
    with pytest.raises(sf.InputError, match="share must be a number from 0 to 1"):
        sf.build_knowledge(frame.head(1), "cases", share="2")
    with pytest.raises(sf.InputError, match="no pair is left"):
        sf.build_knowledge(frame.head(1), least=2)
    with pytest.raises(sf.InputError, match="does not say how often"):
        sf.build_knowledge(frame.head(1)).write(tmp_path / "k.csv", probabilities=True)
    (tmp_path / "b.obo").write_text("nothing", encoding="utf-8")
    with pytest.raises(sf.InputError, match="no \\[Term\\] with an id"):
        sf.build_knowledge(frame.head(1), "ontology", broader=tmp_path / "b.obo")


@pytest.mark.data
def test_pairs_of_diseases_and_their_cases_tell_the_same(symptoms: Path) -> None:
    rows = pl.read_csv(symptoms / "kaggle_rows.csv.gz", infer_schema=False)
    rows = rows.with_columns(pl.exclude("Disease").str.replace_all(" ", ""))  # as the pairs spell them
    cases = sf.build_knowledge(rows, "cases")
    pairs = sf.build_knowledge(symptoms / "kaggle_pairs.csv", label="Disease", term="Symptom", count="rows")
    assert {*cases.pairs} == {*pairs.pairs} and len(pairs.pairs) == 321 and len(cases.labels) == 41
