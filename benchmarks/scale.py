"""``python -m benchmarks.scale``: tables that are not held, from Parquet parts to an audited release in parts.

The data is Adult, made larger as `enlarge` does it, block after block with other draws: easy (perturbed) and hard (one
more quasi-identifier of 100,000 values, nearly every row distinct). A job is `sfumato anonymize --memory` in a process
of its own: reading, search, writing, and the audit of what was written. The CPU time of all threads counts, and the
peak of resident memory, which the limit that is given must cover.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Shown

from benchmarks.adult import adult
from benchmarks.contract import Rows
from benchmarks.endtoend import JOBS, as_installed, frame_of, policy_file, spent
from benchmarks.enlarge import EXTRA, hard, perturbed

__all__ = ["Figure", "generate", "kept", "lines", "main", "stored"]

STORED = Path(__file__).with_name("scale.json")
BLOCK = 2_300_000
FEW = 2_000
DATA = {"easy": perturbed, "hard": hard}
JOB = "mondrian, k=5"
MEMORY = {"easy": "2GB", "hard": "4GB"}
MICROSECONDS = {"easy": 2.0, "hard": 6.0}
"""CPU per row, at most."""
GROWTH = 1.3
"""Time per row of the largest table, at most so many times that of a tenth of it."""
HEAD = ("data", "rows", "CPU s", "µs a row", "target", "GB", "limit", "met")


@dataclass(frozen=True)
class Figure:
    """What a job took: CPU seconds, and gigabytes at most."""

    data: str
    rows: int
    cpu: float
    memory: float

    @property
    def microseconds(self) -> float:
        return 1e6 * self.cpu / self.rows

    @property
    def met(self) -> bool:
        limit = float(MEMORY[self.data].removesuffix("GB"))
        return self.memory <= limit and self.microseconds <= MICROSECONDS[self.data]


def generate(data: str, rows: int, folder: Path) -> Path:
    """Parquet parts of so many rows in a folder, and their policy beside it."""
    table, document = adult()
    source = Rows.of_tuples(table)
    folder.mkdir(parents=True, exist_ok=True)
    for number, begin in enumerate(range(0, rows, BLOCK)):
        block = DATA[data](source, min(BLOCK, rows - begin), seed=number)
        frame_of(block).write_parquet(folder / f"part-{number:04d}.parquet")
    policy = policy_file(JOBS[JOB], document, folder.parent)
    given: dict[str, Any] = json.loads(policy.read_text(encoding="utf-8"))
    if data == "hard":
        given["columns"][EXTRA] = {"role": "quasi", "type": "integer"}
    made = folder.parent / f"{data}.json"
    made.write_text(json.dumps(given), encoding="utf-8")
    return made


def measured(data: Sequence[str], sizes: Sequence[int]) -> Iterator[Figure]:
    """Every table at every size, one after the other; a few rows first, for what is translated and compiled once."""
    with tempfile.TemporaryDirectory(prefix="sfumato-scale-") as place:
        folder = Path(place)
        for name in data:
            for rows in (FEW, *sizes):
                parts = folder / f"{name}-{rows}"
                policy = generate(name, rows, parts)
                given = ["anonymize", str(parts), "-p", str(policy), "-o", str(folder / "out"), "--format", "parquet"]
                program = [sys.executable, "-m", "sfumato", *given, "--force", "--memory", MEMORY[name]]
                took = spent(program, as_installed(folder / "bytecode"))
                if rows != FEW:
                    yield Figure(name, rows, *took)
                for part in parts.iterdir():
                    part.unlink()


def stored() -> list[Figure]:
    return [Figure(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def kept(figures: Sequence[Figure]) -> list[Figure]:
    """What is stored from now on: these, and those of before that were not measured again."""
    found = {(each.data, each.rows): each for each in (*stored(), *figures)}
    return [found[key] for key in sorted(found)]


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures beside their targets, a line each."""
    for each in figures:
        took = f"{each.cpu:.0f}", f"{each.microseconds:.2f}", f"{MICROSECONDS[each.data]:g}"
        yield each.data, f"{each.rows:,}", *took, f"{each.memory:.2f}", MEMORY[each.data], "yes" if each.met else "no"


def grown(figures: Sequence[Figure]) -> Iterator[str]:
    """How the time per row grows from the smallest table to the largest."""
    for name in dict.fromkeys(each.data for each in figures):
        mine = sorted((each for each in figures if each.data == name), key=lambda each: each.rows)
        if len(mine) > 1:
            ratio = mine[-1].microseconds / mine[0].microseconds
            yield f"{name}: a row of {mine[-1].rows:,} takes {ratio:.2f} x one of {mine[0].rows:,} (at most {GROWTH})"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--rows", nargs="+", type=int, default=[4_600_000, 46_000_000])
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    figures, table = list(measured(given.only, given.rows)), Shown(title="Tables that are not held")
    for name in HEAD:
        table.add_column(name, justify="left" if name == "data" else "right")
    for line in lines(figures):
        table.add_row(*line)
    console = Console()
    console.print(table)
    for said in grown(figures):
        console.print(said)
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in kept(figures)], indent=1) + "\n", encoding="utf-8")
    return int(given.check and not all(each.met for each in figures))


if __name__ == "__main__":
    raise SystemExit(main())
