"""Skewness and similarity: the tables of the t-closeness paper, and random ones by looking at every person."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from tests.support.attacks import distributions, hospital, released

STOMACH, LUNGS = ["gastric ulcer", "gastritis", "stomach cancer"], ["bronchitis", "flu", "pneumonia"]
ORIGINAL = pl.DataFrame(
    {
        "zip": ["47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673", "47607"],
        "age": [29, 22, 27, 43, 52, 47, 30, 36, 32],
        "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
        "disease": [*STOMACH, "gastritis", "flu", "bronchitis", "bronchitis", "pneumonia", "stomach cancer"],
    }
)
PUBLISHED = ORIGINAL.with_columns(
    pl.Series("zip", ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3),
    pl.Series("age", ["2*"] * 3 + [">=40"] * 3 + ["3*"] * 3),
)
POLICY: dict[str, Any] = {
    "columns": {
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "age": {
            "role": "quasi",
            "hierarchy": {"tree": {"2*": ["22", "27", "29"], "3*": ["30", "32", "36"], ">=40": ["43", "47", "52"]}},
        },
        "salary": {"role": "sensitive", "type": "integer"},
        "disease": {"role": "sensitive", "hierarchy": {"tree": {"stomach": STOMACH, "lungs": LUNGS}}},
    },
    "privacy": [{"model": "distinct-l", "l": 3, "on": "disease"}],
}


def attacked(adversary: str, **settings: Any) -> tuple[sf.Exposure, ...]:
    only = [{"adversary": adversary, **settings}]
    return sf.attack(PUBLISHED, POLICY, original=ORIGINAL, only=only)[adversary].exposures


def test_a_class_of_stomach_diseases() -> None:
    """Table 4 of the paper: three diseases, all of the stomach, and salaries from 3 to 5."""
    salary, disease = attacked("similarity", share=0.25)
    assert (disease.on, disease.exposed, disease.surest) == ("disease", 3, 1.0)
    assert disease.details == {"nodes": 2, "exposed by one value alone": 0}
    # stomach in the first class, lungs in the two others: two of three are right there
    assert disease.right == pytest.approx((3 + 2 + 2) / 9) and disease.baseline == 5 / 9
    assert (salary.on, salary.exposed, salary.surest) == ("salary", 3, 1.0)
    # 6 and 8 of 6, 8, 11; 7 and 9 of 7, 9, 10, the first of two ranges; all of them in the first class
    assert salary.right == pytest.approx((3 + 2 + 2) / 9) and salary.baseline == pytest.approx(3 / 9)


def test_a_deeper_node_or_a_smaller_range_is_harder_to_hit() -> None:
    salary, disease = attacked("similarity", depth=2, share=0.125)
    assert (disease.exposed, disease.details["nodes"], salary.exposed) == (0, 6, 0)
    assert disease.surest == pytest.approx(1 / 3) and salary.surest == pytest.approx(2 / 3)


def test_without_a_tree_or_an_order_nothing_is_near() -> None:
    columns = {**POLICY["columns"], "salary": {"role": "insensitive"}, "disease": {"role": "sensitive"}}
    found = sf.attack(PUBLISHED, {**POLICY, "columns": columns}, original=ORIGINAL, only=["similarity"])
    assert found["similarity"].lacks.startswith("a sensitive column with a hierarchy")


def test_one_in_two_where_one_in_twenty_has_it() -> None:
    """The paper's case: a class that is half positive, of a table that is so to one in twenty."""
    frame = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 36, "s": ["yes"] * 2 + ["no"] * 38})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 4}],
    }
    [found] = sf.attack(frame, policy, original=frame, only=["skewness"])["skewness"].exposures
    assert (found.people, found.exposed, found.surest) == (40, 4, 1.0)
    assert found.details["largest ratio"] == pytest.approx(10) and found.details["largest gain"] == pytest.approx(0.45)
    assert found.details["mean distance from the totals"] == pytest.approx((4 * 0.45 + 36 * 0.05) / 40)
    only: list[dict[str, Any]] = [{"adversary": "skewness", "factor": 10, "least": 0.6}]
    assert sf.attack(frame, policy, original=frame, only=only)["skewness"].exposed == 0


@given(st.integers(0, 10**6), st.integers(8, 40))
def test_ratios_against_every_person(seed: int, rows: int) -> None:
    frame = hospital(seed, rows)
    release = released(frame)
    total = {value: count / rows for value, count in Counter(frame["disease"].to_list()).items()}
    every = [chances for _, chances in distributions(frame, release)]
    ratios = [max(float(chance) / total[value] for value, chance in chances.items()) for chances in every]
    moved = [sum(max(float(chance) - total[value], 0) for value, chance in chances.items()) for chances in every]
    only = [{"adversary": "skewness", "factor": 1.5}]
    [found] = sf.attack(release, only=only)["skewness"].exposures
    assert found.exposed == sum(ratio >= 1.5 - 1e-9 for ratio in ratios)
    assert found.details["largest ratio"] == pytest.approx(max(ratios))
    assert found.details["mean distance from the totals"] == pytest.approx(sum(moved) / rows)


@pytest.mark.parametrize(("adversary", "settings"), [("skewness", {"factor": 1}), ("similarity", {"share": 1})])
def test_settings_that_say_nothing_are_refused(adversary: str, settings: dict[str, Any]) -> None:
    with pytest.raises(sf.InputError, match="must be"):
        attacked(adversary, **settings)
