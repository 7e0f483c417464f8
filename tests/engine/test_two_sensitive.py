"""Two sensitive columns under every algorithm and form: both kept, or refused with a reason."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS, Form
from sfumato.policy.methods import METHODS, Method
from tests.support.examples import examples, some

COLUMNS: dict[str, dict[str, Any]] = {
    "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 20]}},
    "town": {"role": "quasi", "hierarchy": {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}},
    "disease": {"role": "sensitive"},
    "income": {"role": "sensitive"},
    "row": {"role": "insensitive", "unique": "accepted"},
}
CASES: dict[str, tuple[dict[str, Any], ...]] = {
    "distinct and distinct": (
        {"model": "distinct-l", "l": 3, "on": "disease"},
        {"model": "distinct-l", "l": 2, "on": "income"},
    ),
    "pairwise and pairwise": (
        {"model": "pairwise-l", "l": 2, "on": "disease"},
        {"model": "pairwise-l", "l": 3, "on": "income"},
    ),
    "pairwise and distinct": (
        {"model": "pairwise-l", "l": 2, "on": "disease"},
        {"model": "distinct-l", "l": 2, "on": "income"},
    ),
    "one alone": ({"model": "distinct-l", "l": 3, "on": "disease"},),
    "one of t-closeness": (
        {"model": "t-closeness", "t": "0.7", "on": "disease"},
        {"model": "distinct-l", "l": 2, "on": "income"},
    ),
    "each in view of the other": ({"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}},),
}
VARIANTS: list[Method] = [settings for words in METHODS.values() for settings in words.variants()]
NAMES = ("generalized", "permuted", "anatomized", "sliced")
SHOWN: list[Form] = [settings for name in NAMES for settings in FORMS[name].variants()]


def named(piece: Method | str) -> str:
    return piece if isinstance(piece, str) else f"{piece.method}{'-refined' * piece.refine}"


def people(seed: int, incomes: int, rows: int = 40) -> pl.DataFrame:
    """With few incomes, every pair of values often enough for each to be protected in view of the other."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 50, rows).tolist(),
            "town": ["abcd"[value] for value in rng.integers(0, 4, rows).tolist()],
            "disease": [f"d{value}" for value in rng.integers(0, 5, rows).tolist()],
            "income": [f"i{value}" for value in rng.integers(0, incomes, rows).tolist()],
            "row": list(range(rows)),
        }
    )


def groups(release: sf.Release) -> Iterator[list[int]]:
    """The original rows of every group that a reader tells apart; each row says its number."""
    table = release.published.first
    named = release.published.group_id
    keys = table.select(named).rows() if named is not None else table.select("age", "town").rows()
    found: dict[tuple[Any, ...], list[int]] = {}
    for key, row in zip(keys, table["row"].to_list(), strict=True):
        found.setdefault(key, []).append(row)
    return iter(found.values())


def kept(promise: dict[str, Any], data: pl.DataFrame, rows: list[int]) -> bool:
    """A promise on one group, by its definition."""
    pairs = [(data["disease"][row], data["income"][row]) for row in rows]
    if promise["model"] == "multi-attribute":
        return all(
            len({pair[1 - place] for pair in pairs if pair[place] == known}) >= promise["of"]["l"]
            for place in (0, 1)
            for known in {pair[place] for pair in pairs}
        )
    values = Counter(data[promise["on"]][row] for row in rows)
    if promise["model"] == "t-closeness":
        whole = Counter(data[promise["on"]].to_list())
        gaps = [abs(values[value] / len(rows) - count / data.height) for value, count in whole.items()]
        return sum(gaps) / 2 <= 0.7 + 1e-9
    return len(values) >= promise["l"] and (promise["model"] == "distinct-l" or max(values.values()) == 1)


@pytest.mark.parametrize(("method", "case"), some(product(VARIANTS, CASES), kind=itemgetter(0)), ids=named)
def test_both_columns_keep_their_promise(method: Method, case: str) -> None:
    ends: Counter[str] = Counter()
    for form, seed in product(SHOWN, range(examples(2, fewest=1))):
        data, form = (
            people(seed, 7 if case == "pairwise and pairwise" else 4),
            form.model_copy(update={"insensitive": True} if form.publish != "generalized" else {}),
        )
        given = {
            "columns": COLUMNS,
            "privacy": list(CASES[case]),
            "form": form.model_dump(mode="json"),
            "suppression": {"limit": "0.4"},
        }
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sf.SfumatoWarning)
                release = sf.publish(data, policy=given, partition=method, seed=seed)
        except (sf.Refused, sf.PolicyError, sf.NoneFound) as error:
            assert str(error)
            ends[type(error).__name__] += 1
            continue
        ends["published"] += 1
        for rows in groups(release):
            for promise in CASES[case]:
                assert kept(promise, data, rows), (case, form, seed)
    assert ends["NoneFound"] + ends["Infeasible"] <= ends["published"], ends
