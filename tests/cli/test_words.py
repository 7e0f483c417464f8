"""What commands say: flags that exist, remedies, each thing once, and on one screen."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.command import Cli

pytestmark = pytest.mark.usefixtures("here")


def test_a_hierarchy_is_checked_with_what_stands_for_missing(cli: Cli) -> None:
    Path("data.csv").write_text("edu\nB\nM\n?\n", encoding="utf-8")
    Path("edu.csv").write_text("B;high;*\nM;high;*\n", encoding="utf-8")
    check = ("hierarchy", "check", "edu.csv", "--data", "data.csv", "-c", "edu", "--no-header")
    assert "1 of 3 distinct values" in cli(*check).err
    assert "holds all 2 values" in cli(*check, "--missing", "?").out
    assert "holds all 1 values" in cli(*check, "--missing", "?", "--missing", "M").out
    built = ("hierarchy", "build", "data.csv", "-c", "edu", "--flat", "-o", "flat.csv", "--missing", "?")
    assert "2 values" in cli(*built).out


def test_init_and_hierarchy_name_flags_that_they_have(cli: Cli) -> None:
    Path("two.csv").write_text("a;b,c\n1;2,3\n", encoding="utf-8")
    Path("latin.csv").write_bytes("name\nJos\u00e9\n".encode("latin-1"))
    for path, flag in (("two.csv", "--delimiter"), ("latin.csv", "--encoding")):
        for command in (("init", path), ("hierarchy", "build", path, "-c", "a", "--flat", "-o", "x.csv")):
            refused = cli(*command)
            assert refused.code == 2 and flag in refused.err and "input" not in refused.err, refused.err
            assert flag in cli(*command[: 2 if command[0] == "hierarchy" else 1], "--help").out


def test_a_tab_gets_a_remedy(cli: Cli) -> None:
    Path("data.csv").write_text("a\n1\n", encoding="utf-8")
    for text in ("columns:\n\ta: {role: quasi}\n", "columns:\n  a:\n  \t role: quasi\n"):
        Path("p.yaml").write_text(text, encoding="utf-8")
        refused = cli("anonymize", "data.csv", "-p", "p.yaml", "-o", "out")
        assert refused.code == 2 and "indent with spaces" in refused.err, refused.err
    Path("p.yaml").write_text("columns: {a: {role: quasi}}\nprivacy: [{model: 'k-anonymity]\n", encoding="utf-8")
    assert "tab" not in cli("anonymize", "data.csv", "-p", "p.yaml", "-o", "out").err


def test_each_thing_is_said_once(cli: Cli) -> None:
    columns = {f"note{number}": ["x"] * 12 for number in range(35)}
    secrets = {"disease": ["flu", "gout", None] * 4, "income": ["low", "high"] * 6}
    pl.DataFrame({"age": ["1", "2"] * 6, **secrets, **columns}).write_csv("data.csv")
    Path("p.yaml").write_text(
        "columns:\n  age: {role: quasi}\n  disease: {role: sensitive}\n  income: {role: sensitive}\n"
        "  note*: {role: insensitive}\nform: {publish: permuted}\n"
        "privacy: [{model: distinct-l, l: 2, on: disease}]\n",
        encoding="utf-8",
    )
    done = cli("anonymize", "data.csv", "-p", "p.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert done.out.count("insensitive, and not in the release") == 1
    assert "35 columns 'note0', 'note1', " in done.out
    assert done.err.count("no promise speaks of the sensitive column 'income'") == 1
    warned = [line.removeprefix("warning: ") for line in done.err.splitlines()]
    told = [line.removeprefix("note: ") for line in done.out.splitlines()]
    assert len(warned) == 2 and not set(warned) & set(told)
    assert not [line for line in told if line.startswith("column 'disease': 4 missing value")]
    quiet = cli("anonymize", "data.csv", "-p", "p.yaml", "-o", "out", "--force", "--json")
    assert any("no promise speaks of" in note for note in quiet.json["release"]["notes"]), "a program gets all of it"


def test_methods_for_persons_fit_a_screen(cli: Cli) -> None:
    short = cli("methods", "--persons").out.splitlines()
    assert len(short) <= 24 and max(map(len, short)) <= 80
    whole = cli("methods", "--persons", "--all").out
    assert "form generalized" in whole and len(whole.splitlines()) > 60
    text = "\n".join(short)
    for cell in cli("methods", "--persons", "--json").json["matrix"]:
        assert cell["model"] in text and cell["method"] in text and cell["form"] in text
