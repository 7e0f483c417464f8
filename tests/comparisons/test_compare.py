"""Methods side by side: what each way finds is what it finds alone, in any order, after a stop, and with reasons."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.comparisons.compared import Compared, Tried
from sfumato.comparisons.kept import KeptFigures
from sfumato.comparisons.trying import tried
from sfumato.comparisons.ways import ways
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people

FEW = ["mondrian", "lattice"]


@pytest.fixture
def frame() -> pl.DataFrame:
    return people(11, 90)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_ways_are_those_that_were_asked_for() -> None:
    policy = sf.read_policy(policy_of("generalized"))
    assert [way.label for way in ways(policy, FEW)] == FEW
    assert len(ways(policy)) >= 11
    assert [way.label for way in ways(policy, ["mondrian"], ["generalized", "anatomized"], {"l": [2, 3]})] == [
        *(f"mondrian, generalized, l={level}" for level in (2, 3)),
        *(f"mondrian, anatomized, l={level}" for level in (2, 3)),
    ]
    for wrong, said in (({"z": [1]}, "cannot be tried"), ({"tau": [1]}, "no promise of the policy has 'tau'")):
        with pytest.raises(sf.InputError, match=said):
            ways(policy, levels=wrong)
    with pytest.raises(sf.InputError, match="no such method: 'magic'"):
        ways(policy, ["magic"])


def test_a_level_that_no_promise_has_is_an_error_before_anything_is_tried(frame: pl.DataFrame) -> None:
    with pytest.raises(sf.PolicyError, match="privacy"):
        sf.compare(frame, policy_of("generalized"), methods=FEW, levels={"l": ["a"]})


def test_one_way_in_figures(frame: pl.DataFrame) -> None:
    policy = sf.read_policy(policy_of("generalized"))
    [way] = ways(policy, ["mondrian"])
    found = tried(frame, policy, way)
    release = sf.publish(frame, policy=policy)
    assert found.kept and found.loss == release.loss == found.overall
    assert found.suppressed == 0 and found.groups and found.seconds and found.memory
    assert found.matches is not None and 0 < found.matches <= 0.5 and found.surest == pytest.approx(0.5)


def test_reasons_of_ways_that_make_nothing(frame: pl.DataFrame) -> None:
    policy = sf.read_policy({**policy_of("generalized"), "privacy": [{"model": "distinct-l", "l": 9}]})
    [way] = ways(policy, ["mondrian"])
    found = tried(frame, policy, way)
    assert found.outcome == "infeasible" and "9" in found.reason
    [way] = ways(
        sf.read_policy({**policy_of("generalized"), "privacy": [{"model": "k-anonymity", "k": 2}]}), ["anatomy"]
    )
    assert tried(frame, policy, way).outcome == "refused"


def test_compared_in_processes_and_resumed(frame: pl.DataFrame, cache: Path) -> None:
    policy = policy_of("generalized")
    seen: list[tuple[str, int, int]] = []

    def stop(stage: str, done: int, total: int) -> None:
        seen.append((stage, done, total))
        if done == 1:
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled):
        sf.compare(frame, policy, methods=FEW, workers=1, progress=stop)
    [left] = [*cache.rglob("*.json")]
    assert left.stat().st_mode & 0o777 == 0o600
    found = sf.compare(frame, policy, methods=FEW, workers=1)
    assert [way.label for way in found.ways] == FEW and all(way.kept for way in found.ways)
    assert found.ways[0] == Tried(**json.loads(json.dumps(found.ways[0].__dict__)))
    assert not [*cache.rglob("*.json")]
    assert found.bound is None or found.bound <= min(way.loss or 1 for way in found.ways)
    assert "mondrian" in found.summary()


def test_figures_stay_in_a_folder_of_ones_own(frame: pl.DataFrame, cache: Path, tmp_path: Path) -> None:
    sf.compare(frame, policy_of("generalized"), methods=["mondrian"], keep=True, folder=tmp_path / "own")
    assert len([*(tmp_path / "own").rglob("*.json")]) == 1 and not [*cache.rglob("*.json")]


def test_own_method_and_form_keep_their_settings() -> None:
    document = {**policy_of("generalized"), "form": {"publish": "generalized", "group_id": True}}
    document["partition"] = {"method": "mondrian", "slack": 1}
    own, other = ways(sf.read_policy(document), ["mondrian"], ["generalized", "anatomized"])
    assert own.form["group_id"] is True and own.partition["slack"] == other.partition["slack"] == 1
    assert other.form == {"publish": "anatomized"}


def way(label: str, overall: float, matches: float, **changes: Any) -> Tried:
    return Tried(label, "kept", loss=overall, overall=overall, matches=matches, **changes)


def test_what_nothing_beats() -> None:
    found = Compared("ncp", 9, (way("a", 0.1, 0.5), way("b", 0.2, 0.4), way("c", 0.2, 0.5), way("d", 0.1, 0.5)))
    assert [each.label for each in found.best()] == ["a", "b", "d"]
    assert [each["unbeaten"] for each in found.to_dict()["ways"]] == [True, True, False, True]
    assert "a *" in found.summary() and "c *" not in found.summary()


def test_a_page_of_it() -> None:
    ways = (way("a", 0.1, 0.5), Tried("<b>", "refused", "because of <i>"))
    page = Compared("ncp", 9, ways, 0.05).html("de")
    parser = HTMLParser()
    parser.feed(page)
    assert "<i>" not in page and "<script" not in page and "Verfahren nebeneinander" in page
    assert "<table" in Compared("ncp", 9, ways)._repr_html_()


def test_figures_that_cannot_be_read_are_found_again(tmp_path: Path) -> None:
    store = KeptFigures(tmp_path)
    store.keep("x", way("a", 0.1, 0.5))
    assert store.find("x") == way("a", 0.1, 0.5)
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    assert store.find("x") is None and store.find("y") is None
