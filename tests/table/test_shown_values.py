"""Base values and published values are one to one, whatever the type."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from sfumato.table.read import read
from tests.support.handmade import published
from tests.support.table_policies import policy

SHOWN: dict[str, tuple[Any, dict[str, Any]]] = {
    "text": (["b", "a", None, "b"], {}),
    "text in bins": (["3", "1", "2", "31"], {"type": "integer", "bins": {"width": 10}}),
    "numbers near each other": ([3, 1, None, 31], {"type": "integer", "difference": 5}),
    "integers as text": (["10", " 9", "09", None], {"type": "integer"}),
    "numbers as text": (["1.50", "1.5", None, "-0"], {"type": "number"}),
    "small integers": (pl.Series([3, None, 120, 3], dtype=pl.Int8), {}),
    "large integers": (pl.Series([2**63 - 1, None, 0, 5], dtype=pl.UInt64), {}),
    "integers as numbers": ([3, 1, None], {"type": "number"}),
    "integers as text by the policy": ([30, 4, None], {"type": "text"}),
    "whole floats": ([3.0, -0.0, 0.0, None], {"type": "integer"}),
    "floats": ([1.5, -0.0, 0.0, None], {}),
    "narrow floats": (pl.Series([1.5, 0.1, None], dtype=pl.Float32), {}),
    "decimals": (pl.Series([Decimal("1.50"), None, Decimal("-2")], dtype=pl.Decimal(10, 2)), {}),
    "dates": ([date(2024, 3, 1), None, date(2023, 1, 1)], {}),
    "dates as text": (["1.3.2024", "01.03.2024", None], {"type": "date"}),
    "midnights": ([datetime(2024, 3, 1), None, datetime(2023, 1, 1)], {}),
    "points in time": ([datetime(2024, 3, 1, 5, 1), None, datetime(2023, 1, 1)], {}),
    "times": ([time(3, 4, 5, 6), None, time(0)], {}),
    "truth values": ([True, None, False, True], {}),
    "categories": (pl.Series(["b", "a", None, "b"], dtype=pl.Categorical), {}),
    "spellings": (["flu", "Flu", "cold", None], {"same": "case"}),
    "in an order": (["low", "high", None, "low"], {"order": ["none", "low", "high"]}),
    "a tree with more leaves": (["b", "a", None], {"hierarchy": {"tree": {"x": ["a", "c"], "y": ["b"]}}}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("case", "role"),
    [
        (case, role)
        for role in ("quasi", "sensitive")
        for case, (_, more) in SHOWN.items()
        if role == "sensitive" or not more.keys() & {"bins", "difference", "same"}
    ],
)
def test_a_code_has_one_published_value(case: str, role: str) -> None:
    values, more = SHOWN[case]
    frame = pl.DataFrame({"x": values, "q": ["1"] * len(values)})
    table = read(frame, policy({"x": {"role": role, **more}, "q": "quasi"}, input={"date": "%d.%m.%Y"}))
    tuples = table.encode()
    assert tuples.row is not None
    domain, wanted = tuples["x"], published(table)["x"]
    assert domain.published.gather(tuples.codes["x"]).to_list() == wanted.gather(tuples.row).to_list()
    assert domain.published.dtype == wanted.dtype and len(domain.published) == domain.size
    there = domain.published.filter(pl.Series(domain.counts > 0)).drop_nulls()
    assert there.n_unique() == len(there) == wanted.n_unique() - bool(wanted.null_count())


def test_a_midnight_that_comes_twice_is_one_value() -> None:
    nights = pl.Series([datetime(2023, 11, 5, 4), datetime(2023, 11, 5, 5)]).dt.replace_time_zone("UTC")
    table = read(pl.DataFrame({"x": nights.dt.convert_time_zone("America/Havana")[::-1]}), policy({"x": "quasi"}))
    domain = table.encode()["x"]
    assert domain.values.to_list() == [date(2023, 11, 5)]
    assert domain.published.dt.convert_time_zone("UTC").to_list() == nights.to_list()[:1]
