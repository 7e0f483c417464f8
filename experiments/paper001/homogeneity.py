"""Section 6: minimal 6-anonymous tables of Adult that tell somebody's secret for certain; and Figure 7.

A table is vulnerable if all rows of some class have one value. Which tables are minimal does not depend on the
sensitive column, so that the paper's 12 and 9 cannot both be of the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Found, Printed, Row, Verdict, grid
from experiments.paper001.data import QUASI, Census, census
from experiments.shapes import Judged, Line, all_of, below
from sfumato.policy.promises import EntropyL, KAnonymity, Promise, RecursiveCL
from sfumato.table.tuples import Tuples

__all__ = ["HEIGHTS", "MINIMAL", "classes_of"]

K = 6
FIRST_FIVE = QUASI[:5]
FOUR = QUASI[:4]
SHARE, SEED = 0.05, 1
_SECRETS = {"Occupation": "occupation", "Salary": "income"}
_MODELS = ("k-anonymity", "entropy l", "recursive (3,l)")


def minimal(people: Census, settings: Row) -> Sequence[Row]:
    """A row per minimal 6-anonymous table: height, classes, people in classes of one value, entropy of the worst."""
    sensitive = _SECRETS[str(settings["sensitive"])]
    frame, policy = people.select(FIRST_FIVE, sensitive), people.policy(FIRST_FIVE, sensitive)
    table = sf.read(frame, policy).encode()
    rows: list[Row] = []
    for place, node in enumerate(sf.lattice(frame, KAnonymity(K), policy=policy).minimal, 1):
        counts = classes_of(table, node, sensitive)
        sizes = counts.sum(axis=1)
        alone = counts.max(axis=1) == sizes
        shares = counts / sizes[:, None]
        entropy = np.exp(-(shares * np.log(np.where(shares > 0, shares, 1))).sum(axis=1))
        row = {"table": place, "height": sum(node.values()), "classes": len(counts)}
        exposed = {"homogeneous": int(alone.sum()), "exposed": int(sizes[alone].sum())}
        rows.append({**row, **exposed, "entropy_l": round(float(entropy.min()), 4)})
    return rows


def classes_of(table: Tuples, node: Mapping[str, int], sensitive: str) -> NDArray[np.int64]:
    """How often each class of a full-domain recoding has each sensitive value."""
    each, shown = table.each(), list[NDArray[np.int64]]()
    for column in table.quasi:
        if column.taxonomy is None:
            raise LookupError(f"{column.name} has no hierarchy")
        shown.append(np.asarray(column.taxonomy.levels[node[column.name]])[each.codes[column.name]])
    owner = np.unique(np.column_stack(shown), axis=0, return_inverse=True)[1].reshape(-1)
    counts = np.zeros((int(owner.max()) + 1, table[sensitive].size), np.int64)
    np.add.at(counts, (owner, each.codes[sensitive]), 1)
    return counts


def _vulnerable(found: Found, sensitive: str) -> list[Row]:
    return [row for row in found.where({"sensitive": sensitive}).rows if float(row["homogeneous"] or 0) > 0]


def _told(sensitive: str) -> Claim:
    def judged(found: Found) -> Verdict:
        every, open_ = found.where({"sensitive": sensitive}).rows, _vulnerable(found, sensitive)
        exposed = max((int(row["exposed"] or 0) for row in open_), default=0)
        told = f"{len(open_)} of {len(every)} minimal tables, up to {exposed:,} people exposed"
        return Verdict(bool(open_), told)

    return Claim("section 6", f"some minimal 6-anonymous tables tell somebody's {sensitive} for certain", judged)


_OTHER = "hierarchies are ours; minimal tables do not depend on the sensitive column, so 12 and 9 exclude one another"


def _count(sensitive: str, vulnerable: bool) -> Callable[[Found], float]:
    if vulnerable:
        return lambda found: float(len(_vulnerable(found, sensitive)))
    return lambda found: float(len(found.where({"sensitive": sensitive}).rows))


def _finer() -> Judged:
    plain, others = Line("size", "k", {"model": _MODELS[0]}), _MODELS[1:]
    return all_of(*(below(plain, Line("size", "k", {"model": model})) for model in others))


MINIMAL = Experiment(
    paper="001",
    name="homogeneity",
    title="minimal 6-anonymous tables of Adult, five quasi-identifiers, and whom they expose",
    points=tuple({"sensitive": name} for name in _SECRETS),
    quick=({"sensitive": "Salary"},),
    prepare=census,
    measure=minimal,
    printed=(
        Printed("minimal 6-anonymous tables, Occupation", 12, _count("Occupation", False), 0, _OTHER),
        Printed("of them vulnerable, Occupation", 1, _count("Occupation", True), 0, _OTHER),
        Printed("minimal 6-anonymous tables, Salary", 9, _count("Salary", False), 0, _OTHER),
        Printed("of them vulnerable, Salary", 8, _count("Salary", True), 0, _OTHER),
    ),
    claims=(_told("Salary"),),
)


def heights(people: Census, settings: Row) -> Sequence[Row]:
    """Least height of a table that keeps the model; and on a sample of 5 %, rows per class and discernibility."""
    asked, k = str(settings["model"]), int(settings["k"] or 0)
    promise: Promise = {
        "k-anonymity": KAnonymity(k),
        "entropy l": EntropyL(k),
        "recursive (3,l)": RecursiveCL(3, k),
    }[asked]
    lowest = min(_nodes(people, promise), key=lambda node: sum(node.values()))
    drawn = np.random.default_rng(SEED).random(people.frame.height) < SHARE
    sample = Census(people.frame.filter(pl.Series(drawn)))
    table = sf.read(sample.select(FOUR, "occupation"), sample.policy(FOUR, "occupation")).encode()
    sizes = [classes_of(table, node, "occupation").sum(axis=1) for node in _nodes(sample, promise)]
    best = min(sizes, key=lambda each: int(each @ each))
    figures = {"height": sum(lowest.values()), "size": round(float(best.mean()), 4), "dm": int(best @ best)}
    return [{**figures, "sample": int(drawn.sum())}]


def _nodes(people: Census, promise: Promise) -> Sequence[Mapping[str, int]]:
    frame, policy = people.select(FOUR, "occupation"), people.policy(FOUR, "occupation")
    return sf.lattice(frame, promise, policy=policy).minimal


def _over(figure: str, model: str) -> Line:
    return Line(figure, "k", {"model": model})


def _one_more(model: str) -> Claim:
    def judged(found: Found) -> Verdict:
        one, other = (_over("height", each).of(found) for each in ("k-anonymity", model))
        steps = {k: other[k] - one[k] for k in one if k in other}
        told = ", ".join(f"{step:+.0f} at {k:g}" for k, step in steps.items())
        return Verdict(all(0 <= step <= 1 for step in steps.values()), f"heights against k-anonymity's: {told}")

    return Claim("fig7", f"tables of {model} are as high as k-anonymous ones, or one level higher", judged)


HEIGHTS = Experiment(
    paper="001",
    name="fig7",
    title="height, rows per class and discernibility against k and l, four quasi-identifiers",
    points=grid({"model": _MODELS, "k": (2, 4, 6, 8)}),
    quick=grid({"model": _MODELS[:2], "k": (4,)}),
    prepare=census,
    measure=heights,
    also=("fig7a", "fig7b", "fig7c"),
    charts=(
        Chart("fig7a", "Least height of a table", "k", "k or l", "height", "levels in all", "model"),
        Chart("fig7b", "Rows per class, sample of 5 %", "k", "k or l", "size", "rows per class", "model"),
        Chart("fig7c", "Discernibility, sample of 5 %", "k", "k or l", "dm", "sum over classes of rows²", "model"),
    ),
    claims=(
        _one_more("entropy l"),
        _one_more("recursive (3,l)"),
        Claim("fig7", "k-anonymous tables are at least as fine", _finer()),
    ),
)
