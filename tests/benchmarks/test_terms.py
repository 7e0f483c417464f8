"""`python -m benchmarks.terms`: what it measures, prints and stores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import terms
from benchmarks.terms import PROMISES, Searched, Whole, searched, whole
from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients


def test_the_paper_s_search_is_never_cheaper() -> None:
    knowledge = synthetic_knowledge(terms.SEED)
    groups = [synthetic_patients(knowledge, 5, 9, seed) for seed in range(3)]
    for name in PROMISES:
        found = searched(knowledge, groups, name)
        assert (found.groups, found.proven) == (3, 3)
        assert 0 < found.median_ms <= found.worst_ms
        assert [paper.times for paper in found.paper] == [1, 10, 100, 1000]
        for paper in found.paper:
            assert (paper.cost is None) is (paper.found == 0)
            assert paper.cost is None or (paper.ours is not None and paper.cost >= paper.ours)
        counts = [paper.found for paper in found.paper]
        assert counts == sorted(counts)


def test_a_whole_table_is_published_and_measured(tmp_path: Path) -> None:
    small = synthetic_knowledge(terms.SEED, labels=200, per_label=20, occurrences=40)
    found = whole(60, tmp_path, small)
    assert found.rows == 60 and 1 <= found.groups <= 12
    assert found.proven == f"suppressed in {found.groups} of {found.groups} groups, proven cheapest in {found.groups}"
    assert found.suppressed_terms > 0 and found.seconds > 0
    assert (tmp_path / "out" / "table.csv").is_file()


def test_prints_and_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(terms, "STORED", tmp_path / "terms.json")
    monkeypatch.setattr(terms, "TIMES", (1,))
    table = Whole(7, 2, 1, "suppressed in 1 of 2 groups", 1.5, 1.4, 90)
    monkeypatch.setattr(terms, "_apart", lambda rows: table)
    assert terms.main(["--groups", "1", "--whole", "--save"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in PROMISES) and "7 rows in 2 groups" in printed
    assert terms.main(["--groups", "1", "--save"]) == 0, "and the whole table stays stored"
    kept = json.loads((tmp_path / "terms.json").read_text(encoding="utf-8"))
    assert [each["promise"] for each in kept["groups"]] == list(PROMISES)
    assert kept["whole"]["peak_mb"] == 90


def test_what_is_stored_meets_its_target() -> None:
    """At most 10 ms per group, all proven; 100,000 rows in minutes."""
    kept: dict[str, Any] = json.loads(terms.STORED.read_text(encoding="utf-8"))
    for each in kept["groups"]:
        assert each.keys() == Searched.__dataclass_fields__.keys()
        assert each["proven"] == each["groups"] >= 100
        assert each["median_ms"] <= 10
        assert all(paper["cost"] is None or paper["cost"] >= paper["ours"] for paper in each["paper"])
    assert kept["whole"]["rows"] == 100_000
    assert kept["whole"]["seconds"] < 600
