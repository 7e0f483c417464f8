"""Figure 13: what SWEEP leaves of tables whose largest l is 1, under (0.5, 2); and rules of the originals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

import sfumato as sf
from experiments.contract import Claim, Experiment, Found, Printed, Row, Verdict
from experiments.paper000.compared import RULES, Tables, published, tables
from experiments.paper000.data import People, adult, flat
from experiments.shapes import number
from sfumato.datasets.store import find_files
from sfumato.measures.uses.mining import mined

__all__ = ["NARROW", "RULES_MINED"]

CONDITIONS = {"Adult": 5, "Nursery": 4}
_COLUMNS = 6


def narrow_tables() -> Mapping[str, People]:
    """Adult with salaries, and two tables of UCI: six quasi-identifiers each, shown or not."""
    made = {"Adult, Salary": adult("income")}
    for name, file in (("Car Evaluation", "car_evaluation.csv.gz"), ("Mushroom", "mushroom.csv.gz")):
        frame = pl.read_csv(find_files(".", {file: file})[file], infer_schema=False)
        used = [column for column in frame.columns if column != "class"][:_COLUMNS]
        made[name] = flat(frame.select(*used, "class"), "class", 2)
    return made


def measure(data: Mapping[str, People], settings: Row) -> Sequence[Row]:
    """The largest l without generalized secrets, and the share of information that SWEEP keeps."""
    people = data[str(settings["table"])]
    counts = people.frame[people.sensitive].value_counts()["count"]
    release = published(people, sf.TauL("0.5", 2), sf.Sweep(faithful=True))
    figure = sf.measure(release, only=["information-utility"]).measurements[0].figure
    kept = None if figure is None else round(figure.value, 6)
    return [{"largest_l": people.frame.height // int(counts.max() or 1), "utility": kept}]  # type: ignore[arg-type]


def _useful(found: Found) -> Verdict:
    kept = {str(row["table"]): float(row["utility"] or 0) for row in found.rows}
    told = ", ".join(f"{name} {share:.2f}" for name, share in kept.items())
    return Verdict(min(kept.values()) > 0.5, told)


_TABLES = ("Adult, Salary", "Car Evaluation", "Mushroom")

NARROW = Experiment(
    paper="000",
    name="fig13",
    title="what SWEEP keeps of tables whose largest l is 1, (0.5, 2)-diversity",
    points=tuple({"table": name} for name in _TABLES),
    quick=({"table": "Car Evaluation"},),
    prepare=narrow_tables,
    measure=measure,
    printed=(
        Printed(
            "information kept of Adult, Salary",
            0.7,
            number("utility", {"table": "Adult, Salary"}),
            1,
            "hierarchies and the choice of attributes are ours",
        ),
    ),
    claims=(Claim("fig13", "SWEEP makes useful tables where simple l-diversity makes none", _useful),),
)


def mined_rules(data: Tables, settings: Row) -> Sequence[Row]:
    """Rules of the original: all, and those of which no part is one."""
    name = str(settings["data"])
    people, asked = data[name], RULES[name]
    table, features = people.coded.coded, tuple(column for column in people.columns if column != people.sensitive)
    support, confidence, most = int(asked["support"]), asked["confidence"], CONDITIONS[name]
    found = {
        words: len(mined(table, features, people.sensitive, support, confidence, most, shortest))
        for words, shortest in (("shortest", True), ("all", False))
    }
    return [found]


_RULE = "the attributes are lost with Figure 8, and it is not told whether a rule counts of which a part is one"

RULES_MINED = Experiment(
    paper="000",
    name="rules",
    title="classification rules of the original tables",
    points=({"data": "Adult"}, {"data": "Nursery"}),
    quick=({"data": "Nursery"},),
    prepare=tables,
    measure=mined_rules,
    printed=(
        Printed("rules of Adult", 62, number("all", {"data": "Adult"}), 0, _RULE),
        Printed("rules of Nursery", 19, number("shortest", {"data": "Nursery"}), 0, _RULE),
    ),
)
