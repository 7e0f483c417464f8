"""Why some figures of ours have another shape: what can be computed of each reason that is given.

links    how many labels fit a row that keeps so many of its nine terms: as long as it is one, nothing changes
optima   the strictest promises of Figures 10 and 11 again, by our search for every k, and with more work
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Found, Row, Verdict, grid
from experiments.paper004.data import DEFAULTS, Patients, group, knowledge, patients
from experiments.paper004.privacy import MEASURES, WORK, promise, suppressed
from experiments.shapes import Judged, Line, all_of, below
from sfumato.knowledge.linking import TermSets, link
from sfumato.knowledge.table import Knowledge

__all__ = ["LINKS", "OPTIMA"]

GROUPS, SEED = 200, 1
_TERMS = int(DEFAULTS["terms"] or 0)


def links(known: Knowledge, settings: Row) -> Sequence[Row]:
    """Of a thousand rows, the mean number of labels that fit, and the share that one alone fits."""
    kept, chance = int(settings["kept"] or 0), np.random.default_rng(SEED)
    sets = [group(known, {}, dataset) for dataset in range(GROUPS)]
    rows = [chance.choice(each[row], kept, replace=False) for each in sets for row in range(len(each))]
    ends = np.arange(len(rows) + 1, dtype=np.int64) * kept
    counts = link(known, TermSets(ends, np.concatenate(rows))).counts
    figures = {"labels": round(float(counts.mean()), 4), "one": round(float((counts == 1).mean()), 4)}
    return [{"rows": "of terms of one label", **figures}]


def _idle(found: Found) -> Verdict:
    """Removing a term changes nothing, until few are left."""
    one = found.line("one", "kept", {})
    told = ", ".join(f"{share:.1%} with {kept:g}" for kept, share in sorted(one.items(), reverse=True))
    return Verdict(all(one[kept] > 0.99 for kept in range(5, _TERMS + 1)), f"rows that one label alone fits: {told}")


LINKS = Experiment(
    paper="004",
    name="links",
    title="how many labels fit a row that keeps some of its nine terms",
    points=grid({"kept": range(1, _TERMS + 1)}),
    quick=grid({"kept": [3]}),
    prepare=knowledge,
    measure=links,
    charts=(
        Chart(
            "links", "Labels that fit a row", "kept", "terms kept, of nine", "labels", "labels, mean", "rows", log=True
        ),
    ),
    claims=(
        Claim(
            "fig7",
            "ours: with five terms and more one label fits nearly every row, and a removal changes nothing",
            _idle,
        ),
    ),
)

_AT: dict[str, Row] = {"c = 0.5": {"figure": "fig10", "c": 0.5}, "t² = 0.04": {"figure": "fig11", "t2": 0.04}}
_SIZES = (1, 2, 5, 10)


def optima(people: Patients, settings: Row) -> Sequence[Row]:
    """Mean change of beliefs, rows per group, and T."""
    at = _AT[str(settings["at"])]
    asked = promise(str(at["figure"]), {name: value for name, value in at.items() if name != "figure"})
    search, times = str(settings["search"]), int(settings["times"] or 1)
    release = suppressed(people, int(settings["k"] or 0), search, asked, WORK * times)
    found = sf.measure(release, only=MEASURES.values())
    figures = {each.name: each.figure.value for each in found.measurements if each.figure is not None}
    return [{name: round(figures[measure], 6) for name, measure in MEASURES.items()}]


def _line(at: str, search: str, times: int, what: str = "cost") -> Line:
    return Line(what, "k", {"at": at, "search": search, "times": times})


def _falls(at: str, times: int = 1) -> Judged:
    """By our search; with more work, by the adaptive one."""

    def judged(found: Found) -> Verdict:
        line = _line(at, "optimal" if times == 1 else "adaptive", times).of(found)
        told = ", ".join(f"{cost:.3f} at k = {k:g}" for k, cost in sorted(line.items()))
        return Verdict(all(line[one] >= line[other] for one, other in pairwise(sorted(line))), told)

    return judged


def _patient(at: str) -> Judged:
    """The more work, the less is lost."""
    return all_of(below(_line(at, "adaptive", 10), _line(at, "adaptive", 1)))


def _few(found: Found) -> Verdict:
    line = _line("c = 0.5", "optimal", 1, "change").of(found)
    return Verdict(line[2] < line[5], f"beliefs change by {line[2]:.3f} at k = 2, {line[5]:.3f} at k = 5")


OPTIMA = Experiment(
    paper="004",
    name="optima",
    title="terms lost at the strictest promises, by our search and with more work",
    points=(
        *grid({"at": list(_AT), "search": ["optimal"], "times": [1], "k": _SIZES}),
        *grid({"at": list(_AT), "search": ["adaptive"], "times": [1, 10], "k": _SIZES[1:]}),
    ),
    quick=grid({"at": ["c = 0.5"], "search": ["optimal"], "times": [1], "k": [10]}),
    prepare=patients,
    measure=optima,
    claims=(
        *(
            Claim(figure, f"ours: by our search T goes down with a larger k, {at}", _falls(at))
            for figure, at in zip(("fig10", "fig11"), _AT, strict=True)
        ),
        *(
            Claim(figure, f"ours: with ten times the work the adaptive search loses no more, {at}", _patient(at))
            for figure, at in zip(("fig10", "fig11"), _AT, strict=True)
        ),
        Claim("fig10", "ours: with ten times the work T goes down with a larger k, c = 0.5", _falls("c = 0.5", 10)),
        Claim("fig10", "ours: c = .5: by our search too, beliefs change less at k = 2 than at k = 5", _few),
    ),
)
