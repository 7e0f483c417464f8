"""A promise, an algorithm or a form given in a call takes the policy's place before the policy is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf

FRAME = pl.DataFrame({"age": ["1", "1", "2", "2"], "disease": ["x", "y", "x", "y"]})
COLUMNS: dict[str, Any] = {"age": {"role": "quasi"}, "disease": {"role": "sensitive"}}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of overrides")


@pytest.mark.parametrize("promise", [sf.DistinctL(2), {"model": "distinct-l", "l": 2, "on": "disease"}])
@pytest.mark.parametrize(
    "replaced",
    [
        {},
        {"privacy": []},
        {"privacy": [{"model": "entropy-l", "l": 2, "on": "illness"}]},
        {"privacy": [{"model": "?"}]},
    ],
)
def test_a_promise_that_is_replaced_need_not_be_right(promise: Any, replaced: dict[str, Any], tmp_path: Path) -> None:
    given = {"columns": COLUMNS, **replaced}
    assert sf.publish(FRAME, promise, policy=given).table.height == 4
    with pytest.raises(sf.PolicyError):
        sf.publish(FRAME, policy=given)
    (tmp_path / "p.yaml").write_text("columns:\n  age: {role: quasi}\n  disease: {role: sensitive}\n", encoding="utf-8")
    assert sf.publish(FRAME, promise, policy=tmp_path / "p.yaml").table.height == 4


def test_form_and_algorithm_likewise() -> None:
    given = {
        "columns": COLUMNS,
        "privacy": [{"model": "pairwise-l", "l": 2}],  # which needs a group id
        "partition": {"method": "none such"},
        "form": {"publish": "generalised"},
    }
    form = {"publish": "generalized", "group_id": True}
    release = sf.publish(FRAME, policy=given, partition={"method": "anatomy"}, form=form)
    assert "group" in release.table.columns
    with pytest.raises(sf.PolicyError) as caught:
        sf.publish(FRAME, policy=given, partition={"method": "anatomy"})
    assert {problem.path for problem in caught.value.problems} >= {"form.publish"}


def test_what_is_given_is_checked() -> None:
    with pytest.raises(sf.PolicyError, match=r"privacy\[0\]\.on"):
        sf.publish(FRAME, {"model": "distinct-l", "l": 2, "on": "age"}, policy={"columns": COLUMNS})


def test_the_key_on_of_another_reader_is_the_key_it_is() -> None:
    promise: Any = {"model": "distinct-l", "l": 2, True: "disease"}
    given: dict[str, Any] = {"columns": COLUMNS, "privacy": [promise]}
    assert sf.read_policy(given).promise == sf.AllOf((sf.DistinctL(2, on="disease"),))
    assert sf.publish(FRAME, promise, policy={"columns": COLUMNS}).table.height == 4
    two = {**COLUMNS, "income": {"role": "sensitive"}}
    nested = {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2, True: "income"}}
    with pytest.raises(sf.PolicyError, match=r"privacy\[0\]\.of\.on: it speaks of every sensitive column"):
        sf.read_policy({"columns": two, "privacy": [nested]})
    with pytest.raises(sf.PolicyError):
        sf.read_policy({"columns": COLUMNS, "privacy": [{**promise, "on": "disease"}]})
    with pytest.raises(sf.PolicyError, match="columns"):
        sf.read_policy({"columns": {True: {"role": "quasi"}, **COLUMNS}, "privacy": [{"model": "k-anonymity", "k": 2}]})
