"""Every measure on a release of every form: a figure, or what it lacks; the same again, and from the written files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.measures.registry import MEASURES
from sfumato.policy.forms import FORMS
from tests.release.test_fits import POLICY, people

SLACK = {"randomized": {"partition": {"method": "mondrian", "slack": 1}}}


def policy_of(form: str) -> dict[str, Any]:
    return {**POLICY, "form": {"publish": form}, "suppression": {"limit": 1}, **SLACK.get(form, {})}


@pytest.fixture(scope="module", params=[*FORMS])
def release(request: pytest.FixtureRequest) -> sf.Release:
    return sf.publish(people(11, 90), policy=policy_of(request.param), seed=1)


def test_measures_of_every_form(release: sf.Release, tmp_path: Path) -> None:
    found = sf.measure(release, seed=3)
    assert [each.name for each in found.measurements] == [*MEASURES]
    for each in found.measurements:
        assert (each.figure is None) == bool(each.lacks), each.name
        if each.figure is not None:
            assert math.isfinite(each.figure.value), each.name
    assert sf.measure(release, seed=3).to_dict() == found.to_dict()
    release.write(tmp_path / "out")
    people(11, 90).write_csv(tmp_path / "data.csv")
    manifest = tmp_path / "out.internal.json"
    again = sf.measure(tmp_path / "out", release.source.policy, manifest, original=tmp_path / "data.csv", seed=3)
    assert near(again.to_dict(), found.to_dict())


def near(one: Any, other: Any) -> bool:
    """Whether two documents say the same, numbers to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def test_without_the_original_what_needs_it_says_so() -> None:
    release = sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)
    found = sf.measure(release.table, POLICY)
    lacking = {each.name: each.lacks for each in found.measurements if each.figure is None}
    assert all("original" in MEASURES[name].about.needs[0] for name in lacking)
    assert {"discernibility", "average-class-size"}.isdisjoint(lacking)


def test_settings_that_are_not_there_are_named() -> None:
    frame = pl.DataFrame({"age": [1], "zip": ["1"], "sex": ["f"], "disease": ["a"]})
    with pytest.raises(sf.InputError, match=r"there is no measure 'beauty'; there are: average-class-size"):
        sf.measure(frame, POLICY, only=["beauty"])
    with pytest.raises(sf.InputError, match="measure 'average-class-size': no such setting: 'l'; it has k"):
        sf.measure(frame, POLICY, only=[{"measure": "average-class-size", "l": 3}])
    with pytest.raises(sf.InputError, match="measure 'average-class-size': k must be a whole number, not 'x'"):
        sf.measure(frame, POLICY, only=[{"measure": "average-class-size", "k": "x"}])
