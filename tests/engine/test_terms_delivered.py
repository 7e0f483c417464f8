"""Quasi-sensitive columns from files to audited files, as their users meet them."""

from __future__ import annotations

import gzip
import json
import shutil
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients
from sfumato.errors import SfumatoWarning
from tests.support.command import Cli

RULES = "terms: linked rows stay linked, and no other row is linked to a single label; no other suppression was tried"
E_CASES = {"A": ["a", "x"], "B": ["b", "x"], "C": ["c", "x"], "AB": ["a", "b", "x"]}


def policy_of(column: dict[str, Any], privacy: list[dict[str, Any]], terms: Any = True) -> dict[str, Any]:
    return {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "t": {"role": "quasi-sensitive", **column}},
        "privacy": privacy,
        "partition": {"method": "mondrian", "terms": terms},
    }


def stages(frame: pl.DataFrame, policy: dict[str, Any]) -> tuple[list[tuple[str, int, int]], sf.Release]:
    seen: list[tuple[str, int, int]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SfumatoWarning)
        release = sf.publish(
            frame, policy=policy, seed=1, progress=lambda stage, done, total: seen.append((stage, done, total))
        )
    return [each for each in seen if each[0].startswith("terms")], release


def test_progress_counts_the_groups_that_are_proven() -> None:
    frame = pl.DataFrame({"q": [1, 1, 5, 5], "t": ["a|x", "a|b", "b|x", "a|b"]})
    column = {"separator": "|", "knowledge": {"labels": E_CASES}}
    seen, release = stages(
        frame, policy_of(column, [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 1, "l": 3}])
    )
    assert seen == [("terms: 1 of 2 groups proven", 2, 4), ("terms: 2 of 2 groups proven", 4, 4)]
    assert "suppressed in 2 of 2 groups, proven cheapest in 2" in " ".join(release.notes)
    assert RULES in release.notes


def test_work_that_ends_is_a_stated_gap() -> None:
    """With 300 steps a group, some are proven cheapest; what the others may cost too much is said, and true."""
    ill = synthetic_knowledge(3, labels=60, per_label=6, occurrences=15)
    patients, names = synthetic_patients(ill, 70, 5, 9), np.array(ill.terms)
    cells = ["|".join(names[patients[row]].tolist()) for row in range(70)]
    ends = ill.row_offsets.tolist()
    labels = {
        ill.labels[label]: [ill.terms[at] for at in ill.row_terms[ends[row] : ends[row + 1]]]
        for row, label in enumerate(ill.row_labels.tolist())
    }
    frame = pl.DataFrame({"q": [row // 7 for row in range(70)], "t": cells})
    column = {"separator": "|", "knowledge": {"labels": labels}}
    privacy: list[dict[str, Any]] = [{"model": "k-anonymity", "k": 7}, {"model": "qs-t", "t": "0.25"}]
    seen, short = stages(frame, policy_of(column, privacy, {"work": 300}))
    note = next(note for note in short.notes if "proven cheapest" in note)
    proven, gap = note.partition("proven cheapest in ")[2].split(", elsewhere at most ")
    assert seen[-1][0] == f"terms: {proven} of 10 groups proven"
    assert int(proven) < 10
    assert 0 < float(gap.removesuffix(" too dear")) <= 1
    seen, whole = stages(frame, policy_of(column, privacy))
    assert seen[-1][0] == "terms: 10 of 10 groups proven"
    assert short.suppressed_terms["t"] >= whole.suppressed_terms["t"] > 0
    assert short.judged().holds and whole.judged().holds


def test_columns_of_zero_and_one_through_the_command_line(tmp_path: Path, cli: Cli) -> None:
    """{a,x} and {a,b} under (1,3): the only cheapest way leaves {x} and {}."""
    (tmp_path / "p.csv").write_text("q,x,b,a\n1,1,0,yes\n1,0,1,1\n", encoding="utf-8")
    column = {"binary": ["a", "b", "x"], "knowledge": {"labels": E_CASES}, "separator": "+"}
    document = policy_of(column, [{"model": "qs-cl", "c": 1, "l": 3}])
    (tmp_path / "p.json").write_text(json.dumps(document), encoding="utf-8")
    command = ["anonymize", str(tmp_path / "p.csv"), "-p", str(tmp_path / "p.json"), "-o", str(tmp_path / "out")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SfumatoWarning)
        notes = cli.well(*command, "--json").json["release"]["notes"]
    assert any("'t': every row has 2 terms" in note for note in notes)
    assert sorted((tmp_path / "out" / "table.csv").read_text(encoding="utf-8").split()) == ["1,", "1,x", "q,t"]
    assert "holds" in cli.well("audit", str(tmp_path / "out"), "-p", str(tmp_path / "p.json")).out


FILES: dict[str, tuple[str | None, dict[str, Any]]] = {
    "long.csv": ("d,s,often\nflu,c,3\nflu,h,3\ncold,c,1\n", {"term": "s", "prior": "often"}),
    "wide.csv": ("d,often,one,two\nflu,3,c,h\ncold,1,c,\n", {"prior": "often", "layout": "wide"}),
    "cell.csv": ("d;s;often\nflu;c|h;3\ncold;c;1\n", {"separator": "|", "prior": "often"}),
    "binary.csv": ("d,c,h,often\nflu,1,1,3\ncold,1,0,1\n", {"prior": "often"}),
    "k.yaml": ("labels: {flu: [c, h], cold: [c]}\npriors: {flu: 3, cold: 1}\n", {}),
    "k.parquet": (None, {"prior": "often"}),
}


@pytest.mark.parametrize("file", FILES)
def test_knowledge_of_every_kind_says_the_same(file: str, tmp_path: Path) -> None:
    """{c} is flu with 3/4; {c,h} is flu: together 7/8, which (7,2) allows and (6,2) does not."""
    text, settings = FILES[file]
    if text is None:
        made = {"d": ["flu", "cold"], "often": [3, 1], "s": [["c", "h"], ["c"]]}
        pl.DataFrame(made).write_parquet(tmp_path / file)
    else:
        (tmp_path / file).write_text(text, encoding="utf-8")
    frame = pl.DataFrame({"q": ["1", "1"], "t": ["c", "c|h"]})
    for c, holds in ((7, True), (6, False)):
        column = {"separator": "|", "knowledge": {"file": str(tmp_path / file), **settings}}
        verdict = sf.audit(frame, policy_of(column, [{"model": "qs-cl", "c": c, "l": 2}], False))
        (criterion,) = verdict.criteria
        assert criterion.holds is holds
        assert criterion.beliefs is not None and criterion.beliefs.posterior == Fraction(7, 8)


def test_a_label_may_have_several_sets(tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("d,one,two\nflu,c,h\nflu,f,\ncold,c,\n", encoding="utf-8")
    column = {"separator": "|", "knowledge": {"file": str(tmp_path / "k.csv"), "layout": "wide"}}
    frame = pl.DataFrame({"q": [1, 2, 3, 4], "t": ["f", "c|h", "c", "c|f"]})
    (found,) = sf.check_knowledge(frame, policy_of(column, [{"model": "qs-cl", "c": 1, "l": 2}]))
    assert (found.coverage.labels, found.coverage.unique, found.coverage.unlinked) == (2, 2, 1)


def test_the_prior_is_that_of_the_original_table(tmp_path: Path) -> None:
    """Suppression moves beliefs, not what they are compared with; and the audit says where the prior is from."""
    frame = pl.DataFrame({"q": [1, 1, 1, 9, 9, 9], "t": ["a", "a", "b", "b", "c", "a|b"]})
    column = {"separator": "|", "knowledge": {"labels": E_CASES}}
    policy = policy_of(column, [{"model": "k-anonymity", "k": 3}, {"model": "qs-t", "t": "0.2"}])
    release = sf.publish(frame, policy=policy, seed=1)
    assert release.suppressed_terms["t"] > 0
    written = release.write(tmp_path / "out", kind="csv")
    held = json.loads((tmp_path / "out.internal.json").read_text(encoding="utf-8"))["priors"]["t"]
    # a: A, AB; b: B, AB; c: C; a|b: AB. Six rows.
    assert {label: Fraction(share) for label, share in held.items()} == {
        "A": Fraction(2, 12),
        "B": Fraction(2, 12),
        "C": Fraction(1, 6),
        "AB": Fraction(1, 2),
    }
    assert "from the prior, estimated from the original table" in written.audit.criteria[1].required


def test_the_prior_of_the_knowledge_is_public(tmp_path: Path) -> None:
    """Flu 3/4, cold 1/4 beforehand. {c} says the same; {c,h} is flu: a quarter moves."""
    knowledge = {"labels": {"flu": ["c", "h"], "cold": ["c"]}, "priors": {"flu": 3, "cold": 1}}
    frame = pl.DataFrame({"q": [1, 2], "t": ["c", "c|h"]})
    promise = {"model": "qs-t", "t": "1/4", "distance": "emd", "prior": "knowledge"}
    policy = policy_of({"separator": "|", "knowledge": knowledge}, [promise], False)
    release = sf.publish(frame, policy=policy, seed=1)
    release.write(tmp_path / "out", kind="csv")
    (criterion,) = sf.audit(tmp_path / "out", policy).criteria
    assert criterion.holds and criterion.level == Fraction(1, 4)
    assert "from the prior, that of the knowledge" in criterion.required
    assert criterion.beliefs is not None
    first, second = criterion.beliefs.groups
    assert (first.label, first.prior, first.posterior, first.change) == (
        "cold",
        Fraction(1, 4),
        Fraction(0),
        -Fraction(1, 4),
    )
    assert second.level == 0
    bare = policy_of({"separator": "|", "knowledge": {"labels": knowledge["labels"]}}, [promise], False)
    with pytest.raises(sf.Refused, match="no priors of labels"):
        sf.publish(frame, policy=bare, seed=1)
    assert "priors of labels" in sf.audit(frame, bare).criteria[0].needs


def test_strict_is_the_letter_and_always_told() -> None:
    """Unknown z makes a row harmless by the letter; dropped, A is all but certain."""
    frame = pl.DataFrame({"q": ["1", "1"], "t": ["a|x|z", "c|z"]})
    for unknown, linked, how in (("drop", 2, "they are ignored"), ("strict", 0, "their rows have no label")):
        column = {"separator": "|", "knowledge": {"labels": E_CASES}, "unknown": unknown}
        verdict = sf.audit(frame, policy_of(column, [{"model": "qs-cl", "c": 1, "l": 1}], False))
        (criterion,) = verdict.criteria
        assert criterion.beliefs is not None and criterion.beliefs.linked == linked
        assert any(f"terms not in the knowledge: 1, in rows: 2; {how}" in note for note in verdict.notes)


@pytest.mark.data
@pytest.mark.parametrize("terms", [{"phases": "two"}, {"phases": "one"}, None], ids=["two", "one", "none"])
def test_the_real_table_of_symptoms(terms: Any, symptoms: Path, tmp_path: Path, cli: Cli) -> None:
    """All 4,920 rows, 41 diseases, 131 symptoms: diseases are not published, and known by their symptoms."""
    rows = pl.read_csv(gzip.decompress((symptoms / "kaggle_rows.csv.gz").read_bytes()))
    assert rows.height == 4920
    ages = pl.Series("q", np.random.default_rng(7).integers(0, 20_000, rows.height))
    rows.drop("Disease").with_columns(ages).write_csv(tmp_path / "patients.csv")
    shutil.copy(symptoms / "kaggle_pairs.csv", tmp_path / "diseases.csv")
    column = {
        "wide": [name for name in rows.columns if name.startswith("Symptom")],
        "knowledge": {"file": "diseases.csv", "layout": "long", "label": "Disease", "term": "Symptom"},
    }
    privacy = [{"model": "k-anonymity", "k": 5}, {"model": "qs-cl", "c": 1, "l": 4}, {"model": "qs-t", "t": 0.4}]
    document = policy_of(column, privacy, terms)
    if terms is None:
        del document["partition"]
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps(document), encoding="utf-8")
    data, out = str(tmp_path / "patients.csv"), str(tmp_path / "out")
    (covered,) = cli.well("knowledge", "check", data, "-p", str(policy), "--json").json["columns"]
    assert (covered["labels"], covered["terms"], covered["linked"]) == (41, 131, 4920)
    made = cli.well("anonymize", data, "-p", str(policy), "-o", out, "--json").json["release"]
    assert (made["rows"], made["suppressed"]) == (4920, 0)
    manifest = ["--manifest", f"{out}.internal.json"]
    criteria = cli.well("audit", out, "-p", str(policy), *manifest, "--json").json["criteria"]
    assert [each["verdict"] for each in criteria] == ["holds"] * 3
    assert sum(each["groups"] * each["rows"] for each in criteria[1]["beliefs"]["groups"]) == 4920
    if terms != {"phases": "one"}:  # which takes what costs less
        assert bool(made["suppressed_terms"]) is (terms is not None)
