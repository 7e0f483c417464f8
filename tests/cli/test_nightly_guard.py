"""A job that runs by itself stops before a table that is not like last night's: exit 2, counts, nothing written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import polars as pl
import pytest

from tests.support.command import Cli

POLICY = """
columns:
  age: {role: quasi, type: integer}
  town: {role: quasi}
  disease: {role: sensitive}
  lab_*: {role: insensitive}
privacy: [{model: distinct-l, l: 2}]
"""


def table(rows: int = 100, **more: pl.Expr) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + row % 50 for row in range(rows)],
            "town": [("Rome", "Nice")[row % 2] for row in range(rows)],
            "disease": [("flu", "gout", "lupus")[row % 3] for row in range(rows)],
            "lab_a": ["1"] * rows,
        }
    ).with_columns(**more)


@pytest.fixture
def cli(cli: Cli, here: Path) -> Cli:
    Path("p.yaml").write_text(POLICY, encoding="utf-8")
    table().write_csv("data.csv")
    assert cli("anonymize", "data.csv", "-p", "p.yaml", "-o", "out", "-q").code == 0
    return cli


AGAIN = ("anonymize", "data.csv", "-p", "p.yaml", "-o", "out", "--force", "-q", "--like", "out.internal.json")


def test_a_table_like_last_night_s_goes_on(cli: Cli) -> None:
    table(95).with_columns(pl.col("age") + 40).write_csv("data.csv")
    assert cli(*AGAIN).code == 0, "a twentieth fewer rows, and other numbers"
    table(300).write_csv("data.csv")
    assert cli(*AGAIN).code == 0, "more rows"


@pytest.mark.parametrize(
    ("tonight", "told", "flags"),
    [
        (table(80), "80 rows, then 100: more than a share of 0.1 is missing", ("--fewer", "1/5")),
        (table(lab_secret=pl.lit("1")), "1 column new: 'lab_secret'", ()),
        (
            table(town=pl.when(pl.col("age") == 30).then(pl.lit("Atlantis")).otherwise(pl.col("town"))),
            "column 'town': 1 value that it did not have",
            ("--new", "town"),
        ),
        (
            table(disease=pl.when(pl.col("age") < 40).then(pl.lit("plague")).otherwise(pl.col("disease"))),
            "column 'disease': 1 value that it did not have",
            ("--new", "disease"),
        ),
    ],
)
def test_a_difference_is_an_error(cli: Cli, tonight: pl.DataFrame, told: str, flags: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in (*Path("out").iterdir(), Path("out.internal.json"))}
    tonight.write_csv("data.csv")
    refused = cli(*AGAIN)
    assert refused.code == 2 and told in refused.err, refused.err
    assert "Atlantis" not in refused.err and "plague" not in refused.err
    assert {path: path.read_bytes() for path in (*Path("out").iterdir(), Path("out.internal.json"))} == before
    assert cli(*AGAIN, "--json").json["exit_code"] == 2
    if flags:
        assert cli(*AGAIN, *flags).code == 0
    without = [each for each in AGAIN if each not in ("--like", "out.internal.json")]
    assert cli(*without).code == 0, "unless asked for it is none"


def test_a_column_gone_is_told(cli: Cli) -> None:
    table(lab_b=pl.lit("1")).write_csv("data.csv")
    assert cli(*AGAIN[:-2]).code == 0
    table().write_csv("data.csv")
    assert "1 column gone: 'lab_b'" in cli(*AGAIN).err


def test_wrong_use_is_told(cli: Cli) -> None:
    assert cli(*AGAIN[:-1], "nowhere.json").code == 2
    assert "no column of the data" in cli(*AGAIN, "--new", "twon").err
    assert "from 0 to 1" in cli(*AGAIN, "--fewer", "10").err
    for alone in (("--fewer", "0.2"), ("--new", "town")):
        told = cli(*AGAIN[:-2], *alone)
        assert told.code == 2 and "add --like MANIFEST" in told.err, "a guard that guards nothing is no guard"
    manifest = json.loads(Path("out.internal.json").read_text(encoding="utf-8"))
    del manifest["input"]["columns"]
    Path("old.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "does not say which columns" in cli(*AGAIN[:-1], "old.json").err


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_what_is_compared_is_the_holder_s(cli: Cli) -> None:
    manifest = Path("out.internal.json")
    assert stat.S_IMODE(manifest.stat().st_mode) == 0o600
    held = json.loads(manifest.read_text(encoding="utf-8"))
    assert held["categories"] == {"town": ["Nice", "Rome"], "disease": ["flu", "gout", "lupus"]}
    assert "categories" not in Path("out", "release.json").read_text(encoding="utf-8")
