"""iDistance beside the Hilbert curve: rows by the nearest reference point, then by the distance from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

import sfumato as sf
from sfumato.partition.apart.idistance import by_distance
from tests.support.command import Cli
from tests.support.examples import examples
from tests.support.tasks import grouped, random_table, task_of


def slow(points: list[list[float]], references: int) -> list[int]:
    """From the definition, point by point; whole numbers, so that every distance is exact."""

    def away(one: int, other: int) -> float:
        return sum((x - y) ** 2 for x, y in zip(points[one], points[other], strict=True))

    chosen = [0]
    while len(chosen) < min(references, len(points)):
        farthest = max(range(len(points)), key=lambda at: (min(away(at, each) for each in chosen), -at))
        chosen.append(farthest)
    keys = []
    for at in range(len(points)):
        area = min(chosen, key=lambda each, at=at: (away(at, each), each))  # type: ignore[misc]
        keys.append((area, away(at, area), at))
    order = sorted(range(len(points)), key=keys.__getitem__)
    return [order.index(at) for at in range(len(points))]


@settings(max_examples=examples(200))
@given(
    arrays(np.float64, st.tuples(st.integers(1, 20), st.integers(1, 3)), elements=st.integers(0, 6)), st.integers(1, 6)
)
def test_places_are_those_of_the_definition(points: NDArray[np.float64], references: int) -> None:
    assert by_distance(points, references).tolist() == slow(points.tolist(), references)


@pytest.mark.parametrize("promise", [sf.PairwiseL(3), sf.SimpleL(2), sf.DistinctL(3)])
def test_groups_hold_different_values_and_all_rows(promise: sf.Promise) -> None:
    for seed in range(examples(20)):
        table = random_table(np.random.default_rng(seed), 60, 7, 3)
        task = task_of(table, promise)
        labels = grouped(sf.Hilbert(order="idistance"), task)
        values = task.table.each().codes[task.table.sensitive[0].name]
        for group in range(int(labels.max()) + 1):
            mine = values[labels == group]
            assert len(np.unique(mine)) == len(mine) >= (2 if promise == sf.SimpleL(2) else 3)


def test_it_is_another_order_than_the_curve_and_the_default_stays() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.integers(0, 50, 300), "b": rng.integers(0, 50, 300), "s": rng.integers(0, 9, 300)})
    policy = {
        "columns": {
            "a": {"role": "quasi", "type": "integer"},
            "b": {"role": "quasi", "type": "integer"},
            "s": {"role": "sensitive"},
        },
        "privacy": [{"model": "distinct-l", "l": 3}],
    }
    plain, curve, distance = (
        sf.publish(frame, policy={**policy, "partition": {"method": "hilbert", **order}}, seed=1)
        for order in ({}, {"order": "hilbert"}, {"order": "idistance"})
    )
    assert plain.table.equals(curve.table) and not plain.table.equals(distance.table)
    assert distance.judged().holds and 0 < distance.loss < 0.3
    shuffled = sf.publish(
        frame.sample(fraction=1, shuffle=True, seed=3),
        policy={**policy, "partition": {"method": "hilbert", "order": "idistance"}},
        seed=1,
    )
    assert shuffled.loss == pytest.approx(distance.loss, rel=0.2)  # ties within a value are drawn by content
    old, new = (
        sf.read_policy({**policy, "partition": {"method": "hilbert", **each}}) for each in ({}, {"order": "hilbert"})
    )
    assert old.digest == new.digest and "order" not in new.partition.model_dump(mode="json")


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    pl.DataFrame({"age": range(20), "s": list("abcd") * 5}).write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  age: {role: quasi, type: integer}\n  s: {role: sensitive}\nprivacy:\n"
        "  - {model: distinct-l, l: 2}\npartition: {method: hilbert, order: idistance}\n",
        encoding="utf-8",
    )
    data, given_policy = str(tmp_path / "people.csv"), str(tmp_path / "p.yaml")
    cli.well("anonymize", data, "-p", given_policy, "-o", str(tmp_path / "out"))
    cli.well("audit", str(tmp_path / "out"), "-p", given_policy)
