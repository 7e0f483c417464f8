from __future__ import annotations

from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import PolicyError, TableError
from sfumato.exact import as_fraction
from sfumato.table.read import read
from sfumato.table.table import Table
from tests.support.examples import examples
from tests.support.table_policies import policy


def table(values: list[Any], kind: str = "number", **column: Any) -> Table:
    frame = pl.DataFrame({"q": ["a"] * len(values), "pay": pl.Series(values)})
    return read(frame, policy({"q": "quasi", "pay": {"role": "sensitive", "type": kind, **column}}))


def shown(values: list[Any], kind: str = "number", **column: Any) -> list[str | None]:
    made = table(values, kind, **column)
    tuples = made.encode()
    coded = tuples["pay"]
    published = made.published_as("pay").spread()
    assert coded.ordered and tuples.row is not None
    assert coded.values.gather(tuples.codes["pay"]).to_list() == published.gather(tuples.row).to_list()
    assert tuples.counts.sum() == len(values)
    return published.to_list()


def test_edges() -> None:
    assert shown([1000.0, 1999.99, 2000.0], bins=[1000, 2000, 3000]) == ["[1000, 2000)", "[1000, 2000)", "[2000, 3000)"]
    assert shown([5, -5], "integer", bins=["-10.5", "0.5", 7]) == ["[0.5, 7)", "[-10.5, 0.5)"]


def test_decimals_are_as_written() -> None:
    """0.3 as a float lies below 3/10; 0.1 + 0.2 does not."""
    assert shown([0.3, 0.7, 0.29], bins={"width": "0.1"}) == ["[0.3, 0.4)", "[0.7, 0.8)", "[0.2, 0.3)"]
    assert shown([0.3, 0.6], bins=["0", "0.3", "0.6", "0.9"]) == ["[0.3, 0.6)", "[0.6, 0.9)"]


def test_width_and_origin() -> None:
    assert shown([0, 9, 10, -1], "integer", bins={"width": 10}) == ["[0, 10)", "[0, 10)", "[10, 20)", "[-10, 0)"]
    assert shown([4, 5], "integer", bins={"width": 10, "origin": 5}) == ["[-5, 5)", "[5, 15)"]
    assert shown([0, 1, 2], "integer", bins={"width": "1/3"}) == ["[0, 1/3)", "[1, 4/3)", "[2, 7/3)"]


def test_bins_are_coded_in_their_order() -> None:
    tuples = table([900.0, 10_000.0, 2000.0], bins={"width": 1000}).encode()
    coded, row = tuples["pay"], tuples.row
    assert coded.values.to_list() == ["[0, 1000)", "[2000, 3000)", "[10000, 11000)"]
    assert row is not None and dict(zip(row.tolist(), tuples.codes["pay"].tolist(), strict=True)) == {0: 0, 1: 2, 2: 1}
    assert coded.taxonomy is None
    assert coded.positions is None


def test_outside_the_edges() -> None:
    with pytest.raises(TableError, match="'pay': 3 rows outside its bins"):
        table([0, 5, 10, 10, -1], "integer", bins=[0, 5, 10])


def test_edges_must_ascend_and_bins_are_the_only_values() -> None:
    with pytest.raises(PolicyError, match=r"columns\.pay\.bins: edges must ascend"):
        table([1], "integer", bins=[5, 5])
    with pytest.raises(PolicyError, match="a binned column cannot have one"):
        table([1], "integer", bins=[0, 5], hierarchy="flat")


def test_difference_links_neighbours() -> None:
    values = [1000.01, 1000.02, 1000.03, 1500.0, 1000.04]
    near, far = "[1000.01, 1000.04]", "[1500, 1500]"
    assert shown(values, difference="0.01") == [near, near, near, far, near]
    assert shown(values, difference=1000) == ["[1000.01, 1500]"] * 5
    assert len(set(shown(values, difference="0.009"))) == 5


def test_difference_of_large_integers() -> None:
    low, high = -(2**63), 2**63 - 1
    assert shown([low, high, 0], "integer", difference=2**62) == [f"[{low}, {low}]", f"[{high}, {high}]", "[0, 0]"]
    assert shown([low, high], "integer", difference=2**64) == [f"[{low}, {high}]"] * 2


def test_bounds_are_exact_at_the_ends_of_64_bits() -> None:
    low, high = -(2**63), 2**63 - 1
    assert shown([low, 0, high], "integer", bins=[-(10**20), 0, 10**20]) == [
        "[-100000000000000000000, 0)",
        *["[0, 100000000000000000000)"] * 2,
    ]
    assert shown([high - 1, high], "integer", bins={"width": 2}) == [f"[{high - 1}, {high + 1})"] * 2
    assert shown([10**18 + 9, 10**18 + 10], "integer", bins={"width": 10}) == [
        f"[{10**18}, {10**18 + 10})",
        f"[{10**18 + 10}, {10**18 + 20})",
    ]


def test_a_bound_that_no_float_meets() -> None:
    """The shortest decimal of 1/3 as a float is 0.3333333333333333, which lies below 1/3."""
    assert shown([1 / 3], bins=["0", "1/3", "1"]) == ["[0, 1/3)"]
    assert shown([2 / 3], bins=["0", "2/3", "1"]) == ["[0, 2/3)"]
    with pytest.raises(TableError, match="1 row outside"):
        table([1 / 3], bins=["1/3", "1"])


def test_missing_stays_missing() -> None:
    with pytest.warns(UserWarning, match="missing"):
        assert shown([1, None, 7], "integer", bins={"width": 5}) == ["[0, 5)", None, "[5, 10)"]
    for column in ({"bins": {"width": 5}}, {"bins": [0, 5]}, {"difference": 5}):
        for kind in ("integer", "number"):
            with pytest.warns(UserWarning, match="missing"):
                assert shown([None, None], kind, **column) == [None, None]


decimals = st.decimals(-100, 100, places=2).map(float)


@settings(max_examples=examples(100))
@given(st.lists(decimals, min_size=1, max_size=15), st.sampled_from(["0.01", "0.1", "0.07", "3", "1/3"]))
def test_secrets_that_differ_differ_by_more(values: list[float], difference: str) -> None:
    found = shown(values, difference=difference)
    exact = [as_fraction(value) for value in values]
    ordered = sorted(set(exact))
    groups = [[ordered[0]]]
    for value in ordered[1:]:
        if value - groups[-1][-1] > Fraction(difference):
            groups.append([])
        groups[-1].append(value)
    home = {value: index for index, group in enumerate(groups) for value in group}
    expected: dict[int, str | None] = {}
    for value, text in zip(exact, found, strict=True):
        assert expected.setdefault(home[value], text) == text
    assert len(set(found)) == len({home[value] for value in exact})


@settings(max_examples=examples(100))
@given(
    st.lists(decimals, min_size=1, max_size=15),
    st.sampled_from(["0.01", "0.1", "0.07", "3", "1/3"]),
    st.sampled_from(["0", "0.05", "-7"]),
)
def test_every_number_lies_in_its_bin(values: list[float], width: str, origin: str) -> None:
    found = shown(values, bins={"width": width, "origin": origin})
    for value, text in zip(values, found, strict=True):
        assert text is not None
        low, high = (Fraction(bound) for bound in text.strip("[)").split(", "))
        assert low <= as_fraction(value) < high
        assert high - low == Fraction(width)
        assert ((low - Fraction(origin)) / Fraction(width)).denominator == 1
