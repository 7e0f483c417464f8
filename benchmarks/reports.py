"""``python -m benchmarks.reports``: what a report of a million rows takes beside the release, and how large it is.

The release is generalized: Mondrian, k = 5 and three different occupations, of Adult perturbed as `enlarge` does it,
with ARX's hierarchies; it was made and written before. The CPU time of all threads counts, the median is taken, and
beside it stands the same as a multiple of the floor, with which it is called in turn. The first call, which may
compile, does not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table as Shown

import sfumato as sf
from benchmarks.adult import adult
from benchmarks.clock import Effort, interleaved
from benchmarks.contract import Rows, Workload
from benchmarks.endtoend import frame_of
from benchmarks.enlarge import perturbed
from benchmarks.kernels import floor
from sfumato.errors import SfumatoError

__all__ = ["HEAD", "JOBS", "Figure", "Made", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("reports.json")
ROWS = 1_000_000
SECONDS = 10.0
"""CPU time that one may take at a million rows."""
LARGEST = 2_000_000
"""Bytes that a page may have."""
HEAD = ("report", "CPU s", "target", "met", "× floor", "kB", "target", "met")


@dataclass(frozen=True, eq=False)
class Made:
    """A release that was written, with its policy, and its rows as the floor sees them."""

    written: sf.Written
    policy: sf.Policy
    workload: Workload

    @classmethod
    def of(cls, rows: int, folder: Path) -> Made:
        table, document = adult()
        workload = Workload("perturbed", perturbed(Rows.of_tuples(table), rows), document)
        policy = {**document, "partition": {"method": "mondrian"}, "form": {"publish": "generalized"}}
        release = sf.publish(frame_of(workload.rows), policy=policy, seed=1)
        return cls(release.write(folder / "out"), sf.read_policy(policy), workload)

    def internal(self) -> str:
        return sf.report(self.written).html()

    def both(self) -> str:
        report = sf.report(self.written)
        report.html()
        return report.html("external")

    def again(self) -> str:
        """By who has the release and the policy and nothing else."""
        return sf.report(self.written.files[0].parent, self.policy).html("external")


JOBS: Mapping[str, Callable[[Made], str]] = {
    "internal edition": Made.internal,
    "both editions": Made.both,
    "external edition, from release and policy alone": Made.again,
}


@dataclass(frozen=True)
class Figure:
    """What a report took, and the floor beside it: CPU seconds; and its bytes."""

    job: str
    rows: int
    cpu: float
    floor: float
    size: int

    @property
    def met(self) -> tuple[bool, bool]:
        """Whether it is quick and small enough."""
        return self.cpu <= SECONDS, self.size < LARGEST


def measured(made: Made, job: str, effort: Effort) -> Figure:
    codes, size = floor.prepare(made.workload), len(JOBS[job](made).encode())
    times = interleaved(lambda: floor.run(codes), lambda: JOBS[job](made), effort)
    return Figure(job, len(made.workload.rows), round(times.kernel, 3), round(times.floor, 4), size)


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures as cells of a table."""
    for each in figures:
        quick, small = ("yes" if met else "no" for met in each.met)
        spent = f"{each.cpu:.2f}", f"{SECONDS:g}", quick, f"{each.cpu / each.floor:.0f}"
        yield each.job, *spent, f"{each.size / 1000:.0f}", f"{LARGEST / 1000:.0f}", small


def shown(figures: Sequence[Figure]) -> Shown:
    made = Shown(title=f"{figures[0].rows:,} perturbed rows, generalized by Mondrian", title_justify="left")
    for place, name in enumerate(HEAD):
        made.add_column(name, justify="right" if place else "left", no_wrap=bool(place))
    for line in lines(figures):
        made.add_row(*line)
    return made


def stored() -> list[Figure]:
    """The stored run."""
    kept = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    return [Figure(**each) for each in kept]


def save(figures: Sequence[Figure]) -> None:
    STORED.write_text(
        "[\n " + ",\n ".join(json.dumps(asdict(each)) for each in figures) + "\n]\n", encoding="utf-8", newline="\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 with --check if a target is missed; 2 if the data cannot be had."""
    parser = argparse.ArgumentParser("python -m benchmarks.reports", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=3, help="calls that count, default 3")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    given = parser.parse_args(arguments)
    errors, effort = Console(stderr=True), Effort(rounds=given.rounds, most=given.rounds)
    with tempfile.TemporaryDirectory(prefix="sfumato-reports-") as folder, errors.status("the release") as status:
        try:
            made = Made.of(given.rows, Path(folder))
        except SfumatoError as error:
            errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
            return 2
        figures = []
        for job in JOBS:
            status.update(job)
            figures.append(measured(made, job, effort))
    Console(width=120).print(shown(figures))
    if given.save:
        save(figures)
    return 1 if given.check and not all(all(each.met) for each in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
