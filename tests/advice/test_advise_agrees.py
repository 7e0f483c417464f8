"""What `advise` says of a policy is what `publish` does, and what it says of the table is true of every partition."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.cli.documents import ADVISE, ERROR
from tests.support.command import Cli
from tests.support.every_partition import a_partition_keeps_it, drawn, tried
from tests.support.examples import some

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")


def outcome(error: sf.SfumatoError | None) -> str:
    match error:
        case None:
            return "kept"
        case sf.Infeasible():
            return "infeasible"
        case sf.NoneFound():
            return "none found"
        case sf.AuditFailed():
            return "not confirmed"
    return "refused"


@pytest.mark.parametrize("seeds", some(range(at, at + 60) for at in range(2000, 2240, 60)), ids=str)
def test_random_policies(seeds: range) -> None:
    ends, tables = Counter[str](), Counter[bool | None]()
    for seed in seeds:
        frame, policy = drawn(Random(seed), 6)
        error = tried(frame, policy)
        if isinstance(error, sf.PolicyError):
            continue
        advice = sf.advise(frame, policy, seed=1)
        told = advice.policy
        assert told.outcome == outcome(error), (seed, policy, str(error), told)
        assert told.exit_code == (0 if error is None else error.exit_code)
        if isinstance(error, sf.NoneFound):
            assert (told.reason, told.nearest, told.instead) == (error.reason, error.nearest, error.instead)
        if advice.table.possible is not None:
            assert advice.table.possible == a_partition_keeps_it(frame, policy), (seed, policy, advice.table)
        ends[told.outcome] += 1
        tables[advice.table.possible] += 1
    assert min(ends[end] for end in ("kept", "infeasible", "none found", "refused")) > 1, ends
    assert min(tables[True], tables[False]) > 5 and tables[None] < tables.total() / 4, tables


HALF = [{"model": "tau-l", "tau": "1/2", "l": 2}]
TREE: dict[str, Any] = {"hierarchy": {"tree": {"ab": ["a", "b"], "cs": ["c"]}}}
FREQUENT = pl.DataFrame({"who": list("ppqrst"), "q": list("xxyyzz"), "s": list("aaaabc")})


def columns(who: str = "identifier", **secret: Any) -> dict[str, Any]:
    return {"who": {"role": who}, "q": {"role": "quasi"}, "s": {"role": "sensitive", **secret}}


def test_what_sweep_delivers_by_generalizing_values_is_possible() -> None:
    policy = {"columns": columns(**TREE), "privacy": HALF, "partition": {"method": "sweep"}}
    advice = sf.advise(FREQUENT, policy)
    assert (advice.table.possible, advice.policy.outcome) == (True, "kept")
    plain = sf.advise(FREQUENT, {**policy, "partition": {"method": "mondrian"}})
    assert (plain.table.possible, plain.policy.outcome) == (True, "none found")
    assert plain.policy.instead == {"partition": {"method": "sweep"}}
    assert "this policy keeps it with partition: {method: sweep}" in plain.summary()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"form": {"publish": "permuted"}, "privacy": [{"model": "k-anonymity", "k": 2}]}, "k-anonymity"),
        ({"partition": {"method": "anatomy"}, "privacy": [{"model": "t-closeness", "t": "1/2"}]}, "t-closeness"),
        ({"columns": columns("individual")}, "persons"),
    ],
)
def test_what_method_form_or_persons_refuse_is_said(change: dict[str, Any], words: str) -> None:
    policy = {"columns": columns(), "privacy": [{"model": "distinct-l", "l": 2}], **change}
    advice = sf.advise(FREQUENT, policy)
    assert (advice.policy.outcome, advice.policy.exit_code) == ("refused", 2)
    assert words in advice.policy.reason
    assert advice.table.possible is (None if words == "persons" else True)
    known = "shown neither to be possible" if words == "persons" else "possible on this table, by some method"
    assert known in advice.summary() and "this policy, with its method and form: refused" in advice.summary()


@pytest.mark.parametrize(
    ("method", "privacy", "code"),
    [
        ("sweep", HALF, 0),
        ("mondrian", HALF, 5),
        ("mondrian", [{"model": "simple-l", "l": 2}], 3),
        ("anatomy", [{"model": "t-closeness", "t": "1/2"}], 2),
    ],
)
def test_the_command_ends_as_anonymize_does(
    tmp_path: Path, cli: Cli, method: str, privacy: list[Any], code: int
) -> None:
    FREQUENT.write_csv(tmp_path / "data.csv")
    policy = {"columns": columns(**TREE), "privacy": privacy, "partition": {"method": method}}
    (tmp_path / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    given = [str(tmp_path / "data.csv"), "-p", str(tmp_path / "policy.json")]
    codes = []
    for command in (["advise", *given, "--json"], ["anonymize", *given, "-o", str(tmp_path / "out"), "--json"]):
        done = cli(*command)
        codes.append(done.code)
        told = done.json
        if command[0] == "advise":
            assert told["policy"]["exit_code"] == code
            assert set(told) == set(ADVISE["required"])
            for part in ("table", "policy"):
                assert set(told[part]) == set(ADVISE["properties"][part]["required"])
        elif code:
            assert told["exit_code"] == code and set(told) <= set(ERROR["properties"])
            assert told.get("instead") == ({"partition": {"method": "sweep"}} if code == 5 else None)
    assert codes == [code, code]
