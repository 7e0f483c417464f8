"""Why AIP loses more than AT here: how many blocks the initial partition has, and how many occupations one holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from benchmarks.comparison import SENSITIVE
from experiments.contract import Claim, Experiment, Found, Row, Verdict, grid
from experiments.paper003.data import LINES, ROWS, people, table_of
from experiments.paper003.losses import DIVERSITIES
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.registry import partitioner
from sfumato.policy.promises import SimpleL
from sfumato.randomness import Randomness

__all__ = ["BLOCKS"]

SEED, WOMEN = 0, "Female"
_RULES = ("AIP", "AIP, repaired")


def measure(frame: pl.DataFrame, settings: Row) -> Sequence[Row]:
    """Blocks, the mean number of occupations in a person's block, and the share of the most frequent among women."""
    method, l = LINES[str(settings["method"])].method, int(settings["l"] or 0)
    if method is None:
        raise LookupError("an initial partition is made by a method")
    table = table_of(frame, ROWS)
    task = Task(table, bind(SimpleL(l), Facts.of(table)), NCP(), Randomness.fixed(SEED))
    labels, values = partitioner(method).partition(task).labels, table.each().codes[SENSITIVE].astype(np.int64)
    size = int(values.max()) + 1
    held = np.bincount(np.unique(labels * size + values) // size)
    women = frame.head(ROWS).filter(pl.col("sex") == WOMEN)[SENSITIVE].value_counts(sort=True)["count"].to_list()
    return [
        {
            "blocks": len(held),
            "values": round(float(held[labels].mean()), 4),
            "among_women": round(women[0] / sum(women), 6),
        }
    ]


def _collapses(found: Found) -> Verdict:
    """The paper's rule leaves one block where the demand is stricter than what is true of women."""
    rows = found.where({"method": "AIP"}).rows
    share = float(rows[0]["among_women"] or 0)
    told = ", ".join(f"{row['blocks']} at {row['l']}" for row in rows)
    fine = all((row["blocks"] == 1) == (share > 1 / float(row["l"] or 1)) for row in rows)
    return Verdict(fine, f"blocks: {told}; the most frequent occupation of women has {share:.3f}")


def _wide(found: Found) -> Verdict:
    more = [(float(row["values"] or 0), float(row["l"] or 0)) for row in found.rows]
    told = ", ".join(f"{values:.1f} at {l:g}" for values, l in more)
    return Verdict(all(values > l for values, l in more), f"occupations in a person's block: {told}")


BLOCKS = Experiment(
    paper="003",
    name="blocks",
    title="blocks of the initial partition and what they hold, against l, 20,000 rows",
    points=grid({"method": _RULES, "l": DIVERSITIES}),
    quick=grid({"method": _RULES[:1], "l": [4]}),
    prepare=people,
    measure=measure,
    claims=(
        Claim("fig2", "ours: the initial partition is one block where one occupation of women exceeds 1/l", _collapses),
        Claim("fig2", "ours: a person's block of AIP holds more occupations than l, by either rule", _wide),
    ),
)
