"""What commands print as JSON is as their schemas say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.command import POLICY, Cli
from tests.support.json_schema import faults


def fits(document: Any, schema: dict[str, Any]) -> bool:
    return not list(faults(document, schema, schema))


def test_schemas(place: Path, cli: Cli) -> None:
    assert cli("schema").json["properties"]["columns"]
    assert cli("schema", "audit").json["properties"]["criteria"]
    assert cli("schema", "release").json["properties"]["dictionary"]
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--json")
    assert fits(done.json, cli("schema", "anonymize").json)
    assert fits(cli("init", "data.csv", "--json").json, cli("schema", "init").json)
    holder = ("--original", "data.csv", "--manifest", "out.internal.json", "--json")
    for command, key in (("measure", "measures"), ("attack", "attacks")):
        found = cli(command, "out", "-p", "policy.yaml", *holder)
        assert found.code == 0 and found.json[key], found
        assert fits(found.json, cli("schema", command).json)
        bare = cli(command, "out", "-p", "policy.yaml", "--json").json
        assert fits(bare, cli("schema", command).json)
        assert key == "measures" or all(each["lacks"] for each in bare[key])
    errors = cli("schema", "error").json
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    (place / "bad.yaml").write_text(POLICY.replace("k: 3", "k: 0"), encoding="utf-8")
    for name in ("greedy.yaml", "bad.yaml", "none.yaml"):
        assert fits(cli("anonymize", "data.csv", "-p", name, "-o", "new", "--json").json, errors)
    assert not fits({"error": "x", "exit_code": 2}, errors)
    assert not fits({"error": "x", "exit_code": 2, "message": "", "more": 1}, errors)
