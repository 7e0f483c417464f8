"""``python -m experiments``: the papers' tables and figures computed again, with what they print beside it.

    python -m experiments                   everything but times
    python -m experiments 002 table5        one table or figure of one paper
    python -m experiments --quick           some points of each, compared with what is stored
    python -m experiments --times           those that measure CPU time, for a quiet machine

What was computed is kept point by point in build/experiments, and a run that was stopped goes on from there; results
are written there too, or into experiments/results with --save.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Shown

from experiments.contract import Experiment, Found, Row
from experiments.judging import CLAIMS, NUMBERS, amiss, claim_lines, number_lines
from experiments.points import PointCache, computed
from experiments.registry import EXPERIMENTS
from experiments.results import STORED, disagreements, load, save
from sfumato.errors import InputError, SfumatoError

__all__ = ["chosen", "main"]

BUILD = Path("build", "experiments")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 if a number or a claim is amiss, or a quick run finds others; 2 if something cannot be had."""
    asked = _parser().parse_args(arguments)
    errors = Console(stderr=True)
    try:
        faults = [
            fault for each in chosen(asked.paper, asked.figures, asked.times) for fault in _ran(each, asked, errors)
        ]
    except SfumatoError as error:
        errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    for fault in faults:
        errors.print(fault, style="red", markup=False, highlight=False, soft_wrap=True)
    return 1 if faults else 0


def chosen(paper: str | None, figures: Sequence[str], times: bool) -> list[Experiment[Any]]:
    """Those of a paper, or of all; by their figures, if some are named."""
    found = [each for each in EXPERIMENTS if paper is None or each.paper == paper]
    if not found:
        raise InputError(f"{paper}: no such paper; there are {', '.join(dict.fromkeys(e.paper for e in EXPERIMENTS))}")
    names = [name for each in found for name in each.names]
    lost = [name for name in figures if name not in names]
    if lost:
        raise InputError(f"{', '.join(lost)}: no such table or figure in {paper}; there are {', '.join(names)}")
    found = [each for each in found if not figures or {*figures} & {*each.names}]
    made = [each for each in found if each.timed == times]
    if not made:
        raise InputError("these measure CPU time: ask for --times" if found else "nothing is chosen")
    return made


def _ran(experiment: Experiment[Any], asked: argparse.Namespace, errors: Console) -> list[str]:
    """Computes, shows and writes; what is amiss."""

    def told(done: int, points: int, settings: Row) -> None:
        words = ", ".join(f"{name} {value}" for name, value in settings.items())
        line = f"{experiment.paper} {experiment.name}  {done}/{points}  {words}"
        errors.print(line, markup=False, highlight=False, soft_wrap=True)

    stored = load(experiment)
    if asked.redraw:
        return [] if stored is None else [*_written(experiment, stored, STORED, errors)]
    if asked.quick:
        found = computed(experiment, experiment.quick, None, fresh=True, told=told)
        return [] if stored is None else [*disagreements(experiment, found, stored)]
    found = computed(experiment, experiment.points, PointCache(BUILD / "points"), fresh=asked.fresh, told=told)
    faults = [*_written(experiment, found, STORED if asked.save else BUILD / "results", errors)]
    shown(experiment, found)
    return faults


def _written(experiment: Experiment[Any], found: Found, folder: Path, errors: Console) -> Iterator[str]:
    """Writes results and pictures; what is amiss."""
    for file in save(experiment, found, folder):
        errors.print(f"wrote {file}", markup=False, highlight=False, soft_wrap=True)
    yield from amiss(experiment, found)


def shown(experiment: Experiment[Any], found: Found) -> None:
    """Numbers and claims, as tables."""
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(f"{experiment.paper} {', '.join(experiment.names)}: {experiment.title}", highlight=False)
    parts = ((NUMBERS, number_lines(experiment, found)), (CLAIMS, claim_lines(experiment, found)))
    for head, lines in parts:
        table = Shown(*head)
        for line in lines:
            table.add_row(*line)
        if table.row_count:
            console.print(table)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("paper", nargs="?", help="its number, 000 to 004; all, if none is said")
    add("figures", nargs="*", help="such as table5 or fig6; all of the paper, if none is said")
    add("--quick", action="store_true", help="compute some points of each again, and compare them with what is stored")
    add("--times", action="store_true", help="measure CPU times instead: on a machine that has nothing else to do")
    add("--fresh", action="store_true", help="compute every point anew, also where it is kept")
    add("--redraw", action="store_true", help="compute nothing, and draw stored pictures again from stored results")
    add("--save", action="store_true", help="store results as those to compare with")
    return parser


if __name__ == "__main__":
    sys.exit(main())
