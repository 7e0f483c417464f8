"""Table 1: the largest l for which simple l-diversity can be kept at all, and the least c for l = 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from experiments.contract import Experiment, Printed, Row
from experiments.shapes import number
from sfumato import datasets
from sfumato.datasets.store import find_files

__all__ = ["RANGES", "secrets"]

_FILES = {
    "Abalone": ("abalone.csv.gz", "Rings"),
    "Car Evaluation": ("car_evaluation.csv.gz", "class"),
    "Chess (KRK)": ("chess_krk.csv.gz", "class"),
    "Chess (KRKP)": ("chess_krkp.csv.gz", "class"),
    "CMC": ("cmc.csv.gz", "contraceptive_method"),
    "Covertype": ("covertype.parquet", "Cover_Type"),
    "MAGIC": ("magic_gamma.csv.gz", "class"),
    "Mushroom": ("mushroom.csv.gz", "class"),
    "Musk2": ("musk2.csv.gz", "class"),
    "Poker hand": ("poker_hand_train.csv.gz", "class"),
    "Shuttle": ("shuttle.csv.gz", "class"),
}
_PRINTED = {
    "Abalone": 6,
    "Adult, Salary": 1,
    "Adult, Occupation": 7,
    "Car Evaluation": 1,
    "Chess (KRK)": 6,
    "Chess (KRKP)": 1,
    "CMC": 2,
    "Covertype": 2,
    "MAGIC": 1,
    "Mushroom": 1,
    "Musk2": 1,
    "Nursery": 3,
    "Poker hand": 1,
    "Shuttle": 1,
}
_WHY = {"Poker hand": "the training part alone, 25,010 of 1,025,010 rows: just under half of them have nothing"}
_VALUES = dict(zip(_PRINTED, (29, 2, 14, 4, 18, 2, 3, 8, 2, 2, 2, 5, 10, 7), strict=True))
_ONE_MORE = ("Abalone", "Covertype")


def secrets() -> Mapping[str, pl.Series]:
    """The sensitive column of every table."""
    made = {name: _column(file, column) for name, (file, column) in _FILES.items()}
    adult = datasets.adult_complete()
    return {**made, "Adult, Salary": adult["income"], "Adult, Occupation": adult["occupation"], **_nursery()}


def _nursery() -> dict[str, pl.Series]:
    return {"Nursery": datasets.nursery()["class"]}


def _column(file: str, column: str) -> pl.Series:
    path = find_files(".", {file: file})[file]
    if path.suffix == ".parquet":
        return pl.read_parquet(path, columns=[column])[column]
    return pl.read_csv(path, columns=[column], infer_schema=False)[column]


def measure(data: Mapping[str, pl.Series], settings: Row) -> Sequence[Row]:
    """Rows, different values, the largest l, and the least whole c for recursive (c,2)-diversity of the whole table."""
    counts = data[str(settings["table"])].value_counts(sort=True)["count"]
    rows, most = int(counts.sum()), int(counts[0])
    tail = rows - most
    return [{"rows": rows, "values": len(counts), "largest_l": rows // most, "least_c": most // tail + 1}]


RANGES = Experiment(
    paper="000",
    name="table1",
    title="eligible ranges of UCI tables",
    points=tuple({"table": name} for name in _PRINTED),
    quick=tuple({"table": name} for name in _PRINTED),
    prepare=secrets,
    measure=measure,
    printed=(
        *(
            Printed(f"largest l, {name}", l, number("largest_l", {"table": name}), 0, _WHY.get(name, ""))
            for name, l in _PRINTED.items()
        ),
        *(
            Printed(
                f"values, {name}",
                many,
                number("values", {"table": name}),
                0,
                "one too many is printed" if name in _ONE_MORE else "",
            )
            for name, many in _VALUES.items()
        ),
        *(
            Printed(f"{what}, {name}", value, None, 0, "the table is not at hand")
            for name, l, many in (("Connect-4", 1, 3), ("Internet advertisements", 1, 2))
            for what, value in (("largest l", l), ("values", many))
        ),
        Printed("least c for l = 2, Adult, Salary", 4, number("least_c", {"table": "Adult, Salary"})),
        Printed("rows, Adult", 45222, number("rows", {"table": "Adult, Salary"})),
        Printed("rows, Nursery", 12960, number("rows", {"table": "Nursery"})),
    ),
)
