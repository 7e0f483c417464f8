"""``python -m benchmarks.sidebyside``: how long `sf.compare` takes on Adult with every method, two at a time.

Adult's 30,162 rows with the hierarchies that come with sfumato, three different occupations in every group; every
method in the form generalized, and anatomized, which some of them are for; and the same at a level that no table keeps.
A first run of the same on a thousand rows compiles what is needed, and is not counted. Seconds are those of the clock,
since several processes work; beside them stands the CPU time of all of them.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

import sfumato as sf
from sfumato import datasets
from sfumato.comparisons.kept import KeptFigures
from sfumato.errors import SfumatoError

__all__ = ["HEAD", "Figure", "Way", "lines", "main", "measured", "policy_of", "stored"]

STORED = Path(__file__).with_name("sidebyside.json")
SECONDS = 180.0
"""By the clock, on two quiet cores."""
FEWEST = 12
"""Ways that must have made a release."""
WARM = 1000
FORMS = ("generalized", "anatomized")
LEVELS: dict[str, Sequence[int | str]] = {"l": [3, 99]}
"""Nobody has 99 occupations."""
QUASI = ("age", "education", "marital-status", "native-country", "race", "sex", "workclass", "salary-class")
HEAD = ("way", "loss", "overall", "right matches", "groups", "CPU s", "MB")


@dataclass(frozen=True)
class Way:
    """What one way came to; without a loss, why."""

    label: str
    outcome: str
    loss: float | None
    overall: float | None
    matches: float | None
    groups: int | None
    cpu: float | None
    memory: float | None


@dataclass(frozen=True)
class Figure:
    """The whole comparison: seconds by the clock, and CPU seconds of all processes."""

    rows: int
    workers: int
    seconds: float
    cpu: float
    ways: tuple[Way, ...]

    @property
    def met(self) -> bool:
        return self.seconds <= SECONDS and sum(way.outcome == "kept" for way in self.ways) >= FEWEST

    @property
    def outcomes(self) -> str:
        return ", ".join(f"{count} {outcome}" for outcome, count in Counter(way.outcome for way in self.ways).items())


def policy_of(how: dict[str, dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, Any] = {name: {"role": "quasi", **how[name]} for name in QUASI}
    columns["occupation"] = {"role": "sensitive", **how["occupation"]}
    return {"columns": columns, "privacy": [{"model": "distinct-l", "l": 3}], "suppression": {"limit": 0.02}}


def measured(frame: pl.DataFrame, policy: dict[str, Any], workers: int) -> Figure:
    """Compiled on a few rows first, unless that was so before; nothing of a run that was stopped is taken over."""
    sf.compare(frame.head(WARM), policy, forms=FORMS, workers=workers)
    shutil.rmtree(KeptFigures.of(sf.read(frame, policy).digest[:32]).folder, ignore_errors=True)
    began, spent = time.perf_counter(), _cpu()
    found = sf.compare(frame, policy, forms=FORMS, levels=LEVELS, workers=workers)
    seconds, cpu = time.perf_counter() - began, _cpu() - spent
    ways = (
        Way(way.label, way.outcome, way.loss, way.overall, way.matches, way.groups, way.seconds, way.memory)
        for way in found.ways
    )
    return Figure(frame.height, workers, round(seconds, 1), round(cpu, 1), tuple(ways))


def _cpu() -> float:
    """Of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def lines(figure: Figure | None) -> Iterator[tuple[str, ...]]:
    """Ways that made a release as cells of a table, the least lost first; nothing, if nothing is stored."""
    ways = () if figure is None else figure.ways
    kept = sorted((way for way in ways if way.outcome == "kept"), key=lambda way: (way.overall or 0, way.label))
    for way in kept:
        shares = ("–" if share is None else f"{share:.4f}" for share in (way.loss, way.overall, way.matches))
        counts = ("–" if count is None else f"{count:,}" for count in (way.groups,))
        yield way.label, *shares, *counts, f"{way.cpu or 0:.1f}", f"{way.memory or 0:,.0f}"


def stored() -> Figure | None:
    """The stored run."""
    if not STORED.exists():
        return None
    kept = json.loads(STORED.read_text(encoding="utf-8"))
    return Figure(**{**kept, "ways": tuple(Way(**way) for way in kept["ways"])})


def save(figure: Figure) -> None:
    STORED.write_text(json.dumps(asdict(figure), indent=1) + "\n", encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 with --check if it takes too long or too few make a release; 2 if the data cannot be had."""
    parser = argparse.ArgumentParser("python -m benchmarks.sidebyside", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    given = parser.parse_args(arguments)
    try:
        figure = measured(datasets.adult_arx(), policy_of(datasets.adult_hierarchies()), given.workers)
    except SfumatoError as error:
        Console(stderr=True).print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    console = Console(width=120, highlight=False)
    for line in lines(figure):
        console.print(" | ".join(line))
    met = "met" if figure.met else "missed"
    console.print(f"{len(figure.ways)} ways, {figure.outcomes}: {figure.seconds:.0f} s, CPU {figure.cpu:.0f} s ({met})")
    if given.save:
        save(figure)
    return 1 if given.check and not figure.met else 0


if __name__ == "__main__":
    sys.exit(main())
