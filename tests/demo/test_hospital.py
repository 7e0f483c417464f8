"""The demo hospital: reproducible, correlated, and able to keep its promise."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.demo.diseases import RISKS, disease_rows
from sfumato.demo.hospital import DISEASES, hospital, write_demo
from sfumato.errors import InputError
from sfumato.policy.load import read_policy


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    return hospital(4000, 7)


def test_same_seed_same_table() -> None:
    assert hospital(300, 5).equals(hospital(300, 5))
    assert not hospital(300, 5).equals(hospital(300, 6))
    assert hospital(0).height == 0
    assert hospital().height == 2000


def test_columns(patients: pl.DataFrame) -> None:
    assert patients.schema == {
        "name": pl.String,
        "zip": pl.String,
        "age": pl.Int64,
        "sex": pl.String,
        "admission": pl.Date,
        "ward": pl.String,
        "disease": pl.String,
    }
    assert patients.null_count().row(0) == (0,) * 7
    assert patients["zip"].str.contains(r"^[0-9]{5}$").all()
    leading = patients["zip"].str.starts_with("0").mean()
    assert isinstance(leading, float) and 0.2 < leading < 0.8
    assert patients["age"].is_between(0, 99).all()
    assert set(patients["sex"]) == {"F", "M"}
    assert patients["admission"].dt.year().unique().to_list() == [2024]
    assert patients["admission"].n_unique() > 360
    assert patients["name"].str.contains(r"^[A-Z][a-z]+ [A-Z][a-z]+$").all()


@pytest.mark.parametrize("seed", range(5))
def test_the_promise_is_feasible(seed: int) -> None:
    frame = hospital(500, seed)
    shares = [count / 500 for count in frame["disease"].value_counts()["count"]]
    assert -sum(share * math.log(share) for share in shares) > math.log(3)
    assert max(shares) < 1 / 4  # simple l = 4, so entropy l = 3 with room
    assert max(shares) > 2 / len(shares)  # skewed all the same


def test_quasi_identifiers_single_people_out(patients: pl.DataFrame) -> None:
    sizes = patients.group_by("zip", "age", "sex", "admission").len()["len"]
    assert (sizes == 1).sum() > 0.95 * patients.height


def test_disease_depends_on_age_and_sex(patients: pl.DataFrame) -> None:
    ages = dict(patients.group_by("disease").agg(pl.col("age").mean()).iter_rows())
    assert ages["hip fracture"] > ages["migraine"] + 20
    assert ages["appendicitis"] < ages["stroke"] - 20
    men = dict(patients.group_by("disease").agg((pl.col("sex") == "M").mean()).iter_rows())
    assert men["prostate cancer"] == 1
    assert men["breast cancer"] < 0.1
    assert men["heart attack"] > 0.55


def test_ward_depends_on_nothing(patients: pl.DataFrame) -> None:
    """Chi-square of ward and disease below its 0.999 quantile (normal approximation)."""
    observed = patients.pivot("ward", index="disease", values="age", aggregate_function="len").fill_null(0)
    table = observed.drop("disease").to_numpy().astype(float)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    assert ((table - expected) ** 2 / expected).sum() < freedom + 3.1 * math.sqrt(2 * freedom)


def test_frequencies_follow_the_risks() -> None:
    """Shares of men of 70, against the weights worked out one by one."""
    frame = hospital(200_000, 3).filter((pl.col("age") == 70) & (pl.col("sex") == "M"))
    weights = {
        name: risk.frequency * (0.03 + math.exp(-(((70 - risk.age) / risk.spread) ** 2) / 2)) * (1 - risk.women)
        for name, risk in RISKS.items()
    }
    counts = dict(frame["disease"].value_counts().iter_rows())
    for name, weight in weights.items():
        share = weight / sum(weights.values())
        deviation = math.sqrt(share * (1 - share) / frame.height)
        assert abs(counts.get(name, 0) / frame.height - share) <= 5 * deviation, name


def test_the_taxonomy_is_a_tree_over_all_diseases(patients: pl.DataFrame) -> None:
    rows = disease_rows()
    assert set(patients["disease"]) <= {row[0] for row in rows}
    assert 20 <= len(rows) <= 30
    assert len({row[0] for row in rows}) == len(rows)
    groups = {group: chapter for _, group, chapter, _ in rows}
    assert all(groups[group] == chapter for _, group, chapter, _ in rows)
    labels = [*(row[0] for row in rows), *groups, *DISEASES]
    assert len(set(labels)) == len(labels)
    assert {row[3] for row in rows} == {"*"}


def test_files(tmp_path: Path) -> None:
    paths = write_demo(tmp_path / "new" / "démo", rows=50, seed=2)
    policy = read_policy(paths.policy)
    data = pl.read_csv(paths.data, infer_schema=False)
    assert data.columns == list(policy.columns)
    assert data.equals(hospital(50, 2).cast(pl.String))
    assert policy.quasi == ("zip", "age", "sex", "admission")
    assert [promise.as_dict() for promise in policy.privacy] == [
        {"model": "k-anonymity", "k": 5},
        {"model": "entropy-l", "l": 3, "on": "disease"},
    ]
    dumped = policy.as_dict()["columns"]
    assert dumped["disease"]["hierarchy"] == {"file": paths.hierarchy.name, "header": False}
    assert (policy.base / paths.hierarchy.name).is_file()
    lines = paths.hierarchy.read_bytes().decode().split("\n")
    assert lines.pop() == ""
    assert [tuple(line.split(";")) for line in lines] == disease_rows()


@pytest.mark.parametrize("name", ["patients.csv", "disease.csv", "patients.yaml"])
def test_existing_files_stay(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=name):
        write_demo(tmp_path, rows=10)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"
    write_demo(tmp_path, rows=10, force=True)
    assert (tmp_path / name).read_text(encoding="utf-8") != "mine"
