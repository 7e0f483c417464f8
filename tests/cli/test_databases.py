"""The command line with tables of databases, from a look at the data to the report; and what it says of passwords."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.command import Cli, files
from tests.support.databases import POLICY, Place, fill
from tests.support.postgres import PASSWORD


def test_every_command_takes_a_table_of_a_database(database: Place, cli: Cli, here: Path) -> None:
    """And nothing that it prints or writes holds the password of the address."""
    people, shown = fill(database), database.address("shown")
    said = [cli.well("init", people, "-o", "suggested.yaml")]
    (here / "p.json").write_text(json.dumps(POLICY), encoding="utf-8")
    said.append(cli.well("advise", people, "-p", "p.json"))
    said.append(cli.well("anonymize", people, "-p", "p.json", "-o", shown))
    assert "table=" in said[-1].out and "shown_release" in said[-1].out
    manifest = next(here.glob("*.internal.json"))
    said.append(cli.well("audit", shown, "-p", "p.json", "--manifest", str(manifest), "--original", people))
    said.append(cli.well("measure", shown, "-p", "p.json", "--original", people, "--only", "ncp"))
    said.append(cli.well("report", shown, "-p", "p.json", "--original", people, "-o", "report.html"))
    again = cli("anonymize", people, "-p", "p.json", "-o", shown, "--before", shown)
    assert again.code == 2 and "exists; nothing was changed" in again.err
    said += [again, cli.well("anonymize", people, "-p", "p.json", "-o", shown, "--force", "--json")]
    told = "".join(done.out + done.err for done in said)
    told += "".join(text.decode("utf-8", "replace") for name, text in files(here).items() if not name.endswith(".db"))
    told += database.rows("SELECT document FROM shown_release")[0][0]
    for secret in (PASSWORD, quote(PASSWORD, safe="")):
        assert secret not in told
    if database.kind == "postgresql":
        assert "warning: a password on the command line is seen by other users" in said[0].err


def test_a_policy_is_named_by_its_table(here: Path, database: Place, cli: Cli) -> None:
    fill(database)
    cli.well("init", database.address("people"))
    (made,) = here.glob("*.yaml")
    assert made.name.endswith("people.yaml")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("mysql://ann:hush@h/db?table=t", "mysql: is no kind of database that is known here"),
        ("postgresql://ann:hu@sh@h/db?table=t", "an address must be postgresql://"),
        ("sqlite:nowhere/a.db?table=t", "nothing can be written there"),
        ("clinic.db", r"sqlite:clinic.db?table=NAME"),
    ],
)
def test_a_target_that_cannot_be_is_told(here: Path, cli: Cli, address: str, words: str) -> None:
    (here / "p.json").write_text(json.dumps(POLICY), encoding="utf-8")
    done = cli("anonymize", "people.csv", "-p", "p.json", "-o", address)
    assert done.code == 2
    assert words in done.err
    assert "hush" not in done.err.replace("hu@sh", "hush")
    assert [*files(here)] == ["p.json"]
