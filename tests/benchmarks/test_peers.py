"""`python -m benchmarks.peers` without its peers: recounts by hand, broken promises found, tables and storing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from benchmarks.endtoend import Ran
from benchmarks.peers import inside, tables
from benchmarks.peers.contract import JOBS, OUTCOMES, Entry, Job, Shown, Way
from benchmarks.peers.environment import PACKAGES
from benchmarks.peers.recount import Found, cost, leaves_of, meaning, recounted
from benchmarks.peers.run import Adult, Limits, by_us, entry
from benchmarks.peers.ways import OURS, PEERS

JOB = Job("pairs", 2, 2, "illness", ("age", "town", "illness"))
GIVEN = pl.DataFrame(
    {
        "age": [1, 2, 3, 4, 5, 6],
        "town": ["a", "a", "b", "b", "c", "c"],
        "illness": ["flu", "cold", "flu", "cold", "flu", "flu"],
    }
)
WAY = Way("sfumato", "Mondrian", "hierarchies", {"partition": {"method": "mondrian"}})
ENDED = Ran(0, 1.24, 0.125, "")


@pytest.fixture
def adult(tmp_path: Path) -> Adult:
    """A small table that is treated as Adult is."""
    age, town, illness = (tmp_path / f"{name}.csv" for name in ("age", "town", "illness"))
    ages = [f"{year},{'1-3' if year < 4 else '4-6'},*" for year in range(1, 7)]
    age.write_text("\n".join(["level0,level1,level2", *ages]) + "\n")
    town.write_text("level0,level1,level2\na,north,*\nb,north,*\nc,c,*\n")
    illness.write_text("level0,level1\nflu,*\ncold,*\n")
    return Adult(GIVEN, {"age": age, "town": town, "illness": illness}, tmp_path)


def count(adult: Adult, ages: list[str], towns: list[str], illness: list[str] | None = None) -> Found:
    published = pl.DataFrame({"age": ages, "town": towns, "illness": illness or GIVEN["illness"].to_list()})
    return recounted(published, GIVEN, ("age", "town"), "illness", adult.trees)


@pytest.mark.parametrize(
    ("text", "lost"),
    [("4", 0), ("1-3", 2 / 5), ("2-5", 3 / 5), ("6,2", 1 / 5), ("{2, 3, 6}", 2 / 5), ("[2, 6]", 4 / 5), ("*", 1)],
)
def test_known_cells_lose_what_they_hide(adult: Adult, text: str, lost: float) -> None:
    assert cost(text, adult.trees["age"]) == pytest.approx(lost)


def test_labels_stand_for_their_leaves(adult: Adult) -> None:
    assert leaves_of(adult.hierarchies["town"])["north"] == {"a", "b"}
    assert meaning("c", adult.trees["town"]) == {"c"}
    for unknown in ("south", "a,d", "7-9", ""):
        with pytest.raises(ValueError, match="no value, label, set or interval"):
            meaning(unknown, adult.trees["town"])


def test_a_promise_that_is_kept_is_found_kept(adult: Adult) -> None:
    found = count(adult, ["1-3"] * 3 + ["4-6"] * 3, ["*"] * 6)
    assert (found.k, found.l, found.rows) == (3, 2, 6) and found.ncp == pytest.approx((2 / 5 + 1) / 2)
    assert JOB.kept(found.k, found.l) and not replace(JOB, k=4).kept(found.k, found.l)


def test_a_planted_violation_is_found(adult: Adult) -> None:
    alone = count(adult, ["1-3", "1-3", "1-3", "4-6", "4-6", "6"], ["*"] * 6)
    assert alone.k == 1 and not JOB.kept(alone.k, alone.l)
    alike = count(adult, ["1,2", "2,1", "3,4", "4,3", "5,6", "6,5"], ["*"] * 6)
    assert (alike.k, alike.l) == (2, 1) and not JOB.kept(alike.k, alike.l)  # the last two are all flu


def test_rows_that_are_missing_lose_all(adult: Adult) -> None:
    published = pl.DataFrame({"age": ["1", "2"], "town": ["a", "a"], "illness": ["flu", "cold"], "count": ["1", "1"]})
    assert recounted(published, GIVEN, ("age", "town"), "illness", adult.trees).ncp == pytest.approx(4 / 6)


def test_a_row_may_stand_for_several(adult: Adult) -> None:
    published = pl.DataFrame({"age": ["*", "*"], "town": ["c", "c"], "illness": ["flu", "cold"], "count": ["4", "2"]})
    assert recounted(published, GIVEN, ("age", "town"), "illness", adult.trees) == Found(6, 2, 0.5, 6)


def test_values_that_nobody_had_are_no_result(adult: Adult) -> None:
    with pytest.raises(ValueError, match="column 'illness': 1 values are published more often"):
        count(adult, ["*"] * 6, ["*"] * 6, ["cold"] * 3 + ["flu"] * 3)


def test_what_became_of_a_job(adult: Adult, tmp_path: Path) -> None:
    out, limits = tmp_path / "out.csv", Limits(10, 1.0)
    GIVEN.with_columns(age=pl.lit("*"), town=pl.lit("*")).write_csv(out)
    kept = entry(adult, WAY, JOB, "1", ENDED, out, limits)
    assert (kept.outcome, kept.k, kept.l, kept.ncp, kept.suppressed, kept.cpu) == ("kept", 6, 2, 1.0, 0, 1.2)
    GIVEN.with_columns(pl.all().cast(pl.String)).write_csv(out)
    assert entry(adult, WAY, JOB, "1", ENDED, out, limits).outcome == "broken"
    out.write_text("\n")
    assert entry(adult, WAY, JOB, "1", ENDED, out, limits).outcome == "failed"
    crashed = entry(adult, WAY, JOB, "1", Ran(1, 2.0, 0.5, "Traceback\nMemoryError: too much\n"), out, limits)
    assert (crashed.outcome, crashed.told) == ("failed", "MemoryError: too much")
    stopped = entry(adult, WAY, JOB, "1", Ran(-9, 10.0, 0.5, ""), out, limits)
    assert stopped.told == "stopped after 10 s of CPU"
    assert entry(adult, WAY, JOB, "1", Ran(-9, 1.0, 0.9, ""), out, limits).told == "exit code -9"


@pytest.mark.thorough
@pytest.mark.parametrize("shown", ["hierarchies", "sets"])
def test_our_own_release_is_recounted(adult: Adult, shown: Shown) -> None:
    way = replace(WAY, shown=shown)
    made = by_us(adult, way, JOB)
    assert made.outcome == "kept", made.told
    assert made.k is not None and made.k >= 2 and made.ncp is not None and 0 < made.ncp <= 1


def test_tables_have_the_least_loss_first_and_hide_no_failure() -> None:
    base = Entry("peer", "1", "Mondrian", "sets", "k = 5", "kept", 3.14, 0.5, 5, 1, 0.25, 1200)
    broken = replace(base, way="other", outcome="broken", k=3, ncp=0.01)
    failed = Entry("peer", "1", "MDAV", "sets", "k = 5", "failed", 1.0, None, told="MemoryError")
    better = replace(base, tool="ours", ncp=0.1, judged="k = 5")
    (head, lines) = tables.markdown([failed, broken, base, better])["peers as sets and exact intervals"]
    assert [line[1] for line in lines] == ["ours 1", "peer 1", "peer 1", "peer 1"]
    assert lines[0][3:] == ("0.1000", "1,200", "3.1", "0.50", "k = 5 (pycanon: k = 5)")
    assert lines[2][-1] == "**broken**: k = 3" and lines[3][-1] == "no result: MemoryError"
    assert all(len(line) == len(head) for line in lines)
    assert sum(table.row_count for table in tables.console([failed, broken, base])) == 3


def test_a_run_replaces_what_it_ran_again(tmp_path: Path) -> None:
    stored = tmp_path / "results.json"
    old = Entry("peer", "1", "Mondrian", "sets", "k = 5", "kept", 3.0, 0.5, 5, 1, 0.25, 0)
    other = replace(old, job="distinct 3")
    tables.save(tables.merged([other, old], [replace(old, ncp=0.2)]), stored)
    assert tables.load(stored) == [replace(old, ncp=0.2), other]
    assert tables.load(tmp_path / "none.json") == []


def test_every_way_is_one_that_can_be_asked() -> None:
    assert {way.tool for way in PEERS} <= inside.TOOLS.keys() <= PACKAGES.keys()
    assert all(name in JOBS for way in (*PEERS, *OURS) for name in way.jobs)
    assert {each.job for each in tables.stored()} <= JOBS.keys()
    assert {each.outcome for each in tables.stored()} <= set(OUTCOMES)
    assert "3.9.2" in json.loads(tables.ARX.read_text(encoding="utf-8"))["about"]
