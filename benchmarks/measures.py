"""``python -m benchmarks.measures``: what every measure and the risk of a release take at a million rows.

The release is generalized: Mondrian, k = 5, of Adult perturbed as `enlarge` does it, with ARX's hierarchies. Every call
opens the release anew and measures it; the original table has been read and coded before. The CPU time of all threads
counts, the median is taken, and beside it stands the same as a multiple of the floor, with which it is called in turn:
one grouping of the coded rows by polars. The first call, which may compile, does not count.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
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
from sfumato.measures.contract import Circumstances
from sfumato.measures.registry import MEASURES, measure_of
from sfumato.release.subject import Lacking, Subject
from sfumato.risk.assess import assess

__all__ = ["HEAD", "RISK", "Bench", "Figure", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("measures.json")
ROWS = 1_000_000
TARGET = 10.0
"""CPU seconds that one may take at a million rows."""
RISK = "risk"
HEAD = ("measure", "CPU s", "target", "met", "× floor", "needs")


@dataclass(frozen=True)
class Figure:
    """What one measure took, and the floor beside it: CPU seconds; what it lacks, if it could not be measured."""

    measure: str
    rows: int
    cpu: float | None = None
    floor: float | None = None
    lacks: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.cpu is None or self.floor is None else self.cpu / self.floor


@dataclass(frozen=True, eq=False)
class Bench:
    """A release with its table, and the same rows as the floor sees them."""

    release: sf.Release
    workload: Workload

    @classmethod
    def of(cls, rows: int) -> Bench:
        table, document = adult()
        workload = Workload("perturbed", perturbed(Rows.of_tuples(table), rows), document)
        policy = {
            **document,
            "privacy": [{"model": "k-anonymity", "k": 5}],
            "partition": {"method": "mondrian"},
            "form": {"publish": "generalized"},
        }
        return cls(sf.publish(frame_of(workload.rows), policy=policy, seed=1), workload)

    def look(self, name: str) -> object:
        """Open the release and measure it."""
        subject = Subject.of(self.release)
        return assess(subject) if name == RISK else measure_of(name).of(subject, Circumstances())


def measured(bench: Bench, names: Sequence[str], effort: Effort) -> Iterator[Figure]:
    """One measure after the other."""
    rows, codes = bench.release.source.rows, floor.prepare(bench.workload)
    for name in names:
        try:
            times = interleaved(lambda: floor.run(codes), lambda name=name: bench.look(name), effort)  # type: ignore[misc]
        except Lacking as lacks:
            yield Figure(name, rows, lacks=str(lacks))
        else:
            yield Figure(name, rows, round(times.kernel, 3), round(times.floor, 4))


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures as cells of a table."""
    for each in figures:
        if each.cpu is None or each.ratio is None:
            yield each.measure, "–", "", "", "", each.lacks
        else:
            met = "yes" if each.cpu <= TARGET else "no"
            yield each.measure, f"{each.cpu:.2f}", f"{TARGET:g}", met, f"{each.ratio:.1f}", ""


def shown(figures: Sequence[Figure]) -> Shown:
    made = Shown(title=f"{ROWS:,} perturbed rows, generalized by Mondrian, k = 5", title_justify="left")
    for name in HEAD:
        words = name in (HEAD[0], HEAD[-1])
        made.add_column(name, justify="left" if words else "right", no_wrap=name != HEAD[-1])
    for line in lines(figures):
        made.add_row(*line)
    return made


def stored() -> list[Figure]:
    """The stored run, measures in the order of their table."""
    kept = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    return [Figure(**each) for each in kept]


def save(figures: Sequence[Figure]) -> None:
    """Put the figures of this run in the place of stored ones; measures that are gone are left out."""
    known = {each.measure: each for each in (*stored(), *figures)}
    kept = [json.dumps(asdict(known[name])) for name in (*MEASURES, RISK) if name in known]
    STORED.write_text("[\n " + ",\n ".join(kept) + "\n]\n", encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 with --check if a target is missed; 2 if the data cannot be had."""
    parser = argparse.ArgumentParser("python -m benchmarks.measures", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=(*MEASURES, RISK), default=[*MEASURES, RISK])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=3, help="calls that count, default 3")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    parser.add_argument("--check", action="store_true", help="exit code 1 if one takes longer than it should")
    given = parser.parse_args(arguments)
    errors = Console(stderr=True)
    try:
        bench = Bench.of(given.rows)
    except SfumatoError as error:
        errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    figures: list[Figure] = []
    with errors.status("") as status:
        for name in given.only:
            status.update(name)
            figures += measured(bench, [name], Effort(rounds=given.rounds, most=given.rounds))
    Console(width=100).print(shown(figures))
    if given.save:
        save(figures)
    late = any(each.cpu is not None and each.cpu > TARGET for each in figures)
    return 1 if given.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
