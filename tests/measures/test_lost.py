"""What is lost of every column, sensitive ones included."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.measures.correspondence import glp, nlp_of_groups
from tests.support.examples import examples

TREE = {"tree": {"x": ["a", "b"], "y": ["c", "d"]}}


def policy(metric: str, **loss: Any) -> dict[str, Any]:
    """`a a a c` of u1 becomes `x x x c`."""
    return {
        "columns": {
            "place": {"role": "quasi", "hierarchy": {"tree": {"U": ["u1", "u2"], "V": ["v1"]}}},
            "s": {"role": "sensitive", "hierarchy": TREE},
        },
        "privacy": [{"model": "tau-l", "tau": "1/2", "l": 3}],
        "partition": {"method": "sweep", "balance": 1},
        "loss": {"metric": metric, **loss},
    }


def frame() -> pl.DataFrame:
    return pl.DataFrame({"place": ["u1"] * 4 + ["u2"] * 4, "s": [*"aaac", *"bbcd"]})


def test_generalized_sensitive_values_are_lost_too() -> None:
    release = sf.publish(frame(), policy=policy("ncp"), seed=1)
    assert sorted(release.table["s"]) == sorted([*"xxxc", *"bbcd"])
    assert release.loss == 0 and release.lost is not None, "of quasi-identifiers nothing is"
    lost = release.lost.sensitive["s"]
    assert (lost.generalized, lost.nothing) == (3, 0) and lost.loss == pytest.approx(3 / 8 / 3)
    assert "  s      0.1250  sensitive: 3 values generalized" in release.summary().splitlines()


def test_information_utility_counts_all_columns() -> None:
    """Definition 14: three of sixteen cells tell half."""
    release = sf.publish(frame(), policy=policy("information-utility"), seed=1)
    assert release.loss == pytest.approx(3 / 2 / 16)
    heavy = sf.publish(frame(), policy=policy("information-utility", weights={"s": 3}), seed=1)
    assert heavy.loss == pytest.approx(3 * (3 / 2 / 8) / 4)


def test_suppressed_rows_lose_their_sensitive_values() -> None:
    given = {
        **policy("ncp"),
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "partition": {"method": "lattice"},
        "suppression": {"limit": "1/2"},
    }
    table = pl.concat([frame(), pl.DataFrame({"place": ["v1"], "s": ["a"]})])
    release = sf.publish(table, policy=given, seed=1)
    assert release.suppressed == 1 and release.lost is not None
    assert release.lost.sensitive["s"].loss == pytest.approx(1 / 9) and release.lost.sensitive["s"].nothing == 1
    assert release.lost.quasi["place"].nothing == 1 and "generalized" not in release.summary()


@settings(max_examples=examples(80))
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(-1, 3), st.integers(1, 4)), min_size=1, max_size=20
    ),
    st.booleans(),
)
def test_counted_rows_are_as_many_single_ones(rows: list[tuple[int, int, int, int]], once: bool) -> None:
    people, values, labels, counts = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    each = [np.repeat(column, counts) for column in (people, values, labels)]
    together = nlp_of_groups(people, values, labels, once=once, counts=counts)
    assert glp(together, counts[labels >= 0]) == glp(nlp_of_groups(*each, once=once))
    assert isinstance(glp(together, counts[labels >= 0]), Fraction)


def test_a_weight_that_counts_for_nothing_is_refused() -> None:
    with pytest.raises(sf.Refused, match=r"loss.weights: column 's' is sensitive, and ncp"):
        sf.publish(frame(), policy=policy("ncp", weights={"s": 3}), seed=1)
    with pytest.raises(sf.PolicyError, match="must name a quasi or sensitive column: place, s"):
        sf.publish(frame(), policy=policy("ncp", weights={"t": 3}), seed=1)
