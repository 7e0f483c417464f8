"""Random small tables with the traits that releases stumble over, and what a policy says of their columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from .case import Cell, Row

__all__ = ["Sample", "sample"]

Column = dict[str, Any]

TOWNS = ("Aarau", "Basel", "Chur", "Davos", "Emmen", "Frick")
TOWN_TREE = {"north": {"upper": ["Aarau", "Basel"], "lower": ["Frick"]}, "south": {"high": ["Chur", "Davos"]}}
ILLS = ("cold", "flu", "gout", "lupus", "mumps", "ulcer")
ILL_TREE = {"acute": ["cold", "flu", "mumps"], "chronic": ["gout", "lupus", "ulcer"]}
TERMS = ("ache", "cough", "fever", "rash")
LABELS: dict[str, Any] = {
    "flu": ["cough", "fever", "ache"],
    "cold": [["cough"], ["ache", "rash"]],
    "gout": ["ache", "rash"],
    "mumps": ["fever", "rash"],
}
LABEL_TREE = {"acute": ["cold", "flu", "mumps"], "chronic": ["gout"]}
SPELT: tuple[Callable[[str], str], ...] = (
    str.capitalize,
    lambda text: f"{text} ",
    lambda text: f"{text[0]}\u200b{text[1:]}",
    lambda text: f"{text}\u00a0",
    lambda text: f" {text}",
)


@dataclass(frozen=True)
class Sample:
    """Columns as a policy describes them, and the rows."""

    columns: Mapping[str, Column]
    rows: tuple[Row, ...]

    def named(self, role: str) -> list[str]:
        return [name for name, column in self.columns.items() if column["role"] == role]


def sample(rng: Random, *, secrets: int, sets: bool, people: bool) -> Sample:
    """A table of 4 to 40 rows with so many sensitive columns; a set of terms, people with several rows if asked for."""
    count = rng.choice([rng.randint(4, 9), rng.randint(6, 16), rng.randint(12, 24), rng.randint(25, 40)])
    count = count if secrets < 2 else max(count, 2 * rng.randint(4, 20))
    columns: dict[str, Column] = {}
    cells: dict[str, list[Cell]] = {}
    if rng.random() < 0.1:
        columns["name"] = {"role": "identifier", "pseudonym": rng.random() < 0.5}
        cells["name"] = [f"person {row}" for row in range(count)]
    if people:
        columns["person"] = {"role": "individual"}
        several = rng.randint(max(2, count // 2), count)
        cells["person"] = [f"P{row if row < several else rng.randrange(several)}" for row in range(count)]
        if rng.random() < 0.2:
            columns["person"]["missing"] = "drop"
            cells["person"][rng.randrange(count)] = None
    for place in range(rng.choice([1, 1, 2, 2, 3])):
        column, values = rng.choice(QUASI)(rng, count)
        columns[f"q{place}"], cells[f"q{place}"] = column, _with_gaps(rng, column, values, 0.25)
    first = next(name for name in columns if name.startswith("q"))
    for place in range(secrets):
        column, values = rng.choice(SECRET)(rng, count, secrets)
        values = _correlated(rng, cells[first], values)
        columns[f"s{place}"], cells[f"s{place}"] = column, _with_gaps(rng, column, values, 0.15)
    if sets:
        column, values = _terms(rng, count)
        columns["terms"], cells["terms"] = column, _correlated(rng, cells[first], values)
    if rng.random() < 0.6 or "person" in columns:
        columns["tag"] = {"role": "insensitive", "unique": "accepted"}
        cells["tag"] = [f"tag{row:03}" for row in range(count)]
    rows = tuple({name: cells[name][row] for name in columns} for row in range(count))
    return Sample(columns, rows)


def _with_gaps(rng: Random, column: Column, values: list[Cell], chance: float) -> list[Cell]:
    """Some cells missing, at times, and a rule for them."""
    if rng.random() >= chance:
        return values
    share = rng.choice([0.1, 0.3])
    column["missing"] = rng.choice(["category", "drop", "drop"])
    return [None if rng.random() < share else value for value in values]


def _correlated(rng: Random, leading: list[Cell], values: list[Cell]) -> list[Cell]:
    """At times, rows that agree in the leading column mostly agree in this one."""
    if rng.random() < 0.6:
        return values
    usual = {lead: rng.choice(values) for lead in dict.fromkeys(leading)}
    return [usual[lead] if rng.random() < 0.6 else value for lead, value in zip(leading, values, strict=True)]


def _numbers(rng: Random, count: int) -> tuple[Column, list[Cell]]:
    low, span = rng.randint(11, 60), rng.choice([3, 8, 25])
    values: list[Cell] = [str(low + rng.randrange(span)) for _ in range(count)]
    if rng.random() < 0.5:
        for _ in range(rng.randint(1, 2)):
            values[rng.randrange(count)] = str(rng.choice([907, 1013, 437, 1]))
    hierarchy: list[Any] = [None, {"intervals": [5, 10, 20]}, {"intervals": [7], "origin": 3}]
    hierarchy += [{"balanced": {"fanout": rng.choice([2, 3])}}, {"balanced": {}}, "flat"]
    return _quasi(rng.choice(hierarchy), "integer"), values


def _places(rng: Random, count: int) -> tuple[Column, list[Cell]]:
    some = rng.sample(TOWNS[:5] if rng.random() < 0.9 else TOWNS, rng.randint(2, 4))
    hierarchy: Any = rng.choice([None, None, {"tree": _town_tree()}, {"balanced": {}}, "flat"])
    column = _quasi(hierarchy, "text")
    if hierarchy is None and rng.random() < 0.3:
        column["order"] = sorted(TOWNS)
    return column, [rng.choice(some) for _ in range(count)]


def _town_tree() -> dict[str, Any]:
    return {"land": {**TOWN_TREE, "east": ["Emmen"]}}


def _days(rng: Random, count: int) -> tuple[Column, list[Cell]]:
    hierarchy: Any = rng.choice([None, {"dates": ["month", "year"]}, {"dates": ["day", "quarter"]}, {"balanced": {}}])
    days = [f"202{rng.randint(3, 4)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}" for _ in range(rng.randint(2, 6))]
    return _quasi(hierarchy, "date"), [rng.choice(days) for _ in range(count)]


def _codes(rng: Random, count: int) -> tuple[Column, list[Cell]]:
    hierarchy: Any = rng.choice([None, {"mask": "right"}, {"mask": "right"}, {"mask": "left"}])
    codes = [f"{rng.choice(['130', '148'])}{rng.randint(0, 3):02}" for _ in range(rng.randint(2, 5))]
    return _quasi(hierarchy, "text"), [rng.choice(codes) for _ in range(count)]


def _quasi(hierarchy: Any, kind: str) -> Column:
    column: Column = {"role": "quasi", "type": kind}
    return column if hierarchy is None else {**column, "hierarchy": hierarchy}


def _ills(rng: Random, count: int, columns: int) -> tuple[Column, list[Cell]]:
    some = rng.sample(ILLS, rng.randint(2, 5) if columns < 2 else rng.choice([2, 2, 3]))
    weights = [rng.choice([1, 1, 1, 2, 3]) for _ in some]
    values: list[Cell] = list(rng.choices(some, weights, k=count))
    column: Column = {"role": "sensitive"}
    kind = rng.random()
    if kind < 0.3:
        column["hierarchy"] = {"tree": ILL_TREE}
    elif kind < 0.45:
        column["order"] = list(ILLS)
    elif kind < 0.55:
        values = [rng.choice(SPELT)(value) if value is not None and rng.random() < 0.4 else value for value in values]
        if rng.random() < 0.6:
            column["same"] = rng.choice([["case", "space"], ["case", "space"], "space", "none"])
    return column, values


def _incomes(rng: Random, count: int, columns: int) -> tuple[Column, list[Cell]]:
    bases = rng.sample([1000, 1500, 2000, 3000, 5000], rng.randint(2, 4) if columns < 2 else 2)
    values: list[Cell] = [str(rng.choice(bases) + rng.choice([0, 0, 3, 7, 9])) for _ in range(count)]
    column: Column = {"role": "sensitive", "type": "integer"}
    kind = rng.random()
    if kind < 0.5:
        column["difference"] = 10
    elif kind < 0.7:
        column["bins"] = {"width": 1000}
    elif kind < 0.8:
        column["bins"] = [0, 1200, 2500, 6000]
    return column, values


def _terms(rng: Random, count: int) -> tuple[Column, list[Cell]]:
    column: Column = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": LABELS}}
    if rng.random() < 0.25:
        column["knowledge"] = {"labels": LABELS, "priors": {"flu": 3, "cold": 4, "gout": 1, "mumps": 2}}
    if rng.random() < 0.15:
        column["lengths"] = "known"
    if rng.random() < 0.15:
        column["unknown"] = "strict"
    if rng.random() < 0.3:
        column["hierarchy"] = {"tree": LABEL_TREE}
    if rng.random() < 0.1:
        column["missing"] = "drop"
    known = [*TERMS, "itch"] if rng.random() < 0.25 else list(TERMS)
    return column, [_set(rng, known) for _ in range(count)]


def _set(rng: Random, known: list[str]) -> Cell:
    some = rng.sample(known, rng.choice([0, 1, 1, 1, 2, 2]))
    return "|".join(some) or None


QUASI = (_numbers, _numbers, _places, _days, _codes)
SECRET = (_ills, _ills, _incomes)
