"""Section 1 names randomization among what refinement can serve: what it would lose on top of ARP at the same l.

A value is kept with probability p, else drawn from the different values of its group. ARP's groups hold l different
values: each is likely 1/l before anything is shown, so no p above 0 keeps it there. With p = 0 the group tells what
anatomy tells. Groups of l + 1 values leave room; what they lose is compared with ARP at l.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
import polars as pl

from benchmarks.comparison import SENSITIVE
from experiments.contract import Chart, Claim, Experiment, Found, Row, Verdict, grid
from experiments.paper003.data import ROWS, people, table_of
from experiments.shapes import Line, below
from sfumato.forms.randomized import largest_retention
from sfumato.loss.ncp import NCP
from sfumato.measures.correspondence import alike, glp, nlp_of_groups
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.registry import partitioner
from sfumato.policy.methods import Arp
from sfumato.policy.promises import SimpleL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["RANDOMIZED", "lost_at"]

DIVERSITIES = (2, 3, 4, 5, 6)
RUNS = 3
WAYS = {"ARP": 0, "ARP, randomized": 0, "ARP of l + 1, randomized": 1}
"""How much larger groups are than they need be."""


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """GLP, and the largest probability of the true value (known counts of a group)."""
    table, l = table_of(frame, ROWS), int(settings["l"] or 0)
    runs = [lost_at(table, str(settings["method"]), l, seed) for seed in range(RUNS)]
    return [{"glp": round(fmean(run[0] for run in runs), 6), "kept": round(fmean(run[1] for run in runs), 6)}]


def lost_at(table: Tuples, name: str, l: int, seed: int) -> tuple[float, float]:
    """GLP, and the probability with which true values stay."""
    model, each = bind(SimpleL(l + WAYS[name]), Facts.of(table)), table.each()
    task = Task(table, model, NCP(), Randomness.fixed(seed))
    labels = partitioner(Arp()).partition(task).labels
    people, values = alike(each), each.codes[SENSITIVE].astype(np.int64)
    if name == "ARP":
        return float(glp(nlp_of_groups(people, values, labels))), 1 / l
    kept = min(float(largest_retention(m, m, 1, l, 2)) for m in {*np.bincount(labels).tolist()})
    return float(glp(nlp_of_groups(people, values, labels, once=True))) * (1 - kept), kept


def _nothing(found: Found) -> Verdict:
    kept = found.line("kept", "l", {"method": "ARP, randomized"})
    return Verdict(all(p == 0 for p in kept.values()), f"the largest p is {max(kept.values()):g} at every l")


_LINES = {name: Line("glp", "l", {"method": name}) for name in WAYS}

RANDOMIZED = Experiment(
    paper="003",
    name="randomized",
    title="randomization on top of ARP, against l, 20,000 rows",
    points=grid({"method": list(WAYS), "l": DIVERSITIES}),
    quick=grid({"method": ["ARP, randomized"], "l": [3]}),
    prepare=people,
    measure=measure,
    charts=(Chart("randomized", "Correspondence loss of randomization, varying l", "l", "l", "glp", "GLP", "method"),),
    claims=(
        Claim("randomized", "on ARP's groups of l values no probability above 0 is allowed at the same l", _nothing),
        Claim(
            "randomized",
            "groups of l + 1 values, randomized, lose more than ARP at l",
            below(_LINES["ARP"], _LINES["ARP of l + 1, randomized"]),
        ),
    ),
)
