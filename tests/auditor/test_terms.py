"""The auditor's own reading of terms: cells, links, sums and distances against slow references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.terms import read_cell
from sfumato.policy.load import read_policy
from tests.support.examples import examples

LABELS: dict[str, Any] = {"A": ["a", "b"], "B": ["b", "c"], "C": [["c"], ["a", "d"]], "D": ["a", "b", "c", "d"]}
WAYS = [("A", "ab"), ("B", "bc"), ("C", "c"), ("C", "ad"), ("D", "abcd")]
PRIORS = {"A": 3, "B": 2, "C": 2, "D": 1}


def policy_of(promise: Mapping[str, Any], weighted: bool = False, **column: Any) -> dict[str, Any]:
    knowledge = {"labels": LABELS, **({"priors": PRIORS} if weighted else {})}
    terms = {"role": "quasi-sensitive", "separator": "|", "knowledge": knowledge, **column}
    return {"columns": {"q": {"role": "quasi"}, "t": terms}, "privacy": [promise]}


def frame_of(groups: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Rows are words: each letter a term, `*` a mark."""
    rows = [(f"g{index}", "|".join(row) or None) for index, group in enumerate(groups) for row in group]
    return pl.DataFrame({"q": [q for q, _ in rows], "t": [t for _, t in rows]}, schema={"q": pl.String, "t": pl.String})


def links(row: str, strict: bool = False, known: bool = False) -> set[str]:
    """The definition, word for word."""
    terms, marks = [term for term in row if term != "*"], row.count("*")
    familiar = [term for term in terms if any(term in way for _, way in WAYS)]
    if len(familiar) < len(terms) and (strict or not familiar):
        return set()
    least = len(familiar) + marks if known else 0
    return {label for label, way in WAYS if set(familiar) <= set(way) and len(way) >= least}


def beliefs(group: Sequence[str], weighted: bool = False, **how: bool) -> dict[str, Fraction]:
    """Mean over linked rows."""
    found = [labels for row in group if (labels := links(row, **how))]
    sums: dict[str, Fraction] = {}
    for labels in found:
        weights = {label: Fraction(PRIORS[label] if weighted else 1) for label in labels}
        for label, weight in weights.items():
            sums[label] = sums.get(label, Fraction(0)) + weight / sum(weights.values()) / len(found)
    return sums


WORDS = st.lists(st.sampled_from("abcdz"), max_size=3, unique=True).map(lambda terms: "".join(sorted(terms)))
GROUPS = st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=1, max_size=3)


@given(groups=GROUPS, c=st.sampled_from(["1/2", "1", "3"]), l=st.integers(1, 4), strict=st.booleans(), w=st.booleans())
@settings(max_examples=examples(80))
def test_qs_cl_is_its_definition(groups: list[list[str]], c: str, l: int, strict: bool, w: bool) -> None:
    promise = {"model": "qs-cl", "c": c, "l": l}
    policy = policy_of(promise, w, unknown="strict" if strict else "drop")
    (criterion,) = sf.audit(frame_of(groups), policy, whole=True).criteria
    broken = 0
    for group in groups:
        falling = sorted(beliefs(group, w, strict=strict).values(), reverse=True)
        broken += bool(falling) and falling[0] > Fraction(c) * sum(falling[l - 1 :])
    assert criterion.violating_groups == broken
    assert criterion.holds is (broken == 0)


@given(groups=GROUPS, t=st.sampled_from(["0", "1/4", "2/5", "1"]), emd=st.booleans(), w=st.booleans())
@settings(max_examples=examples(80))
def test_qs_t_is_its_definition(groups: list[list[str]], t: str, emd: bool, w: bool) -> None:
    promise = {"model": "qs-t", "t": t, "distance": "emd" if emd else "euclidean"}
    (criterion,) = sf.audit(frame_of(groups), policy_of(promise, w), whole=True).criteria
    prior = beliefs([row for group in groups for row in group], w)
    if not prior:
        assert criterion.verdict == "undecidable"
        return
    broken = 0
    for group in groups:
        after = beliefs(group, w)
        gaps = [after.get(label, Fraction(0)) - prior.get(label, Fraction(0)) for label in LABELS]
        moved = sum(gap for gap in gaps if gap > 0) if emd else sum(gap * gap for gap in gaps)
        broken += bool(after) and moved > (Fraction(t) if emd else Fraction(t) ** 2)
    assert criterion.violating_groups == broken


def test_known_lengths_rule_labels_out() -> None:
    """Of a row with two terms, one suppressed, C by its single term c cannot be meant; with three, only D can."""
    for cell, known, hidden in (("c*", {"B", "D"}, {"B", "C", "D"}), ("c**", {"D"}, {"B", "C", "D"})):
        assert links(cell, known=True) == known
        for lengths, labels in (("known", known), ("hidden", hidden)):
            policy = policy_of({"model": "qs-cl", "c": 1, "l": 1}, lengths=lengths)
            (criterion,) = sf.audit(frame_of([[cell]]), policy, whole=True).criteria
            assert criterion.beliefs is not None
            assert criterion.beliefs.labels == len(labels)


def test_cells_are_taken_apart() -> None:
    assert read_cell("a; b ;*;", ";").terms == ("a", "b")
    assert read_cell("a; b ;*;", ";").marks == 1
    assert read_cell("a|b", "|").in_order
    assert not read_cell("b|a", "|").in_order
    assert not read_cell("a|a", "|").in_order


def written(tmp_path: Path, promise: Mapping[str, Any], **column: Any) -> tuple[Path, sf.Policy]:
    policy = read_policy(policy_of(promise, **column))
    frame = frame_of([["ab", "bc", "ad", "c"]] * 3 + [["zz"]])
    with pytest.warns(sf.SfumatoWarning, match="1 group of rows that are linked to no label"):
        release = sf.publish(frame, policy=policy, seed=1)
    release.write(tmp_path / "out", kind="csv")
    return tmp_path / "out", policy


def test_an_estimated_prior_is_for_the_holder(tmp_path: Path) -> None:
    folder, policy = written(tmp_path, {"model": "qs-t", "t": "1/2"})
    outside = sf.audit(folder, policy)
    (criterion,) = outside.criteria
    assert criterion.verdict == "undecidable"
    assert "manifest" in criterion.needs
    assert not outside.holds
    inside = sf.audit(folder, policy, tmp_path / "out.internal.json")
    assert inside.holds
    (criterion,) = inside.criteria
    assert criterion.beliefs is not None
    assert isinstance(criterion.beliefs.prior, Fraction)
    assert "priors" not in (folder / "release.json").read_text(encoding="utf-8")


def test_a_given_prior_is_public(tmp_path: Path) -> None:
    prior = {"A": "1/4", "B": "1/4", "C": "1/4", "D": "1/4"}
    folder, policy = written(tmp_path, {"model": "qs-t", "t": "3/4", "prior": prior})
    assert sf.audit(folder, policy).holds
    assert '"A": "0.25"' in (folder / "release.json").read_text(encoding="utf-8")


def test_unlinked_and_unknown_are_told(tmp_path: Path) -> None:
    folder, policy = written(tmp_path, {"model": "qs-cl", "c": 2, "l": 2})
    notes = " ".join(sf.audit(folder, policy).notes)
    assert "rows linked to no label of the knowledge: 1;" in notes
    assert "terms not in the knowledge: 1, in rows: 1; they are ignored" in notes


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("b|a", "out of order, or twice, in 1 row"),
        ("a|a", "out of order"),
        ("a|*", "marked, though lengths are hidden"),
    ],
)
def test_cells_have_one_notation(tmp_path: Path, cell: str, says: str) -> None:
    folder, policy = written(tmp_path, {"model": "qs-cl", "c": 2, "l": 2})
    table = folder / "table.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].rpartition(",")[0] + f",{cell}"
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert any(says in problem for problem in sf.audit(folder, policy).problems)


def test_a_missing_column_is_found() -> None:
    policy = policy_of({"model": "qs-cl", "c": 1, "l": 2})
    verdict = sf.audit(pl.DataFrame({"q": ["x"]}), policy)
    assert verdict.criteria[0].verdict == "undecidable"
    assert any("'t': has the role quasi-sensitive and is missing" in problem for problem in verdict.problems)
