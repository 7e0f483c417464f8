"""Risk on the command line and from Python: options, JSON, a summary without values of the data."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from tests.support.command import Cli
from tests.support.json_schema import faults

ORIGINAL = ("--original", "data.csv", "--manifest", "out.internal.json")


@pytest.fixture
def out(place: Path, cli: Cli) -> Path:
    cli.well("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    register = pl.read_csv("data.csv", schema_overrides={"zip": pl.String}).select("zip", "age")
    pl.concat([register] * 3).with_columns(name=pl.lit("nobody")).write_csv("people.csv")
    return place


def test_options(out: Path, cli: Cli) -> None:
    asked = ("--only", "risk", "--population", "people.csv", "--threshold", "1/3", "--threshold", "<=0.09", "--json")
    found = cli.well("measure", "out", "-p", "policy.yaml", *ORIGINAL, *asked).json
    schema = cli("schema", "measure").json
    assert not [*faults(found, schema, schema)] and found["measures"] == []
    risk = found["risk"]
    above = risk["before"]["journalist"]["above"]
    assert [(each["threshold"], each["convention"], each["k"]) for each in above] == [
        *(("1/3", "below", 4), ("0.09", "at most", 12))
    ]
    assert above[0]["people"] == 60  # all different, and three of each in the register
    assert (risk["before"]["journalist"]["largest"], risk["register"], risk["population"]) == (1 / 3, "population", 180)
    assert risk["after"]["prosecutor"]["largest"] <= 1 / 3
    assert [each["column"] for each in risk["guesses"]] == ["disease"]


def test_summary_names_columns_and_no_values(out: Path, cli: Cli) -> None:
    shown = cli.well("measure", "out", "-p", "policy.yaml", *ORIGINAL, "--only", "risk").out
    data = pl.read_csv("data.csv", schema_overrides={"zip": pl.String})
    assert "before → after, of 60 people" in shown and "columns that make rows unique: " in shown
    assert "prosecutor: at most 1 (mean 1) → at most" in shown and "best guess of disease" in shown
    assert not [value for name in ("zip", "disease") for value in data[name].to_list() if value in shown]


def test_only_leaves_it_out(out: Path, cli: Cli) -> None:
    asked = cli.well("measure", "out", "-p", "policy.yaml", "--only", "discernibility", "--json").json
    assert asked["risk"] is None and len(asked["measures"]) == 1
    whole = cli.well("measure", "out", "-p", "policy.yaml", "--json").json
    assert whole["risk"]["before"] is None and whole["risk"]["lacks"] == "the original table"


def test_wrong_words(out: Path, cli: Cli) -> None:
    wrong = cli("measure", "out", "-p", "policy.yaml", "--threshold", "often")
    assert wrong.code == 2 and "threshold 'often': must be a number" in wrong.err
    wrong = cli("measure", "out", "-p", "policy.yaml", "--population", "none.csv")
    assert wrong.code == 2 and "none.csv: no such file" in wrong.err


def test_from_python(out: Path) -> None:
    release = sf.publish("data.csv", policy="policy.yaml", seed=1)
    found = sf.measure(release, only=["risk"], thresholds=0.09)
    assert isinstance(found.risk, sf.Reidentification) and found.risk.after is not None
    assert [each.k for each in found.risk.after.prosecutor.above] == [12]
    assert sf.measure(release, only=["discernibility"]).risk is None
    assert sf.measure(release, only=["discernibility"], thresholds="0.1").risk is not None
