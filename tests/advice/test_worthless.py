"""A release that says next to nothing is said to, first and with what helps; one that says something is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.advice import worthless as worthless_module
from sfumato.advice.worthless import MOST_ROWS, NEAR_ALL, worthless
from sfumato.measures.lost import ColumnLoss, Losses
from tests.support.desk import Desk, grammatical

COLUMNS: dict[str, Any] = {
    "sex": {"role": "quasi", "type": "text", "hierarchy": "flat"},
    "town": {"role": "quasi", "type": "text", "hierarchy": "flat"},
    "disease": {"role": "sensitive", "type": "text"},
}


def table() -> pl.DataFrame:
    """All women but few have flu, so that sex cannot be told under simple-l; towns are all alike."""
    rows = [("F", "flu")] * 9 + [("F", "gout")] * 3 + [("M", each) for each in ("gout", "gout", "ulcer", "lupus")] * 3
    towns = ("ash", "elm", "oak")
    cells = [{"sex": sex, "town": towns[at % 3], "disease": disease} for at, (sex, disease) in enumerate(rows)]
    return pl.DataFrame(cells)


def policy(method: dict[str, Any], promise: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "columns": COLUMNS,
        "privacy": [promise or {"model": "simple-l", "l": 2}],
        "partition": method,
        "loss": {"metric": "ncp"},
        **more,
    }


WHOLE = {"method": "arp", "initial_only": True, "split_merged": False}


def test_every_cell_blank_is_named_with_another_method_that_was_run() -> None:
    release = sf.publish(table(), policy=policy(WHOLE), seed=1)
    assert set(release.table["sex"]) == set(release.table["town"]) == {"*"}
    assert release.loss == 1 and release.worthless[0] == "nearly everything is lost: 1.0000 of 1"
    assert [said.partition(" says ")[0] for said in release.worthless[1:]] == ["column 'sex'", "column 'town'"]
    assert all(said.endswith("nothing in 24 of 24 rows (100%)") for said in release.worthless[1:])
    (better,) = [remedy for remedy in release.remedies if remedy.startswith("another method")]
    assert better.startswith("another method: partition: {method: mondrian} loses")
    told = sf.publish(table(), policy=policy({"method": "mondrian"}), seed=1)
    assert f"{told.loss:.4f}" in better and told.loss < release.loss, "what is offered holds"
    lines = release.summary().splitlines()
    assert lines[0].startswith("LITTLE IS LEFT") and "24 rows published" not in lines[0]
    assert lines.index("what would help:") < lines.index("24 rows published, 0 suppressed, 0 dropped as missing")
    facts = release.facts()
    assert next(iter(facts)) == "worthless" and facts["worthless"] == list(release.worthless)


def test_auto_has_nothing_to_offer_but_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = {"suppression": {"limit": 0}, "privacy": [{"model": "k-anonymity", "k": 24}]}
    tried: list[Any] = []
    monkeypatch.setattr(worthless_module, "_tried", lambda policy, other, run: tried.append(other))
    for budget in ("normal", "thorough", "quick"):
        release = sf.publish(table(), policy={**policy({"method": "auto", "budget": budget}), **blank}, seed=1)
        assert release.worthless and not tried
    release = sf.publish(table(), policy={**policy({"method": "mondrian"}), **blank}, seed=1)
    assert release.worthless and tried == [{"method": "auto", "budget": "quick"}]


@pytest.mark.parametrize(("loses", "named"), [((0.5, 0.1), "mondrian"), ((0.95, 0.1), "auto"), ((None, 0.1), "auto")])
def test_what_promises_more_is_tried_where_the_first_does_not_help(
    monkeypatch: pytest.MonkeyPatch, loses: tuple[float | None, float], named: str
) -> None:
    told = dict(zip(("mondrian", "auto"), loses, strict=True))

    def tried(policy: Any, other: Any, run: Any) -> Losses | None:
        value = told[other["method"]]
        return None if value is None else Losses(value, 24, {}, {})

    monkeypatch.setattr(worthless_module, "_tried", tried)
    release = sf.publish(table(), policy=policy(WHOLE), seed=1)
    (better,) = [remedy for remedy in release.remedies if remedy.startswith("another method")]
    assert f"{{method: {named}" in better and f"loses {told[named]:.4f} here" in better


def test_a_column_without_levels_between_is_told_to_have_some() -> None:
    frame = table().with_columns(town=pl.format("town {}", pl.int_range(24)))
    one = policy({"method": "mondrian"}, {"model": "k-anonymity", "k": 13})
    release = sf.publish(frame, policy=one, seed=1)
    assert any("column 'town' has nothing between its 24 values" in remedy for remedy in release.remedies)
    assert any("the 2 of them have 24 combinations in 24 rows" in remedy for remedy in release.remedies)


def test_one_level_for_all_rows_is_told_to_suppress() -> None:
    frame = pl.concat([table(), pl.DataFrame([{"sex": "F", "town": "rare", "disease": "flu"}])])
    release = sf.publish(frame, policy=policy({"method": "lattice"}, {"model": "k-anonymity", "k": 2}), seed=1)
    assert "column 'town' says nothing" in release.worthless[0]
    assert any("raise suppression.limit, now 0" in remedy for remedy in release.remedies)
    more = policy({"method": "lattice"}, {"model": "k-anonymity", "k": 2}, suppression={"limit": "0.05"})
    assert not sf.publish(frame, policy=more, seed=1).worthless, "and that helps"


def test_a_good_release_says_nothing_of_it() -> None:
    release = sf.publish(table(), policy=policy({"method": "mondrian"}, {"model": "k-anonymity", "k": 3}), seed=1)
    assert release.loss < 0.5 and release.worthless == release.remedies == ()
    assert release.summary().splitlines()[0] == "24 rows published, 0 suppressed, 0 dropped as missing"


@pytest.mark.parametrize("form", ["anatomized", "permuted", "sliced"])
def test_exact_quasi_identifiers_tell_what_is_lost_instead(form: str) -> None:
    release = sf.publish(table(), policy=policy({"method": "anatomy"}, form={"publish": form}), seed=1)
    told = release.summary()
    assert release.lost is not None and release.lost.exact and 0 < (release.lost.correspondence or 0) <= 1 / 2
    assert f"correspondence loss (GLP): {release.lost.correspondence:.4f} of 1" in told
    assert "0.0000" not in told and "loss (ncp)" not in told and not release.worthless


def test_rings_tell_both() -> None:
    release = sf.publish(table(), policy=policy({"method": "bsgi-free"}, form={"publish": "ring"}), seed=1)
    assert "correspondence loss (GLP)" in release.summary() and "loss (ncp)" in release.summary()


def test_thresholds() -> None:
    def lost(value: float, nothing: int, values: int = 2, glp: float | None = None) -> Losses:
        return Losses(value, 100, {"q": ColumnLoss(value, nothing, values)}, {}, correspondence=glp)

    half = int(MOST_ROWS * 100)
    assert not worthless(lost(NEAR_ALL - 0.001, half))
    assert len(worthless(lost(0, half + 1))) == len(worthless(lost(NEAR_ALL, half))) == 1
    assert not worthless(lost(0, 100, values=1)), "a column of one value has nothing to lose"
    assert len(worthless(lost(0, 0, glp=NEAR_ALL))) == 1


def test_the_command_says_it_first_and_the_manifest_keeps_it(desk: Desk) -> None:
    table().write_csv(desk.place / "people.csv")
    desk.write("p.json", json.dumps(policy(WHOLE)))
    done = desk("anonymize", "people.csv", "-p", "p.json", "-o", "out")
    assert done.code == 0 and done.out.startswith("LITTLE IS LEFT") and grammatical(done.out)
    assert "  sex   1.0000  says nothing in 100% of rows" in done.out.splitlines()
    assert json.loads(desk.read("out.internal.json"))["loss"]["worthless"][0].startswith("nearly everything")
    for flag in ("--quiet", "--json"):
        again = desk("anonymize", "people.csv", "-p", "p.json", "-o", "out", "--force", flag)
        assert again.code == 0 and "warning: nearly everything is lost" in again.err
    assert again.json["release"]["loss"]["columns"]["town"] == {"loss": 1.0, "says_nothing": 24}


def test_nothing_of_it_is_public(tmp_path: Path) -> None:
    sf.publish(table(), policy=policy(WHOLE), seed=1).write(tmp_path / "out")
    assert "worthless" not in (tmp_path / "out" / "release.json").read_text(encoding="utf-8")
