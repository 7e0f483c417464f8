"""``python -m benchmarks.losses``: what every algorithm loses on Adult for l = 2..7, and how long it takes.

IL is the loss of BSGI's authors: leaves under the node / leaves of the tree, 0 for a single value, the mean over rows
and quasi-identifiers; all of these have ARX's hierarchies here, age too. It is not NCP, which stands beside it.
Every algorithm keeps groups of l different values if it makes such, otherwise the share of 1/l that these give.
Ties fall by chance: the mean of several runs is shown. Milliseconds are the CPU time from counted tuples to groups.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from statistics import mean
from time import process_time

import numpy as np
from rich.console import Console
from rich.table import Table as Shown

import sfumato as sf
from benchmarks.adult import document
from sfumato import datasets
from sfumato.errors import NoneFound, SfumatoError
from sfumato.forms.contract import Material, Published
from sfumato.forms.registry import publisher
from sfumato.loss.contract import Floats, Ints, Loss, Weighted, column_means
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind, binding
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import grouping
from sfumato.policy.forms import Generalized
from sfumato.policy.methods import Method
from sfumato.policy.promises import PairwiseL, Promise, SimpleL, TauL
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["METHODS", "Adult", "Entry", "Information", "Made", "lost", "made", "main", "measured"]

STORED = Path(__file__).with_name("losses.json")
DIVERSITIES = range(2, 8)

METHODS: dict[str, Method] = {
    "anatomy": sf.Anatomy(),
    "hilbert": sf.Hilbert(),
    "bsgi": sf.Bsgi(),
    "bsgi, heights": sf.Bsgi(information="heights"),
    "bsgi-free": sf.BsgiFree(),
    "bsgi-free, polish": sf.BsgiFree(polish=True),
    "bsgi-free, polish 400M": sf.BsgiFree(polish=sf.Polish(work=400_000_000)),
    "hilbert, polish": sf.Hilbert(polish=True),
    "arp": sf.Arp(),
    "arp, initial only": sf.Arp(initial_only=True),
    "mondrian": sf.Mondrian(),
    "mondrian, refine": sf.Mondrian(refine=True),
    "mondrian, polish": sf.Mondrian(polish=True),
    "lattice": sf.Lattice(),
    "incognito": sf.Incognito(),
    "sweep": sf.Sweep(),
    "sweep, faithful": sf.Sweep(faithful=True),
}


@dataclass(frozen=True)
class Information(Weighted):
    """Leaves under the node of all leaves; nothing for a single value."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        tree = column.taxonomy
        if tree is None:
            raise ValueError(f"column {column.name!r} has no hierarchy")
        leaves = tree.leaf_counts[tree.cover(low, high)]
        return np.where(leaves > 1, leaves / tree.size, 0.0)


@dataclass(frozen=True)
class Entry:
    """One algorithm at one l: means over the runs, or None where the promise cannot be kept."""

    method: str
    l: int
    il: float | None = None
    ncp: float | None = None
    groups: float | None = None
    ms: float | None = None


@dataclass(frozen=True)
class Adult:
    """The table, its codes and the facts of these."""

    table: Table
    coded: Tuples
    facts: Facts

    @classmethod
    def load(cls) -> Adult:
        return cls.of(sf.read(datasets.adult_arx(), document(datasets.arx_hierarchies())))

    @classmethod
    def of(cls, table: Table) -> Adult:
        coded = table.encode()
        return cls(table, coded, Facts.of(coded))

    def promise(self, method: Method, l: int) -> Promise:
        """Groups of l different values, or the share of 1/l that these have."""
        fit = grouping(method, binding(self.facts)).fit(bind(PairwiseL(l), self.facts))
        if fit.status != "refused":
            return PairwiseL(l)
        return TauL(Fraction(1, l), l) if method.method == "sweep" else SimpleL(l)  # the same


@dataclass(frozen=True)
class Made:
    """Groups that an algorithm found, what rows show of them, and the milliseconds of CPU time that finding took."""

    partition: Partition
    shown: Published
    ms: float


def made(adult: Adult, method: Method, promise: Promise, seed: int) -> Made:
    """One run; `NoneFound` if the promise cannot be kept."""
    algorithm = grouping(method, binding(adult.facts))
    task = Task(adult.coded, bind(promise, adult.facts), NCP(), Randomness.fixed(seed))
    began = process_time()
    partition = algorithm.partition(task)
    ms = (process_time() - began) * 1000
    material = Material(adult.table.policy, adult.table.digest, adult.coded, partition, False, Randomness.fixed(seed))
    return Made(partition, publisher(Generalized()).publish(material), ms)


def measured(adult: Adult, name: str, l: int, runs: int) -> Entry:
    """One algorithm at one l."""
    method = METHODS[name]
    losses: dict[str, Loss] = {"il": Information(), "ncp": NCP()}
    found: dict[str, list[float]] = {key: [] for key in (*losses, "groups", "ms")}
    for seed in range(runs):
        try:
            run = made(adult, method, adult.promise(method, l), seed)
        except NoneFound:
            return Entry(name, l)
        found["ms"].append(run.ms)
        found["groups"].append(int(run.partition.labels.max()) + 1)
        for key, loss in losses.items():
            found[key].append(lost(loss, adult.coded, run.shown, run.partition.suppressed))
    means = {key: mean(values) for key, values in found.items()}
    return Entry(name, l, round(means["il"], 4), round(means["ncp"], 4), means["groups"], min(found["ms"]))


def lost(loss: Loss, coded: Tuples, shown: Published, suppressed: int) -> float:
    """The loss of what is published."""
    cells = [loss.cost(column, *shown.spans.of[column.name]) for column in coded.quasi]
    weights = np.array([loss.weight(column) for column in coded.quasi])
    return loss.value(column_means(cells, shown.spans.rows, suppressed), weights, shown.sizes, coded.rows)


def shown(entries: Sequence[Entry]) -> Iterator[Shown]:
    """A table each of IL, NCP, groups and milliseconds: algorithms down, l across."""
    for key, title in (("il", "IL"), ("ncp", "NCP"), ("groups", "groups"), ("ms", "ms")):
        table = Shown(title=title, title_justify="left")
        table.add_column("algorithm", no_wrap=True)
        for l in DIVERSITIES:
            table.add_column(f"l = {l}", justify="right", no_wrap=True)
        for name in dict.fromkeys(entry.method for entry in entries):
            values = {entry.l: getattr(entry, key) for entry in entries if entry.method == name}
            table.add_row(name, *(_text(values.get(l), key) for l in DIVERSITIES))
        yield table


def _text(value: float | None, key: str) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if key in ("il", "ncp") else f"{value:,.0f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if the data cannot be had or there is no such algorithm."""
    parser = argparse.ArgumentParser("python -m benchmarks.losses", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="bsgi,arp", help="algorithms by how their names begin")
    parser.add_argument("--runs", type=int, default=3, help="runs with other ties, default 3")
    parser.add_argument("--save", action="store_true", help="store the losses of this run")
    asked = parser.parse_args(arguments)
    words = tuple(word.strip() for word in asked.only.split(",") if word.strip())
    names = [name for name in METHODS if not words or name.startswith(words)]
    errors = Console(stderr=True)
    if not names or asked.runs < 1:
        errors.print(f"error: nothing to do; there are: {'; '.join(METHODS)}", highlight=False)
        return 2
    try:
        adult = Adult.load()
    except SfumatoError as error:
        errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    entries = []
    with errors.status("") as status:
        for name in names:
            measured(adult, name, DIVERSITIES[0], 1)  # compiled by now
            for l in DIVERSITIES:
                status.update(f"{name}, l = {l}")
                entries.append(measured(adult, name, l, asked.runs))
    for table in shown(entries):
        Console(width=100).print(table)
    if asked.save:
        save(entries)
    return 0


def save(entries: Sequence[Entry]) -> None:
    """Put the losses of this run in the place of stored ones; milliseconds are a matter of the machine."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    kept = {(each["method"], each["l"]): each for each in stored if each["method"] in METHODS}
    for entry in entries:
        kept[entry.method, entry.l] = {key: value for key, value in asdict(entry).items() if key != "ms"}
    order = list(METHODS)
    lines = [json.dumps(kept[key]) for key in sorted(kept, key=lambda key: (order.index(key[0]), key[1]))]
    STORED.write_text("[\n " + ",\n ".join(lines) + "\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
