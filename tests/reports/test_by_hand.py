"""Risk and loss in a report, against every person and every row looked at by hand, in the published texts alone.

This page shares no code with the product: it reads cells as the release's notation has them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.support.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")

QUASI = ("age", "zip", "sex")
ONE = Fraction(1)
Row = Mapping[str, str]


def people(draw: Any, rows: int) -> pl.DataFrame:
    """Some are alike, no disease fills more than a third of the table."""
    ages = draw.choice([4, 30])
    diseases = [f"d{place % 5}" for place in range(rows)]
    draw.shuffle(diseases)
    return pl.DataFrame(
        {
            "age": [20 + draw.randrange(ages) for _ in range(rows)],
            "zip": [f"{draw.randrange(3)}{draw.randrange(3)}" for _ in range(rows)],
            "sex": [draw.choice(["f", "m", "x"]) for _ in range(rows)],
            "disease": diseases,
        }
    )


def policy_of(form: str, method: str) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi", "type": "integer"},
            "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
            "sex": {"role": "quasi"},
            "disease": {"role": "sensitive"},
        },
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": method, **({"slack": 1} if form == "randomized" else {})},
        "form": {"publish": form},
        "suppression": {"limit": 0.4} if method == "lattice" else {"limit": 0},
    }


def stands_for(name: str, cell: str, everybody: Sequence[Row]) -> set[str]:
    """The values of the original that a published cell may be."""
    values = {row[name] for row in everybody}
    if cell == "*":
        return values
    if name == "age" and cell.startswith("["):
        low, high = map(int, cell.strip("[]").split(","))
        return {value for value in values if low <= int(value) <= high}
    if name == "zip" and "*" in cell:
        return {value for value in values if value.startswith(cell.rstrip("*"))}
    if cell.startswith("{"):
        return {*cell.strip("{}").split(", ")}
    return {cell}


def lost(name: str, cell: str, everybody: Sequence[Row]) -> Fraction:
    """NCP of a cell."""
    values, mine = {row[name] for row in everybody}, stands_for(name, cell, everybody)
    if len(values) == 1:
        return Fraction(0)
    if name == "age":
        ages = sorted(map(int, values))
        ends = [*map(int, cell.strip("[]").split(","))] if cell != "*" else ages
        return Fraction(max(ends) - min(ends), ages[-1] - ages[0])
    return Fraction(len(mine) - 1, len(values) - 1)


def mean(shares: Sequence[Fraction]) -> Fraction:
    return sum(shares, Fraction(0)) / len(shares)


def commonest(values: Sequence[str]) -> Fraction:
    return Fraction(max(Counter(values).values()), len(values))


def alike(row: Row, others: Sequence[Row]) -> Sequence[Row]:
    return [other for other in others if all(other[name] == row[name] for name in QUASI)]


def fitting(person: Row, shown: Sequence[Row], everybody: Sequence[Row]) -> Sequence[Row]:
    return [row for row in shown if all(person[name] in stands_for(name, row[name], everybody) for name in QUASI)]


def above(risks: Sequence[Fraction]) -> dict[str, float]:
    """People at or above each threshold."""
    return {each: sum(risk >= Fraction(each) for risk in risks) / len(risks) for each in ("0.2", "0.09", "0.05")}


def same_risk(found: Any, side: str, risks: Sequence[Fraction], alone: float) -> None:
    end = f"_{side}" if side == "before" else ""
    assert getattr(found, f"worst{end}") == pytest.approx(float(max(risks)))
    assert getattr(found, f"mean{end}") == pytest.approx(float(mean(risks)))
    assert getattr(found, f"alone{end}") == pytest.approx(alone)
    assert {each.threshold: getattr(each, side) for each in found.thresholds} == pytest.approx(above(risks))
    assert {each.threshold: each.least for each in found.thresholds} == {"0.2": 6, "0.09": 12, "0.05": 21}


def same_sizes(found: Sequence[Any], side: str, rows: Sequence[int]) -> None:
    """`rows`: per row, how many look like it."""
    for each in found:
        mine = [size for size in rows if each.low <= size <= (each.high or len(rows))]
        assert getattr(each, side) == pytest.approx(len(mine) / len(rows))
    assert sum(getattr(each, side) for each in found) == pytest.approx(1)


def texts(frame: pl.DataFrame) -> Sequence[Row]:
    return frame.select(pl.all().cast(pl.String)).to_dicts()


@pytest.mark.parametrize("method", ["mondrian", "lattice"])
@settings(max_examples=examples(40, 3))
@given(draw=st.randoms(use_true_random=False), rows=st.integers(10, 45))
def test_generalized(method: str, draw: Any, rows: int) -> None:
    frame = people(draw, rows)
    release = sf.publish(frame, policy=policy_of("generalized", method), seed=1)
    everybody, shown = texts(frame), texts(release.tables["table"])
    report = sf.report(release)
    facts, (secret,) = report.facts, report.facts.secrets
    before = [Fraction(1, len(alike(person, everybody))) for person in everybody]
    same_risk(facts.risk, "before", before, before.count(ONE) / rows)
    same_sizes(facts.sizes, "before", [len(alike(person, everybody)) for person in everybody])
    found = [fitting(person, shown, everybody) for person in everybody]
    after = [Fraction(1, len(mine)) if mine else Fraction(0) for mine in found]
    classes = [len(alike(row, shown)) for row in shown]
    same_risk(facts.risk, "after", after, classes.count(1))
    same_sizes(facts.sizes, "after", classes)
    totals = commonest([person["disease"] for person in everybody])
    guesses = [commonest([row["disease"] for row in mine]) if mine else totals for mine in found]
    known = [commonest([other["disease"] for other in alike(person, everybody)]) for person in everybody]
    assert (secret.worst, secret.mean, secret.before, secret.totals) == pytest.approx(
        tuple(map(float, (max(guesses), mean(guesses), mean(known), totals)))
    )
    hidden = rows - len(shown)
    losses = {
        name: (sum((lost(name, row[name], everybody) for row in shown), Fraction(0)) + hidden) / rows for name in QUASI
    }
    assert {column.name: column.loss for column in facts.columns if column.role == "quasi"} == pytest.approx(
        {name: float(loss) for name, loss in losses.items()}
    )
    assert facts.loss is not None and facts.loss.value == pytest.approx(float(mean([*losses.values()])))
    by_others(report.shared, shown, classes)


def by_others(shared: Any, shown: Sequence[Row], classes: Sequence[int]) -> None:
    """The external edition: by what the release shows alone."""
    risks = [Fraction(1, size) for size in classes]
    same_risk(shared.risk, "after", risks, classes.count(1))
    guesses = [commonest([other["disease"] for other in alike(row, shown)]) for row in shown]
    (secret,) = shared.secrets
    assert (secret.worst, secret.mean) == pytest.approx((float(max(guesses)), float(mean(guesses))))
    assert secret.totals == pytest.approx(float(commonest([row["disease"] for row in shown])))
    assert secret.different == min(len({other["disease"] for other in alike(row, shown)}) for row in shown)
    assert shared.smallest == min(classes)


def grouped(release: sf.Release) -> tuple[Sequence[Row], dict[str, list[str]]]:
    """People with their groups, and the secrets of every group, of a form that shows people as they are."""
    if "sensitive" not in release.tables:
        shown = texts(release.tables["table"])
        pairs = [(row["group"], row["disease"]) for row in shown]
        return shown, {group: [each for other, each in pairs if other == group] for group, _ in pairs}
    held: dict[str, list[str]] = {}
    for row in texts(release.tables["sensitive"]):
        held.setdefault(row["group"], []).extend([row["disease"]] * int(row["count"]))
    return texts(release.tables["quasi"]), held


@pytest.mark.parametrize("form", ["permuted", "anatomized", "randomized"])
@settings(max_examples=examples(40, 3))
@given(draw=st.randoms(use_true_random=False), rows=st.integers(10, 45))
def test_people_as_they_are(form: str, draw: Any, rows: int) -> None:
    """Found as easily as before; what a group hides is whose secret is whose."""
    frame = people(draw, rows)
    release = sf.publish(frame, policy=policy_of(form, "mondrian"), seed=1)
    everybody = texts(frame)
    shown, held = grouped(release)
    facts = sf.report(release).facts
    before = [Fraction(1, len(alike(person, everybody))) for person in everybody]
    same_risk(facts.risk, "before", before, before.count(ONE) / rows)
    assert facts.risk is not None and facts.exact and facts.loss is not None
    assert (facts.risk.worst, facts.risk.mean) == pytest.approx((float(max(before)), float(mean(before))))
    assert facts.loss.value == 0 and {column.loss for column in facts.columns if column.role == "quasi"} == {0}
    same_sizes(facts.sizes, "after", [len(held[row["group"]]) for row in shown])
    (secret,) = facts.secrets
    if form == "randomized":
        retention = Fraction(json.loads(release.held[0].document.model_dump_json())["shown"]["retention"])
        counts = Counter(row["disease"] for row in shown)
        others = {value: (1 - retention) * Fraction(count, rows) for value, count in counts.items()}
        chances = [mine(person, shown, others, retention) for person in everybody]
        assert (secret.worst, secret.mean) == pytest.approx((float(max(chances)), float(mean(chances))))
        return
    guesses, wrong = [], []
    for person in everybody:
        groups = [held[row["group"]] for row in alike(person, shown)]
        values = {value for group in groups for value in group}
        guesses.append(max(mean([Fraction(group.count(value), len(group)) for group in groups]) for value in values))
    for row in shown:
        group, own = held[row["group"]], {other["disease"] for other in alike(row, everybody)}
        wrong.append(Fraction(sum(value not in own for value in group), len(group)))
    assert (secret.worst, secret.mean) == pytest.approx((float(max(guesses)), float(mean(guesses))))
    assert facts.loss.correspondence == pytest.approx(float(mean(wrong)))


def mine(person: Row, shown: Sequence[Row], others: Mapping[str, Fraction], retention: Fraction) -> Fraction:
    """The surest that somebody is of a person's value: each row that is theirs kept it, or shows any."""
    rows = alike(person, shown)
    return max(mean([others[value] + retention * (row["disease"] == value) for row in rows]) for value in others)
