"""Prior, posterior and change of belief of every group, against a slow reference."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.beliefs import GroupBelief
from tests.support.command import Cli
from tests.support.examples import examples

LABELS = {"A": "ab", "B": "bc", "C": "cd", "D": "abcd"}
Group = tuple[str, ...]
WORDS = st.lists(st.sampled_from("abcdz"), max_size=3, unique=True).map(lambda terms: "".join(sorted(terms)))
GROUPS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(lambda rows: tuple(sorted(rows))), min_size=1, max_size=4)


def policy_of(promise: dict[str, Any]) -> dict[str, Any]:
    knowledge = {"labels": {label: list(terms) for label, terms in LABELS.items()}}
    terms = {"role": "quasi-sensitive", "separator": "|", "knowledge": knowledge}
    return {"columns": {"q": {"role": "quasi"}, "t": terms}, "privacy": [promise]}


def frame_of(groups: list[Group]) -> pl.DataFrame:
    rows = [(f"g{index}", "|".join(row) or None) for index, group in enumerate(groups) for row in group]
    return pl.DataFrame(rows, schema={"q": pl.String, "t": pl.String}, orient="row")


def links(row: str) -> list[str]:
    known = [term for term in row if term != "z"]
    return [] if row and not known else [label for label, terms in LABELS.items() if set(known) <= set(terms)]


def beliefs(rows: Group) -> dict[str, Fraction]:
    linked = [found for row in rows if (found := links(row))]
    shares = [(label, Fraction(1, len(found) * len(linked))) for found in linked for label in found]
    return {label: sum((share for each, share in shares if each == label), Fraction(0)) for label in LABELS}


def told(groups: list[Group], promise: dict[str, Any]) -> tuple[GroupBelief, ...]:
    (criterion,) = sf.audit(frame_of(groups), policy_of(promise), whole=True).criteria
    assert criterion.beliefs is not None
    return criterion.beliefs.groups


def shape(group: GroupBelief) -> tuple[object, ...]:
    return group.rows, group.linked, group.labels, group.label, group.prior, group.posterior, group.change


def linked_rows(group: Group) -> int:
    return sum(bool(links(row)) for row in group)


@given(groups=GROUPS, t=st.sampled_from(["0", "1/4", "1"]), emd=st.booleans())
@settings(max_examples=examples(80))
def test_the_label_whose_belief_changes_most(groups: list[Group], t: str, emd: bool) -> None:
    every = tuple(row for group in groups for row in group)
    if not linked_rows(every):
        return
    prior, expected, levels = beliefs(every), Counter[tuple[object, ...]](), list[float]()
    for group in groups:
        linked, after = linked_rows(group), beliefs(group)
        if not linked:
            expected[len(group), 0, 0, None, None, None, None] += 1
            continue
        gaps = {label: after[label] - prior[label] for label in LABELS if after[label] or prior[label]}
        most = min(label for label in gaps if abs(gaps[label]) == max(map(abs, gaps.values())))
        labels = sum(after[label] > 0 for label in LABELS)
        expected[len(group), linked, labels, most, prior[most], after[most], gaps[most]] += 1
        over = sum(gap for gap in gaps.values() if gap > 0)
        levels.append(float(over) if emd else float(sum(gap**2 for gap in gaps.values())) ** 0.5)
    found = told(groups, {"model": "qs-t", "t": t, "distance": "emd" if emd else "euclidean"})
    counted = Counter[tuple[object, ...]]()
    for each in found:
        counted[shape(each)] += each.groups
    assert counted == expected
    shown = [float(each.level) for each in found if each.level is not None for _ in range(each.groups)]
    assert shown == pytest.approx(sorted(levels, reverse=True), abs=2e-6)
    assert [each.kept for each in found] == [float(each.level or 0) <= Fraction(t) for each in found]


@given(groups=GROUPS)
@settings(max_examples=examples(60))
def test_without_a_prior_the_likeliest_label(groups: list[Group]) -> None:
    expected = Counter[tuple[object, ...]]()
    for group in groups:
        linked, after = linked_rows(group), beliefs(group)
        top = min(label for label in LABELS if after[label] == max(after.values()))
        labels = sum(after[label] > 0 for label in LABELS)
        likeliest = (top, None, after[top], None) if linked else (None, None, None, None)
        expected[len(group), linked, labels, *likeliest] += 1
    found = told(groups, {"model": "qs-cl", "c": 1, "l": 2})
    counted = Counter[tuple[object, ...]]()
    for each in found:
        counted[shape(each)] += each.groups
    assert counted == expected
    levels = [each.level for each in found if isinstance(each.level, Fraction)]
    assert levels == sorted(levels)
    assert [each.level is None for each in found] == sorted(each.level is None for each in found)


def test_json_and_text_have_the_worst_first(tmp_path: Path, cli: Cli) -> None:
    """{a} stands for A or D, {b} for A, B or D, {c,d} for C or D: A is believed with 1/2, 1/3 and 0."""
    frame_of([("a", "a"), ("cd",), ("b", "z")]).write_csv(tmp_path / "table.csv")
    document = policy_of({"model": "qs-cl", "c": 1, "l": 3})
    (tmp_path / "p.json").write_text(json.dumps(document), encoding="utf-8")
    command = ["audit", str(tmp_path / "table.csv"), "-p", str(tmp_path / "p.json")]
    texts = []
    for more in (["--json"], ["--groups", "2"], []):
        done = cli(*command, *more)
        assert done.code == 4
        texts.append(done.out)
    groups = json.loads(texts[0])["criteria"][0]["beliefs"]["groups"]
    assert [(each["label"], each["posterior"], each["kept"]) for each in groups] == [
        ("C", "0.5", False),
        ("A", "0.5", False),
        ("A", "1/3", True),
    ]
    lines = [line.split() for line in texts[1].splitlines()]
    at = lines.index(["groups", "rows", "linked", "labels", "kept", "level", "label", "posterior"])
    assert lines[at + 1 : at + 4] == [
        ["1", "1", "1", "2", "no", "2", "C", "0.5"],
        ["1", "2", "2", "2", "no", "2", "A", "0.5"],
        ["and", "1", "more"],
    ]
    assert "posterior" not in texts[2]


def test_an_estimated_prior_is_in_no_public_file(tmp_path: Path) -> None:
    """{a} means A or D, {b} A, B or D, {c,d} C or D: D is believed with a third of 1/2 + 1/3 + 1/2."""
    policy = policy_of({"model": "qs-t", "t": 1})
    release = sf.publish(frame_of([("a", "cd", "b")]), policy=policy, seed=1)
    written = release.write(tmp_path / "out", kind="csv")
    held = json.loads((tmp_path / "out.internal.json").read_text(encoding="utf-8"))["priors"]["t"]
    assert held == {"A": "5/18", "B": "1/9", "C": "1/6", "D": "4/9"}
    (criterion,) = written.audit.criteria
    assert criterion.beliefs is not None and criterion.beliefs.groups[0].prior is not None
    for file in (tmp_path / "out").iterdir():
        text = file.read_text(encoding="utf-8")
        assert not any(share in text for share in held.values())
        assert "prior" not in text.replace('"prior": "table"', "")
    (outside,) = sf.audit(tmp_path / "out", policy).criteria
    assert outside.verdict == "undecidable" and outside.beliefs is None
