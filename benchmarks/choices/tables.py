"""Five real tables, and what each is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from sfumato import datasets
from sfumato.datasets.store import find_files

__all__ = ["PROMISES", "TABLES", "RealTable"]

PROMISES: dict[str, Mapping[str, Any]] = {
    "k = 5": {"model": "k-anonymity", "k": 5},
    "distinct 3": {"model": "distinct-l", "l": 3},
    "entropy 3": {"model": "entropy-l", "l": 3},
    "recursive (4, 3)": {"model": "recursive-cl", "c": 4, "l": 3},
    "t = .3": {"model": "t-closeness", "t": "0.3"},
}


@dataclass(frozen=True)
class RealTable:
    """A table and its columns, as a policy describes them."""

    frame: pl.DataFrame
    columns: Mapping[str, Mapping[str, Any]]

    def policy(self, promise: Mapping[str, Any]) -> dict[str, Any]:
        return {"version": 1, "columns": dict(self.columns), "privacy": [promise]}


def _adult() -> RealTable:
    how = datasets.adult_hierarchies()
    frame = datasets.adult_arx()
    columns = {name: {"role": "quasi", **how["income" if name == "salary-class" else name]} for name in frame.columns}
    return RealTable(frame, {**columns, "occupation": {"role": "sensitive"}})


def _nursery() -> RealTable:
    return _plain(datasets.nursery(), "class", {})


def _cmc() -> RealTable:
    """Children are sensitive: the methods of contraception are but three."""
    intervals = {"type": "integer", "hierarchy": {"intervals": [5, 10, 20]}}
    frame = pl.read_csv(_file("cmc.csv.gz")).cast({pl.Int64: pl.String})
    return _plain(frame, "num_children", {"wife_age": intervals})


def _mushroom() -> RealTable:
    names = ["cap-shape", "cap-surface", "cap-color", "bruises", "odor", "gill-color", "stalk-root", "ring-type"]
    return _plain(pl.read_csv(_file("mushroom.csv.gz")).select(*names, "population", "habitat"), "habitat", {})


def _covertype() -> RealTable:
    """Where a patch of forest lies, what grows there, and, sensitive, on which soil; every twentieth of 581,012."""
    wide = {"type": "integer", "hierarchy": {"intervals": [50, 100, 200, 1000]}}
    narrow = {"type": "integer", "hierarchy": {"intervals": [5, 15, 45, 180]}}
    frame = pl.read_parquet(_file("covertype.parquet")).gather_every(20)
    soil = [name for name in frame.columns if name.startswith("Soil_Type")]
    area = [name for name in frame.columns if name.startswith("Wilderness_Area")]
    joined = frame.select(
        pl.col("Elevation", "Aspect", "Slope", "Horizontal_Distance_To_Hydrology").cast(pl.Int64),
        area=pl.concat_list(area).list.arg_max().cast(pl.String),
        cover=pl.col("Cover_Type").cast(pl.String),
        soil=pl.concat_list(soil).list.arg_max().cast(pl.String),
    )
    numbers = {"Elevation": wide, "Horizontal_Distance_To_Hydrology": wide, "Aspect": narrow, "Slope": narrow}
    return _plain(joined, "soil", numbers)


def _plain(frame: pl.DataFrame, sensitive: str, described: Mapping[str, Mapping[str, Any]]) -> RealTable:
    """Columns without a hierarchy are shown as sets of values."""
    columns: dict[str, Mapping[str, Any]] = {
        name: {"role": "quasi", **described.get(name, {})} for name in frame.columns
    }
    return RealTable(frame, {**columns, sensitive: {"role": "sensitive"}})


def _file(name: str) -> str:
    return str(find_files(".", {name: name})[name])


TABLES: dict[str, Callable[[], RealTable]] = {
    "Adult": _adult,
    "Nursery": _nursery,
    "CMC": _cmc,
    "Mushroom": _mushroom,
    "Covertype": _covertype,
}
