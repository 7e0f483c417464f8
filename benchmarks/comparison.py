"""``python -m benchmarks.comparison``: correspondence loss of ARP beside the methods that its paper compares it with.

Adult, rows with known occupation and work class, seven quasi-identifiers, occupation sensitive. AIP is ARP's initial
partition, ARP refines it, NG puts its blocks into rings, AT is Anatomy. Their promise is the same: nothing is likelier
than 1/l.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

import sfumato as sf
from sfumato import datasets
from sfumato.forms.ring_order import rings_of
from sfumato.loss.ncp import NCP
from sfumato.measures.correspondence import NLP, alike, glp, nlp_of_groups, nlp_of_rings
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.registry import partitioner
from sfumato.policy.methods import Anatomy, Arp, Method
from sfumato.policy.promises import SimpleL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["METHODS", "QUASI", "SENSITIVE", "Compared", "coded", "compared", "main", "one", "sample"]

QUASI = ("sex", "age", "education", "marital-status", "race", "workclass", "relationship")
SENSITIVE = "occupation"

METHODS: dict[str, Method] = {
    "AIP": Arp(initial_only=True),
    "ARP": Arp(),
    "NG": Arp(initial_only=True),
    "AT": Anatomy(),
}


@dataclass(frozen=True)
class Compared:
    """One method: groups or rings that it made, its correspondence loss, and the CPU time in milliseconds."""

    name: str
    groups: int
    glp: float
    ms: float


def sample(rows: int, columns: int = len(QUASI)) -> Tuples:
    """So many rows of Adult with so many quasi-identifiers, coded."""
    frame = datasets.adult().rename(lambda name: name.replace("_", "-"))
    frame = frame.filter(pl.col(SENSITIVE) != "?", pl.col("workclass") != "?").head(rows)
    return coded(frame, QUASI[:columns])


def coded(frame: pl.DataFrame, used: Sequence[str]) -> Tuples:
    """Rows with some of the quasi-identifiers, coded."""
    policy = {
        "columns": {
            **{name: {"role": "quasi", "type": "integer" if name == "age" else "text"} for name in used},
            SENSITIVE: {"role": "sensitive"},
        },
        "privacy": [{"model": "simple-l", "l": 2}],
    }
    return sf.read(frame.select(*used, SENSITIVE), policy).encode()


def compared(table: Tuples, l: int, seed: int = 0) -> list[Compared]:
    """Every method on a table."""
    return [one(table, name, method, l, seed, rings=name == "NG") for name, method in METHODS.items()]


def one(table: Tuples, name: str, method: Method, l: int, seed: int, *, rings: bool) -> Compared:
    """One method on a table; `rings`: its groups are put into rings."""
    each = table.each()
    people, values = alike(each), each.codes[SENSITIVE].astype(np.int64)
    model, randomness = bind(SimpleL(l), Facts.of(table)), Randomness.fixed(seed)
    begin = time.process_time()
    labels = partitioner(method).partition(Task(table, model, NCP(), randomness)).labels
    found: NLP
    if rings:
        ordered = rings_of(labels, [values], l, randomness, cut=False)
        taken = time.process_time() - begin
        found = nlp_of_rings(people, values, ordered.rows, ordered.starts, ordered.width)
    else:
        taken = time.process_time() - begin
        found = nlp_of_groups(people, values, labels)
    return Compared(name, int(labels.max()) + 1, float(glp(found)), taken * 1000)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.comparison", description=__doc__, allow_abbrev=False)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--l", type=int, default=5)
    parser.add_argument("--columns", type=int, default=len(QUASI))
    asked = parser.parse_args(arguments)
    table = sample(asked.rows, asked.columns)
    compared(table, asked.l)  # compiles
    shown = Table("method", "groups", "GLP", "ms")
    for each in compared(table, asked.l):
        shown.add_row(each.name, str(each.groups), f"{each.glp:.3f}", f"{each.ms:.0f}")
    Console().print(shown)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
