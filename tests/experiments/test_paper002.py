"""Paper 002 on a small table: every method gives figures, by definition."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from experiments.paper002 import facts, quality, recodings, times
from experiments.paper002.data import CATEGORIES, COMPARED, NUMBERS, SENSITIVE, People, people_of
from sfumato import datasets

ROWS = 60
_VALUES = {
    "marital-status": ["Divorced", "Widowed", "Never-married"],
    "race": ["White", "Black", "Other"],
    "sex": ["Male", "Female"],
}


@pytest.fixture(scope="module")
def people() -> People:
    chance = np.random.default_rng(3)
    numbers = {name: chance.integers(1, 50, ROWS) for name in NUMBERS}
    words = {name: chance.choice(_VALUES[name], ROWS) for name in CATEGORIES}
    secret = ["Sales", "Tech-support", "Craft-repair", "Adm-clerical"] * (ROWS // 4)
    return people_of(pl.DataFrame({**numbers, **words, SENSITIVE: secret}))


@pytest.mark.parametrize("name", COMPARED)
def test_every_method_is_measured(people: People, name: str) -> None:
    (row,) = quality.measure(people, {"method": name, "l": 2})
    groups, size, dm, il = (row[each] for each in ("groups", "size", "dm", "il"))
    assert isinstance(groups, int) and isinstance(size, float) and isinstance(dm, int) and isinstance(il, float)
    assert size == pytest.approx(ROWS / groups)
    assert ROWS**2 / groups <= dm <= ROWS**2
    assert 0 < il <= ROWS * 7
    if "sgi" in name.lower():  # four values, as often each: groups of two, without a rest
        assert (groups, dm) == (ROWS // 2, ROWS * 2)


def test_facts_are_counted(people: People) -> None:
    (row,) = facts.measure(people, {"column": SENSITIVE})
    assert row == {"rows": ROWS, "most": ROWS // 4, "values": 4, "largest_l": 4}


def test_time_is_measured(people: People) -> None:
    (row,) = times.measure(people, {"method": "BSGI", "l": 2})
    assert isinstance(row["seconds"], float) and row["seconds"] >= 0


@pytest.mark.data
def test_the_paper_has_the_rows_of_the_training_part() -> None:
    frame = datasets.adult_training()
    assert frame.shape == (32_561, 15)
    assert frame.filter(~pl.any_horizontal(pl.col(pl.String) == "?")).height == 30_162


def test_sizes_of_minimal_recodings(people: People) -> None:
    (row,) = recodings.measure(people, {"l": 2})
    smallest, largest = row["smallest"], row["largest"]
    assert isinstance(smallest, float) and isinstance(largest, float) and 2 <= smallest <= largest <= ROWS
    (stricter,) = recodings.measure(people, {"l": 3})
    assert isinstance(stricter["smallest"], float) and stricter["smallest"] >= smallest
