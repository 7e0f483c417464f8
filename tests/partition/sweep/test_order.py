"""What levels tell under the weights p' of 000, 4.1: alike, by base values, by those that occur, or as a user says."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.partition.sweep.information import Levels
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.command import Cli
from tests.support.examples import examples
from tests.support.handmade import column_with
from tests.support.trees import labels_of, trees

AREAS = {"coast": ["a", "b", "c", "d"], "hills": ["e"]}


def at_depth(node: Node, depth: int) -> list[Node]:
    return [node] if depth == 0 else [below for child in node.children for below in at_depth(child, depth - 1)]


def reference(root: Node, rows: list[str], worth: str, given: Mapping[str, Fraction], depth: int) -> Fraction:
    """The sum of p'(v) I(v) over the sum of p'(v), values of one level, from the definition."""
    parts = []
    for node in at_depth(root, depth):
        below = list(node.leaves())
        weight = {"uniform": 1, "leaves": len(below), "occurring": sum(leaf in rows for leaf in below)}[worth]
        parts.append((given.get(node.label, Fraction(weight)), Fraction(1, len(below))))
    return sum((weight * told for weight, told in parts), Fraction(0)) / sum((weight for weight, _ in parts))


@settings(max_examples=examples(150))
@given(trees(), st.sampled_from(["uniform", "leaves", "occurring"]), st.data())
def test_a_level_tells_the_weighted_mean_of_its_values(root: Node, worth: Any, data: st.DataObject) -> None:
    leaves = list(root.leaves())
    codes = data.draw(st.lists(st.integers(0, len(leaves) - 1), min_size=1, max_size=6))
    named = data.draw(st.lists(st.sampled_from(list(labels_of(root))), unique=True, max_size=4))
    given_weights = {label: data.draw(st.fractions("1/9", 9, max_denominator=9)) for label in named}
    column = column_with("q", codes, leaves, Taxonomy.of(root)).domain
    levels = Levels.of(column, worth, given_weights)
    rows = [leaves[code] for code in codes]
    for depth in range(len(levels)):
        if sum(leaf in rows for node in at_depth(root, depth) for leaf in node.leaves()) or worth != "occurring":
            assert levels.worth[depth] == reference(root, rows, worth, given_weights, depth)


def frame() -> pl.DataFrame:
    """Four areas on the coast and one in the hills, of which the rows have two; ages of two kinds."""
    areas = ["a", "e"] * 6
    return pl.DataFrame({"area": areas, "age": ["old", "new"] * 6, "s": ["x", "x", "y", "y"] * 3})


def policy(**settings: Any) -> dict[str, Any]:
    return {
        "columns": {
            "area": {"role": "quasi", "hierarchy": {"tree": AREAS}},
            "age": {"role": "quasi", "hierarchy": {"tree": {"any": ["old", "new"]}}},
            "s": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 7}],
        "partition": {"method": "sweep", **settings},
    }


def test_weights_decide_which_column_climbs_first() -> None:
    """Every row is alone; one step of either column makes pairs. Areas one level up tell 5/8, ages 1/2, so areas climb;
    with the coast counted much they tell about 1/4, and ages climb."""
    rows = pl.DataFrame({"area": ["a", "b", "a", "b"], "age": ["old", "old", "new", "new"], "s": ["x", "y", "y", "x"]})
    for weights, area, age in (
        ({}, {"coast"}, {"old", "new"}),
        ({"area": {"hills": 1000}}, {"coast"}, {"old", "new"}),
        ({"area": {"coast": 1000}}, {"a", "b"}, {"any"}),
    ):
        given = policy(value_weights=weights)
        given["privacy"] = [{"model": "k-anonymity", "k": 2}]
        shown = sf.publish(rows, policy=given, seed=1).table
        assert ({*shown["area"]}, {*shown["age"]}) == (area, age)
    column = column_with("area", [0, 4], list("abcde"), Taxonomy.of(Node("*", tuple(map(tree, AREAS))))).domain
    told = [Levels.of(column, "uniform", {label: Fraction(1000)}).worth[1] for label in AREAS]
    assert told == [Fraction(1000 + 4, 4 * 1001), Fraction(4 * 1000 + 1, 4 * 1001)]


def tree(label: str) -> Node:
    return Node(label, tuple(map(Node, AREAS[label])))


def test_p_of_the_data_set_follows_what_occurs() -> None:
    """Two of the four on the coast occur and one in the hills: (2·1/4 + 1·1)/3; by all base values (4·1/4 + 1)/5."""
    column = column_with("area", [0, 1, 1, 4], list("abcde"), Taxonomy.of(Node("*", tuple(map(tree, AREAS))))).domain
    assert Levels.of(column, "occurring").worth[1] == Fraction(1, 2)
    assert Levels.of(column, "leaves").worth[1] == Fraction(2, 5)
    assert Levels.of(column, "uniform").worth[1] == Fraction(5, 8)


@pytest.mark.parametrize("worth", ["uniform", "leaves", "occurring"])
def test_releases_keep_the_promise_in_any_order(worth: str) -> None:
    for seed in range(examples(20)):
        rng = np.random.default_rng(seed)
        rows = {"area": rng.choice(list("abcde"), 60).tolist(), "age": rng.choice(["old", "new"], 60).tolist()}
        table = pl.DataFrame(rows | {"s": rng.choice(["x", "y", "z"], 60).tolist()})
        weights = {"area": {"coast": int(rng.integers(1, 9)), "a": "1/3"}} if seed % 2 else {}
        given = policy(worth=worth, value_weights=weights)
        given["privacy"] = [{"model": "k-anonymity", "k": 4}, {"model": "distinct-l", "l": 2}]
        release = sf.publish(table, policy=given, seed=seed)
        for _, group in release.table.group_by("area", "age"):
            assert group.height >= 4 and group["s"].n_unique() >= 2


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"s": {"x": 1}}, "must name a quasi column"),
        ({"area": {"coast": 0}}, "value_weights"),
        ({"area": ["coast"]}, "value_weights"),
    ],
)
def test_weights_are_checked_with_the_policy(weights: Any, message: str) -> None:
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy(policy(value_weights=weights))


def test_an_unknown_label_is_named_by_its_column_alone() -> None:
    with pytest.raises(sf.InputError, match=r"partition.value_weights.area: of 1 given") as told:
        sf.publish(frame(), policy=policy(value_weights={"area": {"secret place": 2}}), seed=1)
    assert "secret place" not in str(told.value)
    plain = policy(value_weights={"age": {"old": 2}})
    del plain["columns"]["age"]["hierarchy"]
    with pytest.raises(sf.InputError, match="it has no hierarchy"):
        sf.publish(frame(), policy=plain, seed=1)


def test_a_policy_without_weights_is_hashed_as_ever() -> None:
    plain = sf.read_policy(policy())
    assert "value_weights" not in plain.partition.model_dump(mode="json")
    assert plain.digest == sf.read_policy(policy(value_weights={})).digest
    assert plain.digest != sf.read_policy(policy(value_weights={"area": {"coast": 2}})).digest
    again = sf.read_policy(sf.read_policy(policy(value_weights={"area": {"coast": "1/3"}})).as_dict())
    assert again.partition == sf.Sweep(value_weights={"area": {"coast": Fraction(1, 3)}})


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    frame().write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  area: {role: quasi, hierarchy: {tree: {coast: [a, b, c, d], hills: [e]}}}\n"
        "  age: {role: quasi, hierarchy: flat}\n  s: {role: sensitive}\nprivacy:\n  - {model: k-anonymity, k: 3}\n"
        "partition: {method: sweep, worth: occurring, value_weights: {area: {coast: 3}}}\n",
        encoding="utf-8",
    )
    data, given = str(tmp_path / "people.csv"), str(tmp_path / "p.yaml")
    cli.well("anonymize", data, "-p", given, "-o", str(tmp_path / "out"))
    cli.well("audit", str(tmp_path / "out"), "-p", given)
