"""What is stored agrees with the registry: its points, its pictures, its numbers and claims."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.contract import Experiment, Row
from experiments.judging import amiss
from experiments.registry import EXPERIMENTS
from experiments.results import STORED, csv_text, load, picture

KEPT = [each for each in EXPERIMENTS if load(each) is not None]


def name_of(experiment: Experiment[Any]) -> str:
    return f"{experiment.paper}-{experiment.name}"


def settings_of(experiment: Experiment[Any], row: Row) -> Row:
    names = {name for point in experiment.points for name in point}
    return {name: value for name, value in row.items() if name in names and value is not None}


def test_every_experiment_has_a_name_of_its_own_and_quick_points() -> None:
    names = [(each.paper, name) for each in EXPERIMENTS for name in each.names]
    assert len({*names}) == len(names)
    for each in EXPERIMENTS:
        assert all(point in each.points for point in each.quick), name_of(each)
        assert each.timed or each.quick, name_of(each)


def test_everything_but_times_is_stored() -> None:
    assert [name_of(each) for each in EXPERIMENTS if not each.timed and each not in KEPT] == []


@pytest.mark.parametrize("experiment", KEPT, ids=name_of)
def test_stored_points_are_those_of_the_registry(experiment: Experiment[Any]) -> None:
    found = load(experiment)
    assert found is not None
    stored = list(dict.fromkeys(tuple(settings_of(experiment, row).items()) for row in found.rows))
    assert [dict(each) for each in stored] == [dict(point) for point in experiment.points]
    file = STORED / experiment.paper / f"{experiment.name}.csv"
    assert file.read_text(encoding="utf-8") == csv_text(found)


@pytest.mark.parametrize("experiment", KEPT, ids=name_of)
def test_stored_pictures_are_drawn_from_stored_results(experiment: Experiment[Any]) -> None:
    found = load(experiment)
    assert found is not None
    for chart in experiment.charts:
        file = STORED / experiment.paper / f"{chart.name}.svg"
        assert file.read_text(encoding="utf-8") == picture(chart, found), chart.name


@pytest.mark.parametrize("experiment", KEPT, ids=name_of)
def test_every_difference_has_a_reason_and_every_claim_holds_or_is_contradicted(experiment: Experiment[Any]) -> None:
    found = load(experiment)
    assert found is not None
    assert not [*amiss(experiment, found)]


def test_nothing_else_is_stored() -> None:
    expected = {f"{each.paper}/{each.name}.csv" for each in KEPT}
    expected |= {f"{each.paper}/{chart.name}.svg" for each in KEPT for chart in each.charts}
    assert {file.relative_to(STORED).as_posix() for file in STORED.rglob("*.*")} == expected
