"""What SWEEP leaves of Adult, by information utility over all columns, beside the paper's own variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato import datasets
from sfumato.measures.lost import Losses

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")


def lost(frame: pl.DataFrame, secret: str, promise: sf.TauL, method: sf.Sweep) -> Losses:
    names = [*QUASI, *(["occupation"] if secret != "occupation" else []), secret]
    known = datasets.adult_hierarchies()
    columns = {name: {"role": "sensitive" if name == secret else "quasi", **known[name]} for name in names}
    policy = {"columns": columns, "loss": {"metric": "information-utility"}}
    found = sf.publish(frame.select(names), promise, policy=policy, partition=method, seed=1).lost
    assert found is not None
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("secret", "promise", "least", "told"),
    [("occupation", sf.TauL("0.15", 8), 0.54, 0.4), ("income", sf.TauL("0.5", 2), 0.83, 0.7)],
    ids=["occupation", "income"],
)
def test_utility_is_near_that_of_the_paper_or_above(
    real: Callable[[Callable[[], Any]], Any], secret: str, promise: sf.TauL, least: float, told: float
) -> None:
    """All columns counted, and quasi-identifiers alone; sensitive values do not pay for all of it."""
    frame = real(datasets.adult_complete)
    ours, paper = (lost(frame, secret, promise, sf.Sweep(faithful=faithful)) for faithful in (False, True))
    assert 1 - ours.value >= least and ours.value <= 1.3 * paper.value
    quasi = [sum(each.loss for each in found.quasi.values()) / len(found.quasi) for found in (ours, paper)]
    assert 1 - quasi[0] >= least and quasi[0] <= 1.3 * quasi[1]
    assert 1 - ours.sensitive[secret].loss >= told
