"""``python -m benchmarks.terms``: how fast terms are suppressed at the paper's defaults, and a whole large table.

A group has 5 rows of 9 terms, the knowledge 3,000 labels of about 20 terms, each term of about 100 labels; the promise
is QS (1, 30)-diversity, or QS t-closeness with t = .4 and all labels equally likely. Beside the proven optimum stands
the paper's adaptive search, given as much work as the optimum took, and up to 1000 times as much: how often it
finds anything, and at what cost T.
`--whole` has a table of 100,000 such rows published and audited, as `sfumato anonymize` does, in a process of its own:
seconds and its largest memory.

P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, section 4.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time, thread_time

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table as Shown

import sfumato as sf
from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients
from sfumato.knowledge.belief import LabelCL, LabelPromise, LabelT
from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import Cheapest, suppress
from sfumato.partition.steps.terms.tree import suppress_as_in_the_paper

__all__ = [
    "PROMISES",
    "Paper",
    "Searched",
    "Whole",
    "cells_of",
    "labels_of",
    "main",
    "patients_file",
    "promise_of",
    "searched",
    "whole",
]

STORED = Path(__file__).with_name("terms.json")
PROMISES = ("QS (1, 30)", "QS t = .4")
ROWS, TERMS = 5, 9
TIMES = (1, 10, 100, 1000)
SEED = 7


@dataclass(frozen=True)
class Paper:
    """The paper's search with so many times the work: in how many groups it found anything, T there, and ours there."""

    times: int
    found: int
    median_ms: float
    cost: float | None
    ours: float | None


@dataclass(frozen=True)
class Searched:
    """Some groups under one promise: milliseconds of CPU time per group, how many are proven, and what T they cost."""

    promise: str
    groups: int
    proven: int
    median_ms: float
    worst_ms: float
    cost: float
    paper: tuple[Paper, ...]


@dataclass(frozen=True)
class Whole:
    """A table, its groups and the terms suppressed in it; from file to audited release, seconds and the most memory."""

    rows: int
    groups: int
    suppressed_terms: int
    proven: str
    seconds: float
    cpu_seconds: float
    peak_mb: int


def promise_of(name: str, knowledge: Knowledge) -> LabelPromise:
    """One of `PROMISES` on that knowledge."""
    if name == PROMISES[0]:
        return LabelCL(1, 30)
    return LabelT("0.4", [Fraction(1, len(knowledge.labels))] * len(knowledge.labels))


def searched(knowledge: Knowledge, groups: Sequence[TermSets], name: str) -> Searched:
    """Search every group, by ours and then by the paper's."""
    promise = promise_of(name, knowledge)
    suppress(knowledge, groups[0], promise)  # compiled by now
    times, found = list[float](), list[Cheapest]()
    for group in groups:
        began = thread_time()
        found.append(suppress(knowledge, group, promise))
        times.append((thread_time() - began) * 1000)
    return Searched(
        name,
        len(groups),
        sum(each.outcome in ("kept", "optimal") for each in found),
        round(median(times), 2),
        round(max(times), 2),
        round(fmean(float(each.cost or 0) for each in found), 4),
        tuple(_paper(knowledge, groups, promise, found, more) for more in TIMES),
    )


def _paper(
    knowledge: Knowledge, groups: Sequence[TermSets], promise: LabelPromise, ours: Sequence[Cheapest], times: int
) -> Paper:
    suppress_as_in_the_paper(knowledge, groups[0], promise, work=1)  # compiled by now
    spent, costs, there = list[float](), list[float](), list[float]()
    for group, best in zip(groups, ours, strict=True):
        began = thread_time()
        paper = suppress_as_in_the_paper(knowledge, group, promise, work=times * best.work)
        spent.append((thread_time() - began) * 1000)
        if paper.cost is not None:
            costs.append(float(paper.cost))
            there.append(float(best.cost or 0))
    return Paper(times, len(costs), round(median(spent), 2), _mean(costs), _mean(there))


def _mean(costs: Sequence[float]) -> float | None:
    return round(fmean(costs), 4) if costs else None


def whole(rows: int, folder: Path, knowledge: Knowledge) -> Whole:
    """A table of two quasi-identifiers and the terms, in two phases: k = 5, then QS (1, 30)."""
    source = folder / "patients.csv"
    policy = patients_file(rows, source, knowledge)
    began, spent = perf_counter(), process_time()
    release = sf.publish(source, policy=policy)
    written = release.write(folder / "out")
    seconds, cpu = perf_counter() - began, process_time() - spent
    told = next(note for note in release.notes if "proven cheapest" in note)
    return Whole(
        rows,
        written.audit.groups,
        sum(release.suppressed_terms.values()),
        told.partition(": ")[2],
        round(seconds, 1),
        round(cpu, 1),
        _peak(),
    )


def patients_file(rows: int, source: Path, knowledge: Knowledge) -> dict[str, object]:
    """Writes the table; its policy."""
    patients, chance = synthetic_patients(knowledge, rows, TERMS, SEED), np.random.default_rng(SEED)
    quasi = {"age": chance.integers(17, 91, rows), "zip": chance.integers(0, 10_000, rows)}
    pl.DataFrame({**quasi, "terms": cells_of(knowledge, patients)}).write_csv(source)
    terms: dict[str, object] = {"role": "quasi-sensitive", "separator": "|", "lengths": "known"}
    terms["knowledge"] = {"labels": labels_of(knowledge)}
    return {
        "columns": {**{name: {"role": "quasi", "type": "integer"} for name in quasi}, "terms": terms},
        "privacy": [{"model": "k-anonymity", "k": 5}, {"model": "qs-cl", "c": 1, "l": 30}],
        "partition": {"method": "mondrian", "terms": True},
    }


def cells_of(knowledge: Knowledge, patients: TermSets) -> list[str]:
    """The terms of every row as a text."""
    return ["|".join(knowledge.terms[code] for code in patients[row]) for row in range(len(patients))]


def labels_of(knowledge: Knowledge) -> dict[str, list[str]]:
    """Labels with their terms, as a policy has them."""
    ends = knowledge.row_offsets.tolist()
    return {
        knowledge.labels[label]: [knowledge.terms[term] for term in knowledge.row_terms[ends[row] : ends[row + 1]]]
        for row, label in enumerate(knowledge.row_labels.tolist())
    }


def _peak() -> int:
    """The most memory that this process ever had, in MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    units = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // units


def _apart(rows: int) -> Whole:
    """The same in a process of its own, so that its memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.terms", "--whole-in", folder, "--rows", str(rows)]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout  # noqa: S603
    return Whole(**json.loads(told.splitlines()[-1]))


def shown(found: Sequence[Searched]) -> Shown:
    """A line per promise and search."""
    table = Shown(caption="ms of CPU time per group; T: mean of what is lost, 1 is all, over the groups where found")
    for head in ("promise", "search"):
        table.add_column(head, no_wrap=True)
    for head in ("found", "proven", "ms", "worst ms", "T", "T of ours"):
        table.add_column(head, justify="right", no_wrap=True)
    for each in found:
        numbers = (each.proven, each.median_ms, each.worst_ms, each.cost, each.cost)
        table.add_row(each.promise, "optimal", f"{each.groups}", *(f"{number:g}" for number in numbers))
        for paper in each.paper:
            costs = ("–" if cost is None else f"{cost:g}" for cost in (paper.cost, paper.ours))
            table.add_row(
                "", f"paper's, {paper.times} × the work", f"{paper.found}", "", f"{paper.median_ms:g}", "", *costs
            )
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser("python -m benchmarks.terms", description=__doc__.splitlines()[0])
    parser.add_argument("--groups", type=int, default=200, help="groups per promise, default 200")
    parser.add_argument("--rows", type=int, default=100_000, help="of the whole table, default 100,000")
    parser.add_argument("--whole", action="store_true", help="also publish the whole table: minutes")
    parser.add_argument("--whole-in", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--save", action="store_true", help="store what was found")
    asked = parser.parse_args(arguments)
    knowledge = synthetic_knowledge(SEED)
    if asked.whole_in is not None:
        sys.stdout.write(json.dumps(asdict(whole(asked.rows, asked.whole_in, knowledge))) + "\n")
        return 0
    groups = [synthetic_patients(knowledge, ROWS, TERMS, seed) for seed in range(max(asked.groups, 1))]
    found = [searched(knowledge, groups, name) for name in PROMISES]
    console = Console(width=110)
    console.print(shown(found))
    table = _apart(asked.rows) if asked.whole else None
    if table is not None:
        console.print(
            f"{table.rows:,} rows in {table.groups:,} groups: {table.proven}; {table.seconds:g} s"
            f" ({table.cpu_seconds:g} s of CPU time), at most {table.peak_mb:,} MB",
            highlight=False,
        )
    if asked.save:
        save(found, table)
    return 0


def save(found: Sequence[Searched], table: Whole | None) -> None:
    """Store; a whole table that was not published this time stays as it is."""
    before = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    kept = before.get("whole") if table is None else asdict(table)
    made = {"groups": [asdict(each) for each in found], "whole": kept}
    STORED.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
