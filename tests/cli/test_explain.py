"""`sfumato explain` and `sfumato audit --groups`."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import POLICY, Cli
from tests.support.json_schema import faults


def test_a_release_a_policy_and_a_group(place: Path, cli: Cli) -> None:
    cli.well("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    holder = ("--original", "data.csv", "--manifest", "out.internal.json")
    said = cli.well("explain", "out", "-p", "policy.yaml", *holder)
    assert said.out.startswith("Criterion met\n") and "zip (others may know it): made vaguer" in said.out
    assert "Was mit jeder Spalte geschah" in cli.well("explain", "out", "-p", "policy.yaml", "--language", "de").out
    assert cli("explain", "out", "-p", "policy.yaml", "--language", "la").code == 2
    (place / "greedy.yaml").write_text(POLICY.replace("k: 3", "k: 900").replace("l: 2", "l: 9"), encoding="utf-8")
    why = cli.well("explain", "data.csv", "-p", "greedy.yaml")
    assert why.out.startswith("Cannot be promised\n") and "What would work" in why.out
    fails = cli.well("explain", "out", "-p", "greedy.yaml", "--group", "1")
    assert "Group 1 of k-anonymity (k=900), the worst first" in fails.out and "more showed the same" in fails.out
    bare = cli.well("explain", str(place / "data.csv"), "-p", "policy.yaml", "--bare")
    assert bare.out.startswith("Criterion not met\n")
    assert not (place / "explain").exists()


def test_what_is_printed_as_json(place: Path, cli: Cli) -> None:
    cli.well("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    schema, facts = cli("schema", "explain").json, cli("schema", "facts").json
    for what in ("out", "data.csv"):
        said = cli.well("explain", what, "-p", "policy.yaml", "--json").json
        assert not [*faults(said, schema, schema)] and not [*faults(said["facts"], facts, facts)]
        assert said["about"] == ("release" if what == "out" else "policy")


def test_the_worst_groups_of_every_criterion(place: Path, cli: Cli) -> None:
    cli.well("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    said = cli.well("audit", "out", "-p", "policy.yaml", "--groups", "2")
    assert said.out.count("groups  rows") == 2
    audit = cli.well("audit", "out", "-p", "policy.yaml", "--groups", "2", "--json").json
    schema = cli("schema", "audit").json
    assert not [*faults(audit, schema, schema)]
    for criterion in audit["criteria"]:
        assert criterion["groups"][0]["level"] == criterion["level"]
    assert not cli.well("audit", "out", "-p", "policy.yaml", "--json").json["criteria"][0]["groups"]
