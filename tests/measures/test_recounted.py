"""Losses counted again from what was published: the same as the release came with, whatever made it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.support.examples import examples

MEASURES = {
    "ncp": "ncp",
    "geometric": "loss",
    "height": "height",
    "precision": "precision",
    "non-uniform-entropy": "non-uniform-entropy",
    "information-utility": "information-utility",
}
"""Losses of a policy, and the measures that are the same."""

DISEASES = {"tree": {"any": {"inner": ["d0", "d1"], "outer": ["d2", "d3", "d4"]}}}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "type": "integer"},
    "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
    "sex": {"role": "quasi", "missing": "category"},
    "seen": {"role": "quasi", "type": "date"},
    "blood": {"role": "quasi", "hierarchy": {"tree": {"A": ["A+", "A-"], "B": ["B+"], "O": ["O+", "O-"]}}},
    "one": {"role": "quasi"},
    "disease": {"role": "sensitive", "hierarchy": DISEASES},
}


def people(seed: int, rows: int) -> pl.DataFrame:
    draw = random.Random(seed)
    diseases = [f"d{place % 5}" for place in range(rows)]
    draw.shuffle(diseases)
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 60) for _ in range(rows)],
            "zip": [f"{draw.randrange(4)}{draw.randrange(10)}" for _ in range(rows)],
            "sex": [draw.choice(["female", "male", "other", None]) for _ in range(rows)],
            "seen": [f"2024-0{draw.randrange(1, 7)}-1{draw.randrange(3)}" for _ in range(rows)],
            "blood": [draw.choice(["A+", "A-", "B+", "O+", "O-"]) for _ in range(rows)],
            "one": ["same"] * rows,
            "disease": diseases,
        }
    )


WAYS: dict[str, dict[str, Any]] = {
    "mondrian": {"partition": {"method": "mondrian"}},
    "boxes": {"partition": {"method": "boxes"}},
    "polish": {"partition": {"method": "mondrian", "steps": ["polish"]}},
    "sweep": {"partition": {"method": "sweep"}, "privacy": [{"model": "tau-l", "tau": "1/2", "l": 3}]},
    "lattice": {"partition": {"method": "lattice"}, "suppression": {"limit": "1/2"}},
    "lattice, kept": {"partition": {"method": "lattice"}, "suppression": {"limit": "1/2", "keep": True}},
    "ring": {"partition": {"method": "mondrian"}, "form": {"publish": "ring"}},
    "bounds": {"partition": {"method": "mondrian"}, "form": {"publish": "generalized", "numbers": "bounds"}},
    "anatomized": {"partition": {"method": "anatomy"}, "form": {"publish": "anatomized"}},
    "anatomized, less": {
        "partition": {"method": "lattice"},
        "form": {"publish": "anatomized"},
        "suppression": {"limit": "1/2"},
    },
    "permuted, kept": {
        "partition": {"method": "lattice"},
        "form": {"publish": "permuted"},
        "suppression": {"limit": "1/2", "keep": True},
    },
    "permuted": {"partition": {"method": "mondrian"}, "form": {"publish": "permuted"}},
    "randomized": {"partition": {"method": "mondrian", "slack": 1}, "form": {"publish": "randomized"}},
    "sliced": {
        "partition": {"method": "mondrian"},
        "form": {"publish": "sliced", "slices": [["age", "zip"], ["sex", "seen"], ["blood", "one"]]},
    },
}


def policy(way: str, metric: str, weights: dict[str, Any]) -> dict[str, Any]:
    loss = {"metric": metric, "weights": weights}
    return {"columns": COLUMNS, "privacy": [{"model": "simple-l", "l": 2}], "loss": loss, **WAYS[way]}


def losses(release: sf.Release) -> dict[str, float]:
    """What a release says that it lost of every column that its loss counts."""
    assert release.lost is not None
    quasi = {name: each.loss for name, each in release.lost.quasi.items()}
    return quasi | {name: each.loss for name, each in release.lost.sensitive.items() if release.lost.all_columns}


def same(found: sf.Measured, name: str, release: sf.Release) -> None:
    figure = found[name]
    worth = name == "information-utility"
    assert figure.value == pytest.approx(1 - release.loss if worth else release.loss, abs=1e-12)
    told = {column: 1 - value if worth else value for column, value in figure.columns.items()}
    assert told == pytest.approx(losses(release), abs=1e-12)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.integers(10, 60), st.sampled_from([*MEASURES]), st.booleans())
def test_the_loss_of_a_release_is_that_of_its_tables(way: str, seed: int, rows: int, metric: str, heavy: bool) -> None:
    """Column by column too; and of the table alone, beside the original."""
    table = people(seed, rows)
    given = policy(way, metric, {"age": 3, "zip": "1/2", "sex": 0} if heavy else {})
    try:
        release = sf.publish(table, policy=given, seed=seed)
    except sf.NoneFound:
        return
    name = MEASURES[metric]
    same(sf.measure(release, only=[name]), name, release)
    if len(release.tables) == 1 and way not in ("sliced", "permuted", "randomized", "bounds"):
        same(sf.measure(release.table, given, original=table, only=[name]), name, release)


def test_the_same_from_a_folder(tmp_path: Path, key: str) -> None:
    table, given = people(3, 60), policy("lattice, kept", "ncp", {})
    release = sf.publish(table, policy=given)
    release.write(tmp_path / "out")
    assert release.suppressed
    same(sf.measure(tmp_path / "out", given, original=table, only=["ncp"]), "ncp", release)
