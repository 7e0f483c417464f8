"""Publishing again about the same people: refused where both releases expose somebody, and noted where they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.document_bytes import read_manifest
from tests.adversaries.test_composition import reference
from tests.release.test_fits import POLICY, people
from tests.support.command import Cli
from tests.support.examples import examples

SIX = pl.DataFrame(
    {
        "age": [1, 1, 2, 2, 3, 3],
        "town": ["x", "y", "y", "z", "z", "x"],
        "disease": ["flu", "gout", "rash", "cold", "acne", "mumps"],
    }
)
TWO_LEFT = pl.DataFrame(
    {
        "age": [1, 1, 1, 2, 2, 2],
        "town": ["x", "y", "x", "y", "x", "y"],
        "disease": ["flu", "gout", "rash", "flu", "cold", "mumps"],
    }
)


def by(column: str, *promise: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A policy that shows one of two columns as it is, and nothing of the other."""
    return {
        "columns": {
            "age": {"role": "quasi", "type": "integer", "hierarchy": "flat"},
            "town": {"role": "quasi", "hierarchy": "flat"},
            "disease": {"role": "sensitive"},
        },
        "privacy": [*promise] or [{"model": "distinct-l", "l": 2}],
        "partition": {"method": "lattice", "maximum": {column: 0}},
        **more,
    }


def test_a_second_view_of_the_same_people_is_refused_with_a_count() -> None:
    """By age {flu, gout}, by town {flu, mumps} and so on: all six have one value in common."""
    first = sf.publish(SIX, policy=by("age"), seed=1)
    with pytest.raises(sf.Refused, match=r"'disease': people of whom all releases .*: 6\n") as caught:
        sf.publish(SIX, policy=by("town"), before=[first], seed=1)
    assert caught.value.exit_code == 2 and "flu" not in str(caught.value)


@pytest.mark.parametrize(
    ("promise", "kept"),
    [
        ({"model": "distinct-l", "l": 3}, False),
        ({"model": "distinct-l", "l": 2}, True),
        ({"model": "simple-l", "l": 3}, False),
        ({"model": "simple-l", "l": 2}, True),
        ({"model": "entropy-l", "l": 3}, False),
        ({"model": "pairwise-l", "l": 3}, False),
    ],
)
def test_the_promise_decides_how_much_may_be_left(promise: dict[str, Any], kept: bool) -> None:
    """Of three values in every class, two are left of everybody, one half each by either release."""
    first, second = by("age", promise), by("town", promise)
    if promise["model"] == "pairwise-l":  # which does not survive merging
        for policy in (first, second):
            policy["form"] = {"publish": "generalized", "group_id": True}
            policy["partition"]["refine"] = True
    before = sf.publish(TWO_LEFT, policy=first, seed=1)
    if kept:
        release = sf.publish(TWO_LEFT, policy=second, before=[before], seed=1)
        assert any("6 rows of this table may be in it; beside it nobody is exposed" in note for note in release.notes)
        return
    with pytest.raises(sf.Refused, match=r"people of whom all releases together .*: 6\n"):
        sf.publish(TWO_LEFT, policy=second, before=[before], seed=1)


def test_the_same_release_adds_nothing_and_is_recorded(tmp_path: Path, key: str) -> None:
    policy = by("age")
    first = sf.publish(SIX, policy=policy).write(tmp_path / "one")
    again = sf.publish(SIX, policy=policy, before=[tmp_path / "one"])
    assert again.notes[-1].endswith(
        "one (made from the same table): this release looks the same, and adds nothing to it"
    )
    written = again.write(tmp_path / "two")
    [entry] = read_manifest(written.manifest).before
    assert entry.release_sha256 == read_manifest(first.manifest).release_sha256
    assert (entry.input_sha256, entry.people) == (read_manifest(first.manifest).input.sha256, 6)
    assert written.manifest.stat().st_mode & 0o777 == 0o600
    assert "before" not in json.loads((tmp_path / "two" / "release.json").read_text())
    assert sf.audit(tmp_path / "two", policy, written.manifest).holds


GROWING: dict[str, Any] = {
    "columns": {
        "town": {"role": "quasi", "hierarchy": {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "distinct-l", "l": 2}],
    "partition": {"method": "lattice"},
}


@pytest.mark.parametrize(("new", "refused"), [(["dz"], 1), (["dz", "cw"], 0), (["az", "dz"], 2)])
def test_a_table_that_grew(new: list[str], refused: int) -> None:
    """One newcomer of a class has what is new in it; two of different values have either."""
    rows = ["ax", "by", "cx", "dy"]
    tables = [
        pl.DataFrame({"town": [row[0] for row in some], "disease": [row[1] for row in some]})
        for some in (rows, rows + new)
    ]
    before = sf.publish(tables[0], policy=GROWING, seed=1)
    if refused:
        with pytest.raises(sf.Refused, match=f"when earlier classes are taken out of theirs: {refused}"):
            sf.publish(tables[1], policy=GROWING, before=[before], seed=1)
    else:
        assert sf.publish(tables[1], policy=GROWING, before=[before], seed=1).notes


def test_people_who_are_nowhere_near_are_not_compared() -> None:
    before = sf.publish(SIX, policy=by("age"), seed=1)
    others = SIX.with_columns(age=pl.col("age") + 50)
    release = sf.publish(others, policy=by("age"), before=[before], seed=1)
    assert release.notes[-1].endswith("nobody of this table fits a row of it") and release.before[0].people == 0


def test_all_that_was_published_has_to_be_given(tmp_path: Path, key: str) -> None:
    promise = {"model": "distinct-l", "l": 2}
    sf.publish(TWO_LEFT, policy=by("age", promise)).write(tmp_path / "one")
    sf.publish(TWO_LEFT, policy=by("town", promise), before=[(tmp_path / "one", by("age", promise))]).write(
        tmp_path / "two"
    )
    third = by(
        "age", {"model": "distinct-l", "l": 1}, partition={"method": "lattice", "minimum": {"age": 1, "town": 1}}
    )
    before = [(tmp_path / "one", by("age", promise)), (tmp_path / "two.internal.json", by("town", promise))]
    with pytest.raises(sf.Refused, match="names 1 release published before it that you did not give"):
        sf.publish(TWO_LEFT, policy=third, before=before[1:])
    assert len(sf.publish(TWO_LEFT, policy=third, before=before).before) == 2


def test_what_cannot_be_measured_is_refused(tmp_path: Path) -> None:
    before = sf.publish(SIX, policy=by("age"), seed=1)
    columns = by("age")["columns"]
    fewer = {**by("age"), "columns": {**columns, "town": {"role": "drop"}}}
    fewer["partition"] = {"method": "lattice"}
    with pytest.raises(sf.Refused, match="cannot be measured: its quasi-identifier 'town' is no column"):
        sf.publish(SIX, policy=fewer, before=[before], seed=1)
    secret = {**by("age"), "columns": {**columns, "town": {"role": "sensitive"}}}
    secret["privacy"] = [{"model": "distinct-l", "l": 2, "on": name} for name in ("town", "disease")]
    secret["partition"] = {"method": "lattice"}
    with pytest.raises(sf.Refused, match="'town' is sensitive here, and was published there in another role"):
        sf.publish(SIX, policy=secret, before=[before], seed=1)
    first = sf.publish(SIX, policy=secret, seed=1)
    with pytest.raises(sf.Refused, match="'town' was sensitive there, and is published here in another role"):
        sf.publish(SIX, policy=by("age"), before=[first], seed=1)
    with pytest.raises(sf.InputError, match=r"has no release\.json"):
        sf.publish(SIX, policy=by("town"), before=[before.table], seed=1)


@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(10, 30), st.sampled_from(["lattice", "bsgi", "mondrian"]))
def test_nobody_is_left_with_one_value_in_what_is_published(seed: int, rows: int, method: str) -> None:
    """By looking at every person and every row: where it is published, both leave everybody two values or more."""
    frame = people(seed, rows)
    policy = {**POLICY, "privacy": [{"model": "distinct-l", "l": 2}], "partition": {"method": method}}
    before = sf.publish(frame, policy={**policy, "partition": {"method": "mondrian", "slack": 1}}, seed=1)
    alone = sf.publish(frame, policy=policy, seed=1)
    left = reference([before, alone], frame, "disease")
    exposed = sum(len(each) < 2 for each in left)
    if exposed:
        with pytest.raises(sf.Refused, match=rf"no release alone does: {exposed}\n"):
            sf.publish(frame, policy=policy, before=[before], seed=1)
        return
    try:
        assert sf.publish(frame, policy=policy, before=[before], seed=1).table.height == rows
    except sf.Refused as refused:  # whom none of this shows: what is left of a class when earlier ones are taken out
        [found] = sf.attack(alone, other=[before], only=["difference"])["difference"].exposures
        assert "when earlier classes are taken out" in str(refused) and found.exposed


@pytest.mark.parametrize("form", ["anatomized", "permuted"])
def test_groups_by_chance_are_laid_beside_each_other(form: str) -> None:
    """Everybody's group is known: who is left with one value of both of theirs is counted, one by one."""
    frame = people(7, 24).with_columns(age=pl.int_range(24, dtype=pl.Int64))
    policy = {
        **POLICY,
        "privacy": [{"model": "pairwise-l", "l": 2}],
        "partition": {"method": "anatomy"},
        "form": {"publish": form},
    }
    releases = [sf.publish(frame, policy=policy, seed=seed) for seed in (1, 2)]
    held: list[dict[int, set[str]]] = []
    for release in releases:
        quasi, secret = [*release.tables.values()] * (2 if len(release.tables) == 1 else 1)
        values = {group: {*part["disease"]} for (group,), part in secret.group_by("group")}
        held.append({int(row["age"]): values[row["group"]] for row in quasi.to_dicts()})
    exposed = sum(len(held[0][age] & held[1][age]) < 2 for age in range(24))
    assert exposed
    with pytest.raises(sf.Refused, match=rf"no release alone does: {exposed}\n"):
        sf.publish(frame, policy=policy, before=[releases[0]], seed=2)


def test_from_the_command_line_nothing_is_written(here: Path, cli: Cli) -> None:
    SIX.write_csv("data.csv")
    for column in ("age", "town"):
        Path(f"{column}.json").write_text(json.dumps(by(column)))
    assert cli("anonymize", "data.csv", "-p", "age.json", "-o", "one", "-q").code == 0
    both = ["--before", "one", "--before-policy", "age.json"]
    refused = cli("anonymize", "data.csv", "-p", "town.json", "-o", "two", *both)
    assert refused.code == 2 and "no release alone does: 6" in refused.err
    assert not Path("two").exists() and not Path("two.internal.json").exists()
    again = cli("anonymize", "data.csv", "-p", "age.json", "-o", "three", "--before", "one.internal.json")
    assert again.code == 0 and "looks the same" in again.out
    assert json.loads(Path("three.internal.json").read_text())["before"][0]["people"] == 6
    alone = cli("anonymize", "data.csv", "-p", "age.json", "-o", "four", "--before", "nowhere.internal.json")
    assert alone.code == 2 and "no release beside it" in alone.err
