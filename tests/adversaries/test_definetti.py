"""Learning from the release: what is planted is found, by more than random worlds; the rounds once more, row by row."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.support.examples import examples

POLICY: dict[str, Any] = {
    "columns": {"smokes": {"role": "quasi"}, "sex": {"role": "quasi"}, "disease": {"role": "sensitive"}},
    "privacy": [{"model": "simple-l", "l": 2}],
    "partition": {"method": "anatomy"},
    "form": {"publish": "anatomized"},
}


def clinic(seed: int, rows: int, strength: float) -> pl.DataFrame:
    """Four habits and four diseases, a fourth of the people each: a habit mostly goes with its own disease."""
    draw = random.Random(seed)
    habits = [place % 4 for place in range(rows)]
    ill = [habit if draw.random() < strength else draw.randrange(4) for habit in habits]
    while max(Counter(ill).values()) * 2 > rows:  # of which pairs can be made
        ill[draw.randrange(rows)] = draw.randrange(4)
    return pl.DataFrame(
        {
            "smokes": [("never", "once", "often", "always")[each] for each in habits],
            "sex": [draw.choice(["f", "m"]) for _ in range(rows)],
            "disease": [("cold", "flu", "asthma", "cancer")[each] for each in ill],
        }
    )


def attacked(release: sf.Release, **more: Any) -> sf.Exposure:
    [found] = sf.attack(release, only=[{"adversary": "definetti", **more}])["definetti"].exposures
    return found


def test_what_goes_together_everywhere_is_found_in_pairs() -> None:
    """Groups of two diseases: 1/2 in random worlds. Which habit goes with which, the groups together say."""
    found = attacked(sf.publish(clinic(4, 400, 0.95), policy=POLICY, seed=1))
    details = found.details
    assert details["expected right in random worlds"] < 0.5 and details["guesses right in random worlds"] < 0.7
    assert found.right is not None and found.right > 0.9 and details["expected right"] > 0.53
    assert found.baseline is not None and found.baseline < 0.3


def test_where_nothing_goes_together_nothing_is_learnt() -> None:
    found = attacked(sf.publish(clinic(5, 400, 0.0), policy=POLICY, seed=1))
    assert found.details["expected right"] == pytest.approx(found.details["expected right in random worlds"], abs=0.1)


def test_pairs_that_all_hold_the_same_two_values_teach_nothing() -> None:
    """Whichever habit goes with which value, the groups look the same: random worlds are right."""
    frame = pl.DataFrame({"smokes": ["never", "always"] * 8, "sex": ["f"] * 16, "disease": ["cold", "cancer"] * 8})
    found = attacked(sf.publish(frame, policy=POLICY, seed=1))
    assert (found.surest, found.details["rounds"]) == (0.5, 1)


@given(st.integers(0, 10**6), st.integers(4, 12))
@settings(max_examples=examples(100))
def test_the_rounds_row_by_row(seed: int, pairs: int) -> None:
    frame = clinic(seed, 2 * pairs, 0.8)
    release = sf.publish(frame, policy=POLICY, seed=seed)
    found = attacked(release, rounds=3)
    groups = groups_of(release)
    beliefs = reference(groups, found.details["rounds"])  # it stops where nothing moves
    everybody = defaultdict(list)
    for people, chances in zip((people for people, _ in groups), beliefs, strict=True):
        for person, chance in zip(people, chances, strict=True):
            everybody[person].append(chance)
    right = 0.0
    for smokes, sex, disease in frame.iter_rows():
        mine = everybody[smokes, sex]
        right += sum(chance.get(disease, 0.0) for chance in mine) / len(mine)
    assert found.details["expected right"] == pytest.approx(right / frame.height, abs=1e-6)


Group = tuple[list[tuple[str, str]], Counter[str]]


def groups_of(release: sf.Release) -> list[Group]:
    """People and values of every group, from the two published tables."""
    tables = {name: frame.cast(pl.String).to_dicts() for name, frame in release.held[0].tables.items()}
    people = next(rows for rows in tables.values() if "smokes" in rows[0])
    secrets = next(rows for rows in tables.values() if "smokes" not in rows[0])
    [group] = [name for name in people[0] if name not in ("smokes", "sex")]
    made: dict[str, Group] = {row[group]: ([], Counter()) for row in people}
    for row in people:
        made[row[group]][0].append((row["smokes"], row["sex"]))
    for row in secrets:
        made[row[group]][1][row["disease"]] += int(row.get("count", 1))
    return [*made.values()]


def reference(groups: list[Group], rounds: int) -> list[list[dict[str, float]]]:
    """Per group and person the chance of every value."""
    beliefs = [[{s: n / held.total() for s, n in held.items()} for _ in people] for people, held in groups]
    for _ in range(rounds):
        spread: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        for (people, _), chances in zip(groups, beliefs, strict=True):
            for person, chance in zip(people, chances, strict=True):
                for s, share in chance.items():
                    for column, value in enumerate(person):
                        spread[s, column][value] += share  # type: ignore[assignment]
        domain = [{person[column] for people, _ in groups for person in people} for column in (0, 1)]
        learnt = {
            (s, at, value): (spread[s, at][value] + 1) / (sum(spread[s, at].values()) + len(domain[at]))
            for s, at in [*spread]
            for value in domain[at]
        }
        beliefs = [scaled(people, held, learnt) for people, held in groups]
    return beliefs


def scaled(people: list[tuple[str, str]], held: Counter[str], chances: Any) -> list[dict[str, float]]:
    made = [
        {s: n * math.prod(chances[s, at, value] for at, value in enumerate(person)) for s, n in held.items()}
        for person in people
    ]
    made = [{s: share / sum(each.values()) for s, share in each.items()} for each in made]
    for _ in range(5):
        for s, n in held.items():
            whole = sum(each[s] for each in made)
            made = [{**each, s: each[s] * n / whole} for each in made]
        made = [{s: share / sum(each.values()) for s, share in each.items()} for each in made]
    return made


def test_it_says_first_how_much_there_is_to_do_and_can_be_stopped() -> None:
    release = sf.publish(clinic(4, 40, 0.9), policy=POLICY, seed=1)
    told: list[str] = []

    def watch(stage: str, done: int, total: int) -> None:
        told.append(stage)
        if stage.startswith("definetti") and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sf.attack(release, only=["definetti"], progress=watch)
    assert any(each.endswith("beliefs in up to 20 rounds") for each in told)


def test_settings_that_say_nothing_are_refused() -> None:
    with pytest.raises(sf.InputError, match="bins 2 or more"):
        sf.attack(sf.publish(clinic(4, 40, 0.9), policy=POLICY, seed=1), only=[{"adversary": "definetti", "bins": 1}])
