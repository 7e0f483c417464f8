"""Paper 000 on a small table: ranges, the best of other algorithms, and what is measured of all."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from experiments.contract import Found, Row
from experiments.paper000 import compared, examples, grids, learnt, narrow, ranges, reasons, times, violations
from experiments.paper000.data import Candidate, People, caps_of, flat
from sfumato.policy.methods import Hilbert
from sfumato.policy.promises import SimpleL

ROWS = 60


@pytest.fixture(scope="module")
def people() -> People:
    chance = np.random.default_rng(2)
    columns = {name: chance.choice(["x", "y", "z"], ROWS) for name in ("p", "q")}
    return flat(pl.DataFrame({**columns, "s": ["a", "b", "c", "d"] * (ROWS // 4)}), "s", 3)


def test_eligible_ranges_by_hand() -> None:
    values = {"t": pl.Series(["a"] * 5 + ["b"] * 3 + ["c"] * 2)}
    (row,) = ranges.measure(values, {"table": "t"})
    assert row == {"rows": 10, "values": 3, "largest_l": 2, "least_c": 2}  # 5 < c·5 needs c above 1


def test_excess_is_the_least_of_groups_that_keep_it() -> None:
    kept = Candidate(Hilbert(), SimpleL(2), "", np.array([[2, 1, 1], [1, 1, 1]]))
    caps = caps_of(Fraction(1, 2), 3)
    assert kept.excess(caps) == pytest.approx(0)  # ψ is 1/2, 3/4, and so is F of the first
    broken = Candidate(Hilbert(), SimpleL(2), "", np.array([[3, 1, 1]]))
    assert broken.excess(caps) is None


def test_the_best_of_all_parameters_is_taken(people: People) -> None:
    assert [each.words for each in people.hilbert] == ["l = 2", "l = 3", "l = 4"]
    caps = caps_of(Fraction(1, 2), 3)
    best = people.best("1DLD", caps)
    assert best is not None and best.words == "l = 3"  # F(2) is 2/3, at most 3/4; with l = 4 it is 1/2
    assert people.hilbert[0].excess(caps) is None  # with l = 2 it is 1
    assert people.best("1DLD", caps_of(Fraction(1, 5), 5)) is None


@pytest.mark.parametrize("method", compared.METHODS)
def test_every_method_is_measured(people: People, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "QUERIES", 20)
    rows = compared.measure({"Nursery": people}, {"data": "Nursery", "method": method, "tau": 0.5, "l": 2})
    assert [row["dims"] for row in rows] == ([0, 1, 2, 3] if rows[0]["excess"] is not None else [0])
    if method != "CLD":
        utility, excess = rows[0]["utility"], rows[0]["excess"]
        assert isinstance(utility, float) and 0 < utility <= 1 and isinstance(excess, float) and excess >= 0


def test_what_cannot_be_kept_has_no_figures(people: People) -> None:
    (row,) = compared.measure({"Nursery": people}, {"data": "Nursery", "method": "1DLD", "tau": 0.2, "l": 5})
    assert row["with"] == "none" and row["utility"] is None


def test_violations_are_counted(people: People) -> None:
    rows = violations.violations({"Nursery": people}, {"data": "Nursery", "method": "1DLD"})
    assert [row["k"] for row in rows] == [1, 2, 3]
    assert [row["above"] for row in rows] == [0, 0, 0]  # four of four different values: 1/4, 1/2, 3/4
    asked = violations.violations({"Nursery": people}, {"data": "Nursery", "method": "ψ(k), asked for"})
    assert [row["most"] for row in asked] == [0.45, 0.633333, 0.816667]


def test_sweep_where_one_value_fills_more_than_half(people: People) -> None:
    secret = pl.Series("s", ["a"] * (ROWS - 12) + ["b"] * 12)
    skewed = flat(people.frame.with_columns(secret), "s", 2)
    (row,) = narrow.measure({"t": skewed}, {"table": "t", "tau": 0.5})
    assert row["largest_l"] == 1 and isinstance(row["utility"], float) and 0 < row["utility"] < 1


def test_rules_are_those_that_are_mined(people: People) -> None:
    plain = people.frame.with_columns(s=pl.col("p"))  # one column tells the other
    found = learnt.mined_rules({"Nursery": flat(plain, "s", 2)}, {"data": "Nursery"})
    assert found[0]["shortest"] == 0  # none covers a hundred rows
    many = pl.concat([plain] * 40)
    (row,) = learnt.mined_rules({"Nursery": flat(many, "s", 2)}, {"data": "Nursery"})
    assert row["shortest"] == 3 and row["all"] == 3 + 9 and row["accuracy"] == 1  # p tells s, q tells nothing
    most = plain["p"].value_counts(sort=True)["count"].to_list()[0]
    assert row["covers"] == 40 * most


def test_rules_that_still_lead_to_their_value_are_preserved(people: People) -> None:
    plain = pl.concat([people.frame.with_columns(s=pl.col("p"))] * 10)
    asked: Row = {"data": "Nursery", "method": "1DLD", "tau": 0.9, "l": 2}
    (row,) = learnt.preserved({"Nursery": flat(plain, "s", 2)}, asked)
    kept, every = row["shortest"], row["all"]
    assert isinstance(kept, int) and isinstance(every, int) and 0 <= kept <= 3 and kept <= every <= 12
    (none,) = learnt.preserved({"Nursery": flat(plain, "s", 2)}, {**asked, "tau": 0.2, "l": 5})
    assert none == {"shortest": None, "all": None, "lead": None}


def test_a_point_of_the_grid_is_that_of_the_line(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "QUERIES", 20)
    asked: Row = {"data": "Nursery", "method": "1DLD", "tau": 0.5, "l": 3}
    (row,) = grids.measure({"Nursery": people}, asked)
    first = compared.measure({"Nursery": people}, asked)[0]
    assert {name: first[name] for name in row} == row and row["excess"] == 0.25  # (τ·l - 1)/2
    (none,) = grids.measure({"Nursery": people}, {**asked, "tau": 0.2, "l": 5})
    assert none["utility"] is None
    found = Found(
        tuple(
            {**asked, "method": m, **grids.measure({"Nursery": people}, {**asked, "method": m})[0]}
            for m in compared.METHODS
        )
    )
    for claim in grids.GRIDS[1].claims:
        assert claim.judged(found).evidence


def test_secrets_are_counted_by_their_shares(people: People) -> None:
    found = violations.told(people, Fraction(1, 2), 2, 1)
    assert {*found} == {"a", "b", "c", "d"} and all(actual == ROWS // 4 for actual, _ in found.values())
    assert sum(estimated for _, estimated in found.values()) == pytest.approx(ROWS)


def test_reasons_are_computed(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "ASKED", (0.5, 2))
    monkeypatch.setattr(reasons, "DRAWN", 50)
    monkeypatch.setattr(reasons, "LEAST", 1)
    (row,) = reasons.queries({"Adult": people}, {"method": "1DLD"})
    assert row["queries"] == 50 and row["share"] == 1
    (bound,) = reasons.bounds({"Adult": people}, {"promise": "c = 1, l = 9", "tau": 0.5, "l": 2})
    assert bound == {"keeps": 0, "excess": None, "largest": None}  # nothing was made with it
    words = people.incognito[0].words
    (bound,) = reasons.bounds({"Adult": people}, {"promise": words, "tau": 0.9, "l": 2})
    assert bound["keeps"] == 1 and isinstance(bound["largest"], float) and 0.25 <= bound["largest"] < 0.9


def test_time_is_measured(people: People) -> None:
    for method in ("SWEEP", "1DLD"):
        (row,) = times.measure({"Nursery": people}, {"data": "Nursery", "method": method, "tau": 0.5, "l": 2})
        assert isinstance(row["seconds"], float) and row["seconds"] >= 0


def test_shares_of_the_example_by_hand() -> None:
    twelve = examples.patients()
    tables = {str(point["table"]): examples.measure(twelve, point)[0] for point in examples.EXAMPLES.points[:2]}
    assert [row["one"] for row in tables.values()] == [round(5 / 7, 6), 0.5]
    assert [row["two"] for row in tables.values()] == [round(6 / 7, 6), 0.9]
