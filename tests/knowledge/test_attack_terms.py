"""What an adversary or a careless holder could do with columns of terms."""

from __future__ import annotations

import subprocess
import sys
import warnings
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.csv
import pytest
import yaml

import sfumato as sf
from sfumato.knowledge.belief import LabelCL
from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.read import read_knowledge
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import suppress
from sfumato.partition.steps.terms.costs import InverseCost
from sfumato.partition.steps.terms.group import TermGroup
from sfumato.policy.document import Input
from sfumato.policy.yaml import parse_yaml
from sfumato.table.formats.csv.read import CsvFile

LABELS: dict[str, Any] = {"flu": ["cough", "fever"], "cold": ["cough", "sneezing"], "gout": ["fever", "sneezing"]}


def policy(labels: object = LABELS, **settings: object) -> dict[str, Any]:
    column = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": labels}}
    return {
        "columns": {"age": {"role": "quasi", "type": "integer"}, "s": column},
        "privacy": [{"model": "qs-cl", "c": 1, "l": 2}],
        "partition": {"method": "mondrian", "terms": True},
        **settings,
    }


def frame(*cells: str) -> pl.DataFrame:
    return pl.DataFrame({"age": range(30, 30 + len(cells)), "s": cells})


def test_a_term_of_the_knowledge_that_holds_the_separator_is_a_mistake(tmp_path: Path) -> None:
    """Read as one term, `cough|fever` would leave flu out of every link, and all rows would pass as harmless."""
    with pytest.raises(sf.InputError, match=r"column 's': knowledge: 1 terms hold the column's separator '\|'"):
        sf.publish(frame("cough", "fever"), policy=policy({"flu": ["cough|fever"], "cold": ["cough"]}))
    (tmp_path / "known.csv").write_text("label,terms\nflu,cough|fever\ncold,cough|sneezing\n", encoding="utf-8")
    given = policy()
    given["columns"]["s"]["knowledge"] = {"file": "known.csv"}
    with pytest.raises(sf.InputError, match="column 's': knowledge: 2 terms hold"):
        sf.publish(frame("cough", "fever"), policy=sf.read_policy(given, tmp_path))
    given["columns"]["s"]["knowledge"]["separator"] = "|"
    assert sf.publish(frame("cough", "cough|fever"), policy=sf.read_policy(given, tmp_path)).table.height == 2


@pytest.mark.parametrize(
    ("labels", "priors"),
    [({"flu": {"cough": 0}}, None), ({"flu": {"cough": 2}}, None), ({"flu": ["cough"]}, {"cold": 1})],
)
def test_a_mistake_in_knowledge_names_its_column(labels: object, priors: object) -> None:
    given = policy(labels)
    given["columns"]["s"]["knowledge"]["priors"] = priors
    with pytest.raises(sf.InputError, match="column 's': "):
        sf.publish(frame("cough", "fever"), policy=given)


def test_what_cannot_be_kept_names_what_can() -> None:
    """With one label nobody is in doubt about it, whatever is suppressed."""
    rows = frame("cough", "cough|fever")
    with pytest.raises(sf.Infeasible, match="knowledge has 1 labels") as caught:
        sf.publish(rows, policy=policy({"flu": ["cough", "fever"]}))
    assert caught.value.nearest is not None
    assert sf.publish(rows, caught.value.nearest, policy=policy({"flu": ["cough", "fever"]})).table.height == 2


TOGETHER: list[tuple[dict[str, str], list[str], list[str], tuple[object, int, object], Fraction]] = [
    (
        {"A": "bd", "B": "bcd", "C": "c", "D": "ad", "E": "acd"},
        ["1/8", "1/4", "1/8", "1/8", "3/8"],
        ["d", "b|c|d", "a|c|d"],
        ("1/2", 2, "1/5"),
        Fraction(7, 6) / (1 + Fraction(11, 6) + Fraction(11, 6)),
    ),
    (
        {"A": "acd", "B": "abc", "C": "ad", "D": "cd"},
        ["1/4", "1/2", "1/8", "1/8"],
        ["a|b|c", "a", "a|c|d"],
        (1, 3, "3/10"),
        Fraction(5, 3) / (1 + Fraction(11, 6) + Fraction(11, 6)),
    ),
]


@pytest.mark.parametrize(("terms", "prior", "cells", "numbers", "cost"), TOGETHER)
def test_two_promises_about_one_column_are_searched_together(
    terms: dict[str, str], prior: list[str], cells: list[str], numbers: tuple[object, int, object], cost: Fraction
) -> None:
    """No removal that is cheapest for one of them keeps the other, nor does removing all; the costs were enumerated."""
    c, l, t = numbers
    given = policy(
        {label: list(each) for label, each in terms.items()},
        privacy=[
            {"model": "qs-cl", "c": c, "l": l},
            {"model": "qs-t", "t": t, "prior": dict(zip(terms, prior, strict=True))},
        ],
    )
    release = sf.publish(pl.DataFrame({"age": [30] * 3, "s": cells}), policy=given)
    assert "terms of 's': suppressed in 1 of 1 group, proven cheapest in 1" in release.notes
    lost = [sum((Fraction(1, each) for each in range(left + 1, 4)), Fraction(0)) for left in _left(release.table["s"])]
    assert sum(lost, Fraction(0)) == cost * (1 + Fraction(11, 6) + Fraction(11, 6))


def _left(cells: pl.Series) -> list[int]:
    """Terms of the two rows that had three; the one that had one keeps it, so one of the ones is left out."""
    counts = sorted(len(cell.split("|")) for cell in cells)
    assert counts[0] == 1
    return counts[1:]


def test_a_bare_table_has_the_missing_values_of_its_policy() -> None:
    """A missing cell may mean any label: far from this prior. Read as an unknown term it would mean none."""
    promise = [{"model": "qs-t", "t": "0.1", "prior": {"flu": "0.8", "cold": "0.1", "gout": "0.1"}}]
    given = policy(privacy=promise, input={"missing_values": ["?"]})
    assert [each.verdict for each in sf.audit(frame("?", "?"), given).criteria] == ["fails"]
    assert sf.audit(frame("tired", "tired"), given).criteria[0].verdict == "holds"


@pytest.mark.parametrize("terms", [True, None])
def test_an_l_beyond_all_labels_cannot_be_kept(terms: bool | None) -> None:
    given = policy(privacy=[{"model": "qs-cl", "c": 1, "l": 10**22}], partition={"method": "mondrian", "terms": terms})
    with pytest.raises(sf.Infeasible):
        sf.publish(frame("cough", "cough|fever"), policy=given)


def test_two_columns_that_tell_of_the_same_labels_are_a_warning() -> None:
    """Each alone is balanced: flu with cold or with gout. Both together leave flu only."""
    labels = {"flu": ["a", "b"], "cold": ["a"], "gout": ["b"]}
    given = policy(labels, privacy=[{"model": "qs-cl", "c": 1, "l": 2, "on": name} for name in "su"])
    given["columns"]["u"] = given["columns"]["s"]
    rows = pl.DataFrame({"age": [30, 30, 30], "s": ["a", "b", ""], "u": ["b", "a", ""]})
    with pytest.warns(sf.SfumatoWarning, match="'s' and 'u' may stand for the same labels"):
        release = sf.publish(rows, policy=given)
    assert any("'s' and 'u'" in note for note in sf.audit(release.table, given).notes)
    given["columns"]["u"] = {**given["columns"]["s"], "knowledge": {"labels": {"x": ["a"], "y": ["b"]}}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.publish(rows, policy=given)


@pytest.mark.parametrize("space", ["\x1c", " \x1f ", "\u00a0", "\x85", "\u3000"])
def test_data_and_audit_agree_on_what_a_space_is(space: str) -> None:
    release = sf.publish(frame(f"cough{space}|{space}fever", "sneezing"), policy=policy())
    shown = [term for cell in release.table["s"] for term in (cell or "").split("|")]
    assert set(shown) <= {"cough", "fever", "sneezing", ""}


def test_a_term_that_only_looks_like_a_known_one_is_noted() -> None:
    given = policy(partition={"method": "mondrian"})
    given["columns"]["s"]["same"] = "none"
    release = sf.publish(frame("Cough|fever", "sneezing\u200b|cough", "tired|cough", "sneezing"), policy=given)
    notes = [note for note in sf.audit(release.table, given).notes if "only in case" in note]
    assert len(notes) == 1
    assert "2 of them" in notes[0]


@pytest.mark.parametrize("term", ["*", "a|b"])
def test_a_term_that_cannot_be_shown_has_a_place(term: str) -> None:
    given = policy()
    del given["columns"]["s"]["separator"]
    rows = pl.DataFrame({"age": [30, 31, 32], "s": [["cough"], [], ["fever", f" {term} "]]})
    with pytest.raises(sf.TableError, match=r"has 1 terms that .*, the first in row 3; "):
        sf.publish(rows, policy=given)


def test_yaml_is_parsed_by_libyaml_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Knowledge of 3000 labels took seconds otherwise, three times in a run."""
    if not yaml.__with_libyaml__:
        pytest.skip("there is none")
    used: list[type] = []
    monkeypatch.setattr("yaml.load", lambda text, Loader: used.append(Loader))
    parse_yaml("a: 1", "p.yaml")
    assert issubclass(used[0], yaml.CSafeLoader)


def test_files_are_read_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's threads abort a process that ends right after they begin, as it does when the columns are wrong."""
    seen, read = [], pyarrow.csv.read_csv

    def spy(source: object, options: Any, *others: object) -> Any:
        seen.append(options.use_threads)
        return read(source, options, *others)

    monkeypatch.setattr("pyarrow.csv.read_csv", spy)
    monkeypatch.setattr("pyarrow.csv.open_csv", None)
    CsvFile.of(b"a,b\n1,2\n", "t.csv", Input()).frame()
    CsvFile.of(b"a,b\n" + b"1,2\n" * (1 << 19), "t.csv", Input()).frame()
    assert seen == [False, False]


def test_wrong_columns_end_with_code_2(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  z: {role: quasi}\nprivacy: [{model: k-anonymity, k: 2}]\n"
    )
    command = [sys.executable, "-m", "sfumato", "anonymize", "t.csv", "-p", "p.yaml", "-o", "out"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 2


def test_numbers_beside_terms_are_not_taken_for_terms() -> None:
    """Probabilities that nobody named would be terms, each row a set of its own, and {cough, fever} no label's."""
    rows = pl.DataFrame({"label": ["flu", "flu", "cold"], "term": ["cough", "fever", "cough"], "p": ["0.5", "0.6", ""]})
    with pytest.raises(sf.InputError, match="column 'p' holds numbers"):
        read_knowledge(rows)
    assert read_knowledge(rows.with_columns(p=pl.Series(["rash", "", ""]))).terms == ("cough", "fever", "rash")
    assert read_knowledge(rows.with_columns(p=pl.Series([None, None, None], dtype=pl.String))).terms == (
        "cough",
        "fever",
    )
    codes = read_knowledge(pl.DataFrame({"label": ["a"], "one": ["250"], "two": ["401"]}))
    assert codes.terms == ("250", "401")


def test_a_large_group_does_not_lose_everything_when_the_work_ends() -> None:
    """Thirty rows of a label each: three that lose all their terms are enough to hide the others among 3000 labels."""
    chance = np.random.default_rng(1)
    names = [f"t{at}" for at in range(80)]
    pairs = [(f"L{at}", chance.choice(names, 20, replace=False).tolist()) for at in range(3000)]
    rows = [chance.choice(pairs[chance.integers(301)][1], 9, replace=False).tolist() for _ in range(30)]
    known = Knowledge.of(pairs)
    found = suppress(known, TermSets.of(known, rows), LabelCL(1, 100), work=20_000_000)
    assert found.cost is not None
    assert found.lower <= found.cost <= Fraction(3, 30)


@pytest.mark.thorough
def test_rows_of_many_terms_in_a_large_group_fit_in_memory() -> None:
    chance = np.random.default_rng(1)
    names = [f"t{at}" for at in range(80)]
    pairs = [(f"L{at}", chance.choice(names, 65, replace=False).tolist()) for at in range(300)]
    known = Knowledge.of(pairs)
    rows = TermSets.of(known, [chance.choice(pairs[at][1], 60, replace=False).tolist() for at in range(200)])
    group = TermGroup.of(known, rows, LabelCL(1, 2), InverseCost(), "drop", None)
    assert len(group.choices.labels) <= 20_000_000


def test_a_search_of_the_paper_names_the_column_it_cannot_take() -> None:
    terms = [f"t{at:02}" for at in range(17)]
    given = policy({"A": terms, "B": terms[:1]}, partition={"method": "mondrian", "terms": {"search": "adaptive"}})
    with pytest.raises(sf.Refused, match="column 's' has rows of 17 terms"):
        sf.publish(frame("|".join(terms), "t00"), policy=given)


def test_what_who_knows_the_algorithm_learns_from_suppressed_terms() -> None:
    """The figures of the how-to on symptoms: all two visits that end as {fever, headache} twice, equally likely."""
    diseases = {
        "flu": ["cough", "fever", "headache"],
        "measles": ["cough", "fever", "rash"],
        "scarlatina": ["fever", "headache", "rash"],
        "cold": ["cough", "sneezing", "headache"],
        "migraine": ["headache", "nausea"],
    }
    known, words = read_knowledge(diseases), ("cough", "fever", "headache", "rash")
    visits = [visit for length in range(1, 5) for visit in combinations(words, length)]
    flu: dict[int, Fraction] = {}
    for pair in combinations_with_replacement(visits, 2):
        found = suppress(known, TermSets.of(known, pair), LabelCL(Fraction(1), 2))
        left = [[word for word, stays in zip(*row, strict=True) if stays] for row in zip(pair, found.keep, strict=True)]
        if left == [["fever", "headache"]] * 2:
            fits = [[label for label, terms in diseases.items() if set(visit) <= set(terms)] for visit in pair]
            lost = sum(map(len, pair)) - 4
            assert lost not in flu  # the number of suppressed terms would tell which pair it was
            flu[lost] = sum((Fraction("flu" in each, len(each)) for each in fits), Fraction(0)) / 2
    assert flu[2] == 1
    assert sum(flu.values(), Fraction(0)) / len(flu) == Fraction(3, 4)
