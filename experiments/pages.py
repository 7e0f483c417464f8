"""Tables of the pages in docs/papers, made from what is stored: numbers, claims, and the values of every picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from experiments.contract import Experiment, Found
from experiments.judging import CLAIMS, NUMBERS, claim_lines, number_lines, rows_of, table_of
from experiments.registry import EXPERIMENTS
from experiments.results import load

__all__ = ["tables"]

Table = tuple[Sequence[str], list[list[str]]]


def tables() -> Iterator[tuple[str, Table]]:
    """Every table by its name; of experiments without stored results there is only what is printed of times."""
    every = [(each, load(each)) for each in EXPERIMENTS]
    stored = [(each, found) for each, found in every if found is not None]
    for paper in dict.fromkeys(each.paper for each, _ in stored):
        own = [(each, found) for each, found in stored if each.paper == paper]
        timed = [(each, found) for each, found in every if each.paper == paper and (each.timed or found is not None)]
        yield f"{paper} numbers", (NUMBERS, [line for pair in timed for line in number_lines(*pair)])
        yield f"{paper} claims", (CLAIMS, [line for pair in own for line in claim_lines(*pair)])
        for each, found in own:
            yield from _values(each, found)


def _values(experiment: Experiment[Any], found: Found) -> Iterator[tuple[str, Table]]:
    for chart in experiment.charts:
        yield f"{experiment.paper} {chart.name}", table_of(chart, found)
    if not experiment.charts:
        yield f"{experiment.paper} {experiment.name}", rows_of(found)
