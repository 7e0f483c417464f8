"""Figures 5 and 6: CPU time against quasi-identifiers, on Adult and on a table with the shape of Lands End."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Row, grid
from experiments.paper001.data import LANDS_END, QUASI, Census, census, lands_end, order_columns
from experiments.shapes import Line, all_of, below, rises
from sfumato.policy.promises import EntropyL, KAnonymity, Promise

__all__ = ["TIMES"]

LEVEL = 6
ROWS = 4_591_581
_MODELS: dict[str, Promise] = {"6-anonymity": KAnonymity(LEVEL), "entropy 6-diversity": EntropyL(LEVEL)}


def on_adult(people: Census, settings: Row) -> Sequence[Row]:
    """Seconds from coded rows to the lattice's minimal tables."""
    used = QUASI[: int(settings["size"] or 0)]
    table = sf.read(people.select(used, "occupation"), people.policy(used, "occupation"))
    return [_timed(table, str(settings["model"]))]


def on_orders(frame: object, settings: Row) -> Sequence[Row]:
    """The same, of orders."""
    used = list(LANDS_END)[: int(settings["size"] or 0)]
    policy = {"version": 1, "columns": order_columns(used), "privacy": [{"model": "k-anonymity", "k": 1}]}
    return [_timed(sf.read(frame.select(*used, "cost"), policy), str(settings["model"]))]  # type: ignore[attr-defined]


def _timed(table: sf.Table, model: str) -> Row:
    spent = []
    for _ in range(2):  # the first compiles, and counts the rows
        began = process_time()
        found = sf.lattice(table, _MODELS[model]).minimal
        spent.append(process_time() - began)
    return {"seconds": round(spent[-1], 4), "minimal": len(found)}


def _experiment(name: str, title: str, prepare: object, measure: object, least: int, most: int) -> Experiment[object]:
    lines = [Line("seconds", "size", {"model": model}) for model in _MODELS]
    return Experiment(
        paper="001",
        name=name,
        title=title,
        points=grid({"model": list(_MODELS), "size": range(least, most + 1)}),
        quick=(),
        prepare=prepare,  # type: ignore[arg-type]
        measure=measure,  # type: ignore[arg-type]
        charts=(Chart(name, title, "size", "quasi-identifiers", "seconds", "seconds of CPU time", "model"),),
        claims=(
            Claim(name, "time grows with quasi-identifiers", all_of(*(rises(line, 0.1) for line in lines))),
            Claim(name, "l-diversity takes about as long as k-anonymity", below(lines[1], lines[0], 0.5)),
        ),
        timed=True,
    )


TIMES = (
    _experiment("fig5", "CPU time, Adult, k = l = 6", census, on_adult, 3, 7),
    _experiment("fig6", "CPU time, shape of Lands End, k = l = 6", lambda: lands_end(ROWS), on_orders, 3, 7),
)
