"""Sensitive values generalized for promises about several columns (001, 4.3): by levels, in every row, and audited."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from tests.support.command import Cli
from tests.support.examples import examples, some

TREES: dict[str, Any] = {
    "disease": {"organ": ["angina", "ulcer", "gout"], "mind": ["angst", "mania", "gloom"]},
    "drug": {"pills": ["p1", "p2"], "drops": ["d1", "d2"]},
}
LABEL = {name: {leaf: label for label, leaves in tree.items() for leaf in leaves} for name, tree in TREES.items()}
STEP = "generalize-sensitive"


def policy(of: Any = None, **changes: Any) -> dict[str, Any]:
    columns: dict[str, Any] = {"age": {"role": "quasi", "type": "integer"}}
    columns |= {name: {"role": "sensitive", "hierarchy": {"tree": tree}} for name, tree in TREES.items()}
    promise = {"model": "multi-attribute", "of": of or {"model": "distinct-l", "l": 2}}
    steps = [{"step": STEP, "balance": "1/10"}]
    return {"columns": columns, "privacy": [promise], "partition": {"method": "mondrian", "steps": steps}, **changes}


def people(seed: int, rows: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    drawn = {name: rng.choice(sorted(LABEL[name]), rows).tolist() for name in TREES}
    return pl.DataFrame({"age": rng.integers(20, 60, rows), **drawn})


def least(table: pl.DataFrame, apart: list[str]) -> int:
    """The fewest different values of a column among rows that share a group and all other sensitive columns."""
    fewest = []
    for column in TREES:
        parts = defaultdict(set)
        for row in table.rows(named=True):
            parts[tuple(row[name] for name in (*apart, *TREES) if name != column)].add(row[column])
        fewest += [len(values) for values in parts.values()]
    return min(fewest)


def coarse(frame: pl.DataFrame, levels: tuple[int, ...]) -> pl.DataFrame:
    """The table with labels for values, by hand."""
    for name, level in zip(TREES, levels, strict=True):
        if level:
            frame = frame.with_columns(pl.col(name).replace_strict(LABEL[name]))
    return frame


def test_the_levels_of_least_loss_are_taken() -> None:
    """Every vector of levels by hand: labels written into the table, grouped by the same algorithm."""
    changed = 0
    for seed in range(examples(30)):
        frame = people(seed)
        release = sf.publish(frame, policy=policy(), seed=1)
        totals = []
        for levels in product((0, 1), repeat=2):
            plain = policy(partition={"method": "mondrian"})
            for name, level in zip(TREES, levels, strict=True):
                if level:
                    del plain["columns"][name]["hierarchy"]
            try:
                made = sf.publish(coarse(frame, levels), policy=plain, seed=1)
            except sf.NoneFound:
                continue
            # A label stands for 3 of 6 values, or 2 of 4: it loses 2/5, or 1/3.
            cost = (levels[0] * 2 / 5 + levels[1] / 3) / 2 / 10
            totals.append((made.loss + cost, made.loss, levels))
        best = min(totals)
        assert release.loss == pytest.approx(best[1])
        labels = [set(release.table[name]) <= set(TREES[name]) for name in TREES]
        assert labels == [bool(level) for level in best[2]]
        assert least(release.table, ["age"]) >= 2
        changed += any(labels)
    assert changed


def test_what_no_grouping_of_values_keeps_labels_may_keep() -> None:
    """Who knows the drug knows the disease; of labels, every combination occurs."""
    pairs = [("angina", "p1"), ("ulcer", "d1"), ("angst", "p2"), ("mania", "d2")] * 3
    frame = pl.DataFrame({"age": range(12), "disease": [a for a, _ in pairs], "drug": [b for _, b in pairs]})
    with pytest.raises(sf.Infeasible):
        sf.publish(frame, policy=policy(partition={"method": "mondrian"}), seed=1)
    release = sf.publish(frame, policy=policy(), seed=1)
    assert {*release.table["disease"]} == {*TREES["disease"]} and {*release.table["drug"]} == {*TREES["drug"]}
    assert least(release.table, ["age"]) == 2
    assert "'disease' at level 1 of 2" in " ".join(release.notes)


def test_one_value_among_labels_is_noticed_and_labels_without_the_step_are_none() -> None:
    frame = people(3, 80)
    release = sf.publish(frame, policy=policy(), seed=1)
    assert {*release.table["disease"]} == {"organ", "mind"}
    given = policy()
    assert sf.audit(release.table, given).holds
    without = sf.audit(release.table, policy(partition={"method": "mondrian"}))
    assert not without.holds and any("different heights" in problem for problem in without.problems)
    place = release.table["disease"].to_list().index("organ")
    values = release.table["disease"].to_list()
    values[place] = "angina"  # which organ stands for as well
    found = sf.audit(release.table.with_columns(disease=pl.Series(values)), given)
    assert not found.holds and any(each.verdict == "fails" for each in found.criteria)
    unknown = release.table.with_columns(disease=pl.Series(["elsewhere", *values[1:]]))
    assert not sf.audit(unknown, given).holds


@pytest.mark.parametrize("of", some([{"model": "entropy-l", "l": "1.5"}, {"model": "simple-l", "l": "1.5"}]))
@pytest.mark.parametrize("form", ["generalized", "anatomized", "permuted"])
@pytest.mark.parametrize("method", some(["mondrian", "lattice"]))
def test_releases_in_other_forms_and_of_other_promises_are_audited(
    method: str, form: str, of: Any, tmp_path: Path
) -> None:
    labelled = 0
    for seed in range(examples(10, fewest=4)):
        steps = [{"step": STEP, "balance": "1/1000"}]
        given = policy(of, form={"publish": form}, partition={"method": method, "steps": steps})
        release = sf.publish(people(seed, 80), policy=given, seed=1)
        written = release.write(tmp_path / f"{seed}")
        assert written.audit.holds
        labelled += any(
            set(table[name]) <= set(TREES[name])
            for table in release.tables.values()
            for name in TREES
            if name in table.columns
        )
    assert labelled or method == "lattice"


def test_steps_before_it_are_part_of_what_it_runs() -> None:
    plain, polished = (
        sf.publish(people(5, 120), policy=policy(partition={"method": "mondrian", "steps": steps}), seed=1)
        for steps in ([{"step": STEP, "balance": "1/10"}], ["polish", {"step": STEP, "balance": "1/10"}])
    )
    assert polished.loss <= plain.loss and least(polished.table, ["age"]) >= 2


@pytest.mark.parametrize("promise", [{"model": "t-closeness", "t": "1/2"}, {"model": "delta-disclosure", "delta": 2}])
def test_a_promise_that_labels_say_nothing_of_is_refused(promise: Any) -> None:
    with pytest.raises(sf.Refused, match="labels in a hierarchy"):
        sf.publish(people(1), policy=policy(promise), seed=1)
    assert sf.methods().cell("multi-attribute", "mondrian", "generalized").status == "native"


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([STEP, "polish"], "polish after generalize-sensitive"),
        ([STEP, "refine"], "refine after generalize-sensitive"),
        ([STEP, STEP], "generalize-sensitive twice"),
        ([{"step": STEP, "columns": ["age"]}], "must name a sensitive column"),
        ([{"step": STEP, "columns": ["nothing"]}], "must name a sensitive column"),
        ([{"step": STEP, "balance": 0}], "balance"),
    ],
)
def test_steps_that_cannot_work_are_mistakes_of_the_policy(steps: list[Any], message: str) -> None:
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy(policy(partition={"method": "mondrian", "steps": steps}))


def test_only_named_columns_are_generalized() -> None:
    steps = [{"step": STEP, "columns": ["disease"], "balance": "1/100"}]
    labelled = 0
    for seed in range(10):
        given = policy(partition={"method": "mondrian", "steps": steps})
        release = sf.publish(people(seed, 80), policy=given, seed=1)
        assert {*release.table["drug"]} == {*LABEL["drug"]} and least(release.table, ["age"]) >= 2
        labelled += {*release.table["disease"]} == {"organ", "mind"}
    assert labelled


def test_rows_in_any_order_give_the_same_groups() -> None:
    frame = people(7, 70)
    one, other = (
        sf.publish(given, policy=policy(), seed=1).table.sort(pl.all())
        for given in (frame, frame.sample(fraction=1, shuffle=True, seed=2))
    )
    assert one.equals(other)


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    people(1, 80).write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  age: {role: quasi, type: integer}\n"
        "  disease: {role: sensitive, hierarchy: {tree: {organ: [angina, ulcer, gout], mind: [angst, mania, gloom]}}}\n"
        "  drug: {role: sensitive, hierarchy: {tree: {pills: [p1, p2], drops: [d1, d2]}}}\n"
        "privacy:\n  - {model: multi-attribute, of: {model: distinct-l, l: 2}}\n"
        "partition: {method: mondrian, steps: [{step: generalize-sensitive, balance: 1/10}]}\n",
        encoding="utf-8",
    )
    data, given = str(tmp_path / "people.csv"), str(tmp_path / "p.yaml")
    done = cli.well("anonymize", data, "-p", given, "-o", str(tmp_path / "out"))
    assert "sensitive values were generalized in every row" in done.out + done.err
    cli.well("audit", str(tmp_path / "out"), "-p", given)
