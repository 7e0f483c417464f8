"""Section 6: minimal 6-anonymous tables of Adult that tell somebody's secret for certain; and Figure 7.

A table is vulnerable if all rows of some class have one value. Which tables are minimal does not depend on the
sensitive column, so that the paper's 12 and 9 cannot both be of the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Found, Printed, Row, Verdict, grid
from experiments.paper001.data import QUASI, VARIANTS, Census, census, sampled
from experiments.shapes import Judged, Line, alike, all_of, below
from sfumato.policy.promises import EntropyL, KAnonymity, Promise, RecursiveCL
from sfumato.table.tuples import Tuples

__all__ = ["COARSE", "HEIGHTS", "MINIMAL", "VARIED", "classes_of", "owners"]

K = 6
FIRST_FIVE = QUASI[:5]
FOUR = QUASI[:4]
_SECRETS = {"Occupation": "occupation", "Salary": "income"}
_MODELS = ("k-anonymity", "entropy l", "recursive (3,l)")


def minimal(people: Census, settings: Row) -> Sequence[Row]:
    """A row per minimal 6-anonymous table: height, classes, people in classes of one value, entropy of the worst.

    And the least whole c with which it is recursive (c,2)-diverse; nothing where a class has one value.
    """
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
        rest = sizes - counts.max(axis=1)
        least = None if alone.any() else int((counts.max(axis=1) // rest).max()) + 1
        rows.append({**row, **exposed, "entropy_l": round(float(entropy.min()), 4), "least_c": least})
    return rows


def coarse(people: Census, settings: Row) -> Sequence[Row]:
    """A row per minimal 4-anonymous table: its height, and how many rows a class has on average."""
    frame, policy = people.select(FIRST_FIVE, "occupation"), people.policy(FIRST_FIVE, "occupation")
    table = sf.read(frame, policy).encode()
    nodes = sf.lattice(frame, KAnonymity(int(settings["k"] or 0)), policy=policy).minimal
    return [
        {
            "table": place,
            "height": sum(node.values()),
            "size": round(people.frame.height / len(classes_of(table, node, "occupation")), 4),
        }
        for place, node in enumerate(nodes, 1)
    ]


def classes_of(table: Tuples, node: Mapping[str, int], sensitive: str) -> NDArray[np.int64]:
    """How often each class of a full-domain recoding has each sensitive value."""
    owner = owners(table, node)
    counts = np.zeros((int(owner.max()) + 1, table[sensitive].size), np.int64)
    np.add.at(counts, (owner, table.each().codes[sensitive]), 1)
    return counts


def owners(table: Tuples, node: Mapping[str, int]) -> NDArray[np.int64]:
    """The class of every row."""
    each = table.each()
    owner = np.zeros(each.rows, np.int64)
    for column in table.quasi:
        if column.taxonomy is None:
            raise LookupError(f"{column.name} has no hierarchy")
        shown = np.asarray(column.taxonomy.levels[node[column.name]])[each.codes[column.name]]
        owner = np.unique(owner * (int(shown.max()) + 1) + shown, return_inverse=True)[1].reshape(-1)
    return owner


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


_C = "hierarchies are ours, and so are the tables of which no class tells a salary for certain"


def _count(sensitive: str, vulnerable: bool) -> Callable[[Found], float]:
    if vulnerable:
        return lambda found: float(len(_vulnerable(found, sensitive)))
    return lambda found: float(len(found.where({"sensitive": sensitive}).rows))


def _least_c(found: Found) -> float:
    """Of the tables of which no class tells a salary for certain; 0 if there is none."""
    kept = [float(row["least_c"]) for row in found.where({"sensitive": "Salary"}).rows if row["least_c"] is not None]
    return min(kept, default=0.0)


def _large(found: Found) -> Verdict:
    sizes = sorted(float(row["size"] or 0) for row in found.rows)
    many = sum(size > 1000 for size in sizes)
    return Verdict(many > 0, f"{many} of {len(sizes)}; rows per class {sizes[0]:,.0f} to {sizes[-1]:,.0f}")


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
        Printed("c of a table that is not, recursive (c,2), Salary", 6, _least_c, 0, _C),
    ),
    claims=(_told("Salary"),),
)


def varied(people: Census, settings: Row) -> Sequence[Row]:
    """How many minimal tables there are with other hierarchies of the same heights, and how many are vulnerable.

    And how many levels the lowest table of entropy 8 is above the lowest 8-anonymous one, four quasi-identifiers.
    """
    other = Census(people.frame, "" if settings["hierarchies"] == _AS_HERE else str(settings["hierarchies"]))
    rows = minimal(other, settings)
    lowest = [[sum(node.values()) for node in _nodes(other, each)] for each in (KAnonymity(8), EntropyL(8))]
    more = min(lowest[1]) - min(lowest[0]) if all(lowest) else None
    vulnerable = sum(float(row["homogeneous"] or 0) > 0 for row in rows)
    return [{"minimal": len(rows), "vulnerable": vulnerable, "levels_more": more}]


def _levels(found: Found) -> Verdict:
    more = {str(row["hierarchies"]): row["levels_more"] for row in found.rows}
    told = ", ".join(f"{name}: {levels}" for name, levels in more.items())
    return Verdict(more[_AS_HERE] == 2 and 1 in more.values(), told)


def _differ(found: Found) -> Verdict:
    counts = found.where({"sensitive": "Salary"}).values("minimal")
    told = ", ".join(f"{row['minimal']} ({row['vulnerable']} vulnerable)" for row in found.rows)
    return Verdict(len(counts) > 1, f"minimal tables: {told}")


_AS_HERE = "as here"

VARIED = Experiment(
    paper="001",
    name="hierarchies",
    title="minimal 6-anonymous tables of Adult with other hierarchies of the same heights",
    points=grid({"sensitive": list(_SECRETS), "hierarchies": [each or _AS_HERE for each in VARIANTS]}),
    quick=grid({"sensitive": ["Salary"], "hierarchies": ["ages from 0"]}),
    prepare=census,
    measure=varied,
    claims=(
        Claim("section 6", "ours: how many tables are minimal depends on what values stand together", _differ),
        Claim("fig7", "ours: whether entropy 8 is one level higher, or two, depends on it too", _levels),
    ),
)

COARSE = Experiment(
    paper="001",
    name="coarse",
    title="rows per class of minimal 4-anonymous tables of Adult, five quasi-identifiers",
    points=({"k": 4},),
    quick=({"k": 4},),
    prepare=census,
    measure=coarse,
    claims=(Claim("section 6", "some minimal 4-anonymous tables have more than 1,000 rows per class", _large),),
)


def heights(people: Census, settings: Row) -> Sequence[Row]:
    """Least height of a table that keeps the model; and on a sample of 5 %, the fewest rows per class and least DM."""
    asked, k = str(settings["model"]), int(settings["k"] or 0)
    promise: Promise = {
        "k-anonymity": KAnonymity(k),
        "entropy l": EntropyL(k),
        "recursive (3,l)": RecursiveCL(3, k),
    }[asked]
    lowest = min(_nodes(people, promise), key=lambda node: sum(node.values()))
    sample = sampled(people)
    table = sf.read(sample.select(FOUR, "occupation"), sample.policy(FOUR, "occupation")).encode()
    sizes = [classes_of(table, node, "occupation").sum(axis=1) for node in _nodes(sample, promise)]
    size, dm = min(float(each.mean()) for each in sizes), min(int(each @ each) for each in sizes)
    return [{"height": sum(lowest.values()), "size": round(size, 4), "dm": dm, "sample": sample.frame.height}]


def _nodes(people: Census, promise: Promise) -> Sequence[Mapping[str, int]]:
    frame, policy = people.select(FOUR, "occupation"), people.policy(FOUR, "occupation")
    return sf.lattice(frame, promise, policy=policy).minimal


def _over(figure: str, model: str) -> Line:
    return Line(figure, "k", {"model": model})


_TWO = "two levels at l = 8 with our hierarchies, one with others of the same heights (see hierarchies)"


def _one_more(model: str) -> Claim:
    def judged(found: Found) -> Verdict:
        one, other = (_over("height", each).of(found) for each in ("k-anonymity", model))
        steps = {k: other[k] - one[k] for k in one if k in other}
        told = ", ".join(f"{step:+.0f} at {k:g}" for k, step in steps.items())
        return Verdict(all(0 <= step <= 1 for step in steps.values()), f"heights against k-anonymity's: {told}")

    says = f"tables of {model} are as high as k-anonymous ones, or one level higher"
    return Claim("fig7", says, judged, _TWO if model == "entropy l" else "")


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
        Claim(
            "fig7",
            "recursive (3,l) has classes no larger than entropy l",
            below(_over("size", _MODELS[2]), _over("size", _MODELS[1])),
        ),
        Claim(
            "fig7",
            "recursive (3,l) and entropy l cost alike in DM",
            alike(_over("dm", _MODELS[1]), _over("dm", _MODELS[2]), 0.2),
        ),
    ),
)
