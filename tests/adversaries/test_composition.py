"""Several releases together: by hand, against a slow reference that looks at every person and every row, and by the
command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.adversaries.composed import Composed
from sfumato.release.beside import beside, received_of
from sfumato.release.cells import covers
from sfumato.release.subject import Subject
from tests.release.test_fits import POLICY, people
from tests.support.command import Cli
from tests.support.examples import examples

QUASI: dict[str, Any] = {"role": "quasi", "hierarchy": "flat"}


def attacked(first: sf.Release, *others: Any, **settings: Any) -> sf.Exposure:
    found = sf.attack(first, other=others, only=[{"adversary": "composition", **settings}])["composition"]
    [exposure] = found.exposures
    return exposure


def test_two_releases_leave_what_both_of_somebodys_classes_hold() -> None:
    """By age {flu, gout, rash} and {flu, cold, mumps}, by town {flu, rash, cold} and {gout, flu, mumps}: all have two
    values in common, flu and their own, or flu and one that somebody alike has."""
    frame = pl.DataFrame(
        {
            "age": [1, 1, 1, 2, 2, 2],
            "town": ["x", "y", "x", "y", "x", "y"],
            "disease": ["flu", "gout", "rash", "flu", "cold", "mumps"],
        }
    )
    policies: list[dict[str, Any]] = [
        {
            "columns": {"age": age, "town": town, "disease": {"role": "sensitive"}},
            "privacy": [{"model": "distinct-l", "l": 3}],
            "partition": {"method": "lattice", "maximum": {name: 0}},
        }
        for age, town, name in (
            ({**QUASI, "type": "integer"}, QUASI, "age"),
            ({**QUASI, "type": "integer"}, QUASI, "town"),
        )
    ]
    one, two = (sf.publish(frame, policy=policy, seed=1) for policy in policies)
    assert {*one.table["town"]} == {"*"} and {*two.table["age"]} == {"*"}
    found = attacked(one, two)
    # age 1 and town x: {flu, gout, rash} and {flu, rash, cold}: flu or rash; 1 and y: {flu, gout, ...}: flu or gout;
    # 2 and x: {flu, cold, mumps} and {flu, rash, cold}: flu or cold; 2 and y: flu or mumps
    assert (found.people, found.exposed, found.details["exposed by one alone"]) == (6, 0, 0)
    assert found.details["fewer values than by any alone"] == 6
    assert attacked(one, two, least=3).exposed == 6
    # each has 1/3 for both, and flu occurs twice in six: over the totals 1/3 and 1/6, it is half as likely
    assert found.surest == pytest.approx(2 / 3) and found.details["surest by one alone"] == 0.333333
    assert found.right == pytest.approx(4 / 6)


def test_a_single_value_is_left() -> None:
    """Mondrian along one column and along the other: whoever fits {flu, gout} and {gout, rash} has gout."""
    frame = pl.DataFrame(
        {
            "age": [1, 1, 2, 2, 3, 3],
            "town": ["x", "y", "y", "z", "z", "x"],
            "disease": ["flu", "gout", "rash", "cold", "acne", "mumps"],
        }
    )
    kinds = ({**QUASI, "type": "integer"}, QUASI)
    policies = [
        {
            "columns": {"age": kinds[0], "town": kinds[1], "disease": {"role": "sensitive"}},
            "privacy": [{"model": "distinct-l", "l": 2}],
            "partition": {"method": "lattice", "maximum": {name: 0}},
        }
        for name in ("age", "town")
    ]
    one, two = (sf.publish(frame, policy=policy, seed=1) for policy in policies)
    found = attacked(one, two)
    assert (found.exposed, found.surest, found.right) == (6, 1.0, 1.0)
    assert found.details["exposed by one alone"] == 0 and found.details["surest by one alone"] == 0.5
    alone = sf.attack(one, only=["homogeneity"])["homogeneity"].exposures[0]
    assert alone.exposed == 0


def test_the_same_release_again_tells_nothing_more_of_what_is_possible() -> None:
    frame = people(3, 60)
    release = sf.publish(frame, policy=POLICY, seed=1)
    found = attacked(release, release)
    assert found.exposed == found.details["fewer values than by any alone"] == 0


def test_other_columns_dropped_rows_and_other_types_are_of_no_matter(tmp_path: Path) -> None:
    """The other table has a column more, one less and drops who has no town; ages are text there."""
    frame = people(4, 60)
    one = sf.publish(frame, policy=POLICY, seed=1)
    more = frame.drop("sex").with_columns(weight=pl.lit("heavy"), age=pl.col("age").cast(pl.String))
    shared = {name: POLICY["columns"][name] for name in ("age", "zip", "disease")}
    policy = {
        **POLICY,
        "columns": {**shared, "weight": {"role": "drop"}},
        "missing": "drop",
        "privacy": [{"model": "simple-l", "l": 3}],
    }
    sf.publish(more, policy=policy, seed=2).write(tmp_path / "other")
    found = attacked(one, (tmp_path / "other", policy))
    assert found.people == found.details["people in another release"] == 60 and found.details["contradicted"] == 0


def reference(releases: list[sf.Release], frame: pl.DataFrame, secret: str) -> list[dict[str, float]]:
    """Per person (row of the table) the values that the rows of every release leave, with their chances."""
    totals = Counter(frame[secret].to_list())
    left: list[dict[str, float]] = []
    for row in frame.cast(pl.String).to_dicts():
        chances: list[dict[str, float]] = []
        for release in releases:
            subject = Subject.of(release)
            table, specs = subject.seen.table.cast(pl.String).to_dicts(), subject.policy.columns
            trees = {name: subject.domain(name).taxonomy for name in subject.quasi}
            mine = [
                shown[secret]
                for shown in table
                if all(covers(shown[name], row[name], specs[name], trees[name]) for name in subject.quasi)
            ]
            chances.append({value: count / len(mine) for value, count in Counter(mine).items()})
        common = set.intersection(*(set(each) for each in chances))
        mass = {value: totals[value] / len(frame) for value in common}
        for each in chances:
            mass = {value: share * each[value] / (totals[value] / len(frame)) for value, share in mass.items()}
        left.append({value: share / sum(mass.values()) for value, share in mass.items()})
    return left


@settings(max_examples=examples(15))
@given(st.integers(0, 10**6), st.integers(10, 40), st.sampled_from(["lattice", "bsgi"]))
def test_what_is_left_is_what_looking_at_every_row_finds(seed: int, rows: int, method: str) -> None:
    frame = people(seed, rows)
    releases = [
        sf.publish(frame, policy={**POLICY, "partition": {"method": each}}, seed=1) for each in ("mondrian", method)
    ]
    subject = Subject.of(releases[0])
    assert subject.original is not None
    other = beside(received_of(releases[1], None), subject.original)
    composed = Composed.of([subject, other], "disease")
    wanted = reference(releases, frame, "disease")
    values = subject.domain("disease").values.to_list()
    found = Counter(
        tuple(
            sorted(
                (values[code], round(float(chance), 6))
                for code, chance in zip(
                    composed.together.values[start:stop], composed.together.chances[start:stop], strict=True
                )
            )
        )
        for start, stop, count in zip(
            composed.together.starts[:-1], composed.together.starts[1:], composed.counts, strict=True
        )
        for _ in range(count)
    )
    assert found == Counter(tuple(sorted((value, round(p, 6)) for value, p in each.items())) for each in wanted)
    pinned = sum(len(each) == 1 for each in wanted)
    exposure = attacked(*releases)
    assert exposure.exposed + exposure.details["exposed by one alone"] >= pinned >= exposure.exposed


def test_from_the_command_line(here: Path, cli: Cli) -> None:
    people(5, 40).write_csv("data.csv")
    for name, method in (("one", "mondrian"), ("two", "bsgi")):
        Path(f"{name}.json").write_text(json.dumps({**POLICY, "partition": {"method": method}}))
        assert cli("anonymize", "data.csv", "-p", f"{name}.json", "-o", name, "--seed", "1", "-q").code == 0
    told = ["--original", "data.csv", "--only", "composition", "--json"]
    found = cli("attack", "one", "-p", "one.json", "--other", "two", "--other-policy", "two.json", *told)
    assert found.code == 0
    [exposure] = json.loads(found.out)["attacks"][0]["exposures"]
    assert exposure["people"] == 40 and exposure["details"]["releases"] == 2 and exposure["exposed"] > 0
    alone = cli("attack", "one", "-p", "one.json", *told)
    assert json.loads(alone.out)["attacks"][0]["lacks"].startswith("another release")
    wrong = cli("attack", "one", "-p", "one.json", "--other", "two", *["--other-policy", "two.json"] * 2)
    assert wrong.code == 2 and "--other-policy is given 2 times" in wrong.err
