"""Section 6, the homogeneity attack on Lands End: minimal 3-anonymous tables of orders, five quasi-identifiers.

Lands End is not public. What is drawn here has its rows, domains and heights, and values that do not depend on one
another; so it can show what its size costs, and not what its secrets give away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

import sfumato as sf
from experiments.contract import Claim, Experiment, Found, Printed, Row, Verdict, grid
from experiments.paper001.data import LANDS_END, lands_end, order_columns
from experiments.paper001.homogeneity import owners
from sfumato.policy.promises import KAnonymity

__all__ = ["ORDERS"]

ROWS, SMALL, K = 4_591_581, 100_000, 3
_FIRST_FIVE = tuple(LANDS_END)[:5]


def orders() -> Mapping[int, pl.DataFrame]:
    return {rows: lands_end(rows) for rows in (SMALL, ROWS)}


def minimal(data: Mapping[int, pl.DataFrame], settings: Row) -> Sequence[Row]:
    """A row per minimal table: levels, classes, those of one cost and the orders in them, and the worst entropy."""
    frame = data[int(settings["rows"] or 0)].select(*_FIRST_FIVE, "cost")
    policy = {"version": 1, "columns": order_columns(_FIRST_FIVE), "privacy": [{"model": "k-anonymity", "k": 1}]}
    read = sf.read(frame, policy)
    table = read.encode()
    rows: list[Row] = []
    for place, node in enumerate(sf.lattice(read, KAnonymity(K)).minimal, 1):
        owner, costs = owners(table, node), table.each().codes["cost"].astype(np.int64)
        sizes = np.bincount(owner)
        pairs, counts = np.unique(owner * table["cost"].size + costs, return_counts=True)
        whose = pairs // table["cost"].size
        alone = np.bincount(whose) == 1
        share = counts / sizes[whose]
        entropy = np.exp(np.bincount(whose, -share * np.log(share)))
        exposed = {"homogeneous": int(alone.sum()), "exposed": int(sizes[alone].sum())}
        levels = " ".join(str(node[name]) for name in _FIRST_FIVE)
        row: Row = {"table": place, "levels": levels, "classes": len(sizes), **exposed}
        rows.append({**row, "entropy_l": round(float(entropy.min()), 4)})
    return rows


def _rows(found: Found) -> tuple[Row, ...]:
    return found.where({"rows": ROWS}).rows


def _open(found: Found) -> list[Row]:
    return [row for row in _rows(found) if float(row["homogeneous"] or 0) > 0]


def _figure(name: str) -> Callable[[Found], float]:
    """The largest among those tables that are vulnerable."""
    return lambda found: max((float(row[name] or 0) for row in _open(found)), default=0.0)


def _size(found: Found) -> float:
    sizes = [float(row["exposed"] or 0) / float(row["homogeneous"] or 1) for row in _open(found)]
    return max(sizes, default=0.0)


def _safest(found: Found) -> float:
    return max(float(row["entropy_l"] or 0) for row in _rows(found))


def _vulnerable(found: Found) -> Verdict:
    told = f"{len(_open(found))} of {len(_rows(found))}, up to {_figure('exposed')(found):,.0f} orders exposed"
    return Verdict(bool(_open(found)), told)


_DRAWN = "Lands End is not public: costs here are drawn by themselves, as no order depends on its zip code or price"

ORDERS = Experiment(
    paper="001",
    name="orders",
    title="minimal 3-anonymous tables of orders with the shape of Lands End, five quasi-identifiers",
    points=grid({"rows": (SMALL, ROWS)}),
    quick=grid({"rows": (SMALL,)}),
    prepare=orders,
    measure=minimal,
    printed=(
        Printed("rows", 4_591_581, lambda found: float(max(float(row["rows"] or 0) for row in found.rows))),
        Printed("minimal 3-anonymous tables", 3, lambda found: float(len(_rows(found))), 0, _DRAWN),
        Printed("of them vulnerable", 2, lambda found: float(len(_open(found))), 0, _DRAWN),
        Printed("orders exposed, more than", 1000, _figure("exposed"), 0, _DRAWN),
        Printed("rows of a class of one cost, on average, more than", 100, _size, 0, _DRAWN),
        Printed("entropy l of the safest", 2.61, _safest, 2, _DRAWN),
    ),
    claims=(
        Claim("section 6", "some minimal 3-anonymous tables of orders tell a cost for certain", _vulnerable, _DRAWN),
    ),
)
