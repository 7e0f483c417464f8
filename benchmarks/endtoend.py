"""``python -m benchmarks.endtoend``: whole jobs, from a file to an audited file, as multiples of the I/O floor.

The floor is polars, in a process of its own, reading the same file and writing the same rows in the same format. A job
is `sfumato anonymize` in a process of its own: start, reading, search, writing, and the audit of what was written. Of
both the CPU time of all threads counts, and the peak of resident memory. Floor and job run in turn, and the median is
taken. The data is Adult, perturbed as `enlarge` does it, with ARX's hierarchies.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table as Shown

from benchmarks.adult import QUASI, SENSITIVE, adult
from benchmarks.contract import Rows
from benchmarks.enlarge import perturbed

__all__ = ["JOBS", "Figure", "Ran", "as_installed", "frame_of", "main", "measured", "policy_file", "ran", "spent"]

STORED = Path(__file__).with_name("endtoend.json")
SIZES = {"30k": 30_162, "1M": 1_000_000, "4.6M": 4_600_000}
KINDS = ("csv", "parquet")
TARGETS = {"csv": 4.0, "parquet": 5.0}
"""Multiples of the floor at 4.6M rows."""

JOBS: dict[str, dict[str, Any]] = {
    "mondrian, k=5": {"privacy": [{"model": "k-anonymity", "k": 5}], "partition": {"method": "mondrian"}},
    "lattice, k=5": {
        "privacy": [{"model": "k-anonymity", "k": 5}],
        "partition": {"method": "lattice"},
        "suppression": {"limit": "1/20"},
    },
    "mondrian, distinct 3": {"privacy": [{"model": "distinct-l", "l": 3}], "partition": {"method": "mondrian"}},
}

_FLOOR = """
import sys, polars as pl
source, target = sys.argv[1:]
if source.endswith("csv"):
    pl.read_csv(source).write_csv(target)
else:
    pl.read_parquet(source).write_parquet(target)
"""

_LAUNCH = """
import json, os, sys
quiet = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[quiet])
_, status, usage = os.wait4(process, 0)
json.dump([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss], sys.stdout)
"""
"""Starts a process from a small one: the peak that the system tells of a process counts that of who started it."""


@dataclass(frozen=True)
class Figure:
    """What a job took, and the floor beside it: CPU seconds, and gigabytes at most."""

    job: str
    kind: str
    rows: int
    cpu: float
    floor: float
    memory: float
    floor_memory: float

    @property
    def ratio(self) -> float:
        return self.cpu / self.floor


def measured(jobs: Sequence[str], kinds: Sequence[str], sizes: Sequence[str], rounds: int) -> Iterator[Figure]:
    """Every job on every kind of file and size, one after the other."""
    table, document = adult()
    source = Rows.of_tuples(table)
    with tempfile.TemporaryDirectory(prefix="sfumato-endtoend-") as folder:
        for size in sizes:
            frame = frame_of(perturbed(source, SIZES[size]))
            for kind in kinds:
                data = Path(folder, f"adult.{kind}")
                frame.write_csv(data) if kind == "csv" else frame.write_parquet(data)
                for job in jobs:
                    yield _measured(job, data, policy_file(JOBS[job], document, Path(folder)), frame.height, rounds)
                data.unlink()


def frame_of(rows: Rows) -> pl.DataFrame:
    """Rows as a file has them."""
    columns = (*rows.quasi, *rows.sensitive)
    return pl.DataFrame([column.values.gather(rows.codes[column.name]).alias(column.name) for column in columns])


def policy_file(job: Mapping[str, Any], document: Mapping[str, Any], folder: Path) -> Path:
    """The policy of a job: where it promises only rows, the sensitive column is one more quasi-identifier."""
    columns = {name: dict(document["columns"][name]) for name in (*QUASI, SENSITIVE)}
    if all(promise["model"] == "k-anonymity" for promise in job["privacy"]):
        columns[SENSITIVE]["role"] = "quasi"
        columns[QUASI[-1]] = {"role": "insensitive"}
    made = folder / "policy.json"
    made.write_text(json.dumps({"version": 1, "columns": columns, **job}), encoding="utf-8")
    return made


def _measured(job: str, data: Path, policy: Path, rows: int, rounds: int) -> Figure:
    out, copy = data.with_name("out"), data.with_name(f"copy{data.suffix}")
    program = [sys.executable, "-m", "sfumato", "anonymize", str(data), "-p", str(policy), "-o", str(out), "--force"]
    floors, runs, known = [], [], as_installed(data.with_name("bytecode"))
    spent([*program[:3], "--help"], known)
    for _ in range(rounds):
        floors.append(spent([sys.executable, "-c", _FLOOR, str(data), str(copy)], known))
        runs.append(spent(program, known))
    cpu, memory = (median(each) for each in zip(*runs, strict=True))
    floor, floor_memory = (median(each) for each in zip(*floors, strict=True))
    return Figure(job, data.suffix[1:], rows, cpu, floor, memory, floor_memory)


def as_installed(bytecode: Path) -> dict[str, str]:
    """The variables of a process whose modules are read and not translated, as those of an installation are."""
    chosen = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**chosen, "PYTHONPYCACHEPREFIX": str(bytecode)}


@dataclass(frozen=True)
class Ran:
    """A process that has ended: its exit code (negative: by that signal), CPU seconds, peak gigabytes, and what it
    wrote to standard error."""

    code: int
    cpu: float
    memory: float
    told: str


def ran(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Ran:
    """Run a process to its end; with these variables, or those of this one."""
    launched = [sys.executable, "-I", "-S", "-c", _LAUNCH, *command]
    done = subprocess.run(launched, env=environment, capture_output=True, check=True)  # noqa: S603
    status, cpu, peak = json.loads(done.stdout)
    scale = 1e9 if sys.platform == "darwin" else 1e6
    return Ran(os.waitstatus_to_exitcode(status), cpu, peak / scale, done.stderr.decode(errors="replace"))


def spent(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """CPU seconds and peak gigabytes of a process, which must end well."""
    done = ran(command, environment)
    if done.code:
        raise RuntimeError(f"{command[2]} ended with {done.code}: {done.told}")
    return done.cpu, done.memory


def shown(figures: Sequence[Figure]) -> Shown:
    """The figures as a table."""
    made = Shown(title="from a file to an audited file; floor: polars reads and writes the same rows")
    for name in ("job", "file", "rows", "CPU s", "floor", "x floor", "target", "peak GB", "us a row"):
        made.add_column(name, justify="left" if name in ("job", "file") else "right")
    for each in figures:
        target = f"{TARGETS[each.kind]:g}" if each.rows == SIZES["4.6M"] else ""
        told = [f"{each.cpu:.2f}", f"{each.floor:.2f}", f"{each.ratio:.2f}", target, f"{each.memory:.2f}"]
        made.add_row(each.job, each.kind, f"{each.rows:,}", *told, f"{1e6 * each.cpu / each.rows:.2f}")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endtoend", description=__doc__)
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    figures = list(measured(given.jobs, given.kinds, given.sizes, given.rounds))
    Console().print(shown(figures))
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
