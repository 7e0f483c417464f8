"""Figures 9 to 11: change of beliefs, size of groups and terms lost against l, c and t², for several k.

Adult with terms, in two phases: groups by Mondrian for k-anonymity, then terms are suppressed by the adaptive search;
`optimum` has ours instead. Generalization only: Mondrian keeps both promises, and no term is lost.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import sfumato as sf
from experiments.contract import Chart, Claim, Experiment, Found, Row, Value, Verdict, grid
from experiments.paper004.data import DEFAULTS, Patients, patients
from experiments.shapes import Judged, Line, all_of, below, changed, falls, rises

__all__ = ["MEASURES", "PRIVACY", "WAYS", "promise", "published", "suppressed"]

SEED = 1
WORK = 1_000_000
GENERALIZED = "generalization only"
WAYS: dict[str, tuple[int, str]] = {
    "k = 1": (1, "adaptive"),
    "k = 2": (2, "adaptive"),
    "k = 5": (5, "adaptive"),
    "k = 10": (10, "adaptive"),
    "k = 5, optimum": (5, "optimal"),
    GENERALIZED: (1, ""),
}
"""k, and which search; none: groups grow instead."""
MEASURES = {"change": "belief-change", "size": "average-class-size", "cost": "suppressed-terms"}
_FIGURES = {
    "fig9": ("l", "l", (10, 20, 30, 40, 50, 60)),
    "fig10": ("c", "c", (0.5, 0.75, 1.0, 1.5, 2.0, 3.0)),
    "fig11": ("t2", "t²", (0.04, 0.09, 0.16, 0.25, 0.36)),
}


_ENDS = (
    "the work given to a group ends before the adaptive search finds anything in a larger one, and all its terms go;"
    " by our search T goes down, and at c = .5 by the adaptive search with ten times the work (see optima)"
)
_FEW = "where the promise is strict, groups of two keep so few terms that beliefs change less than in groups of five"
_CONTRADICTED = {
    ("fig10", "cost"): _ENDS,
    ("fig11", "cost"): _ENDS,
    ("fig11", "extremes"): "it is asked for t alone: where t is weak, its groups are smaller than k asks for",
    ("fig9", "order"): _FEW,
    ("fig10", "order"): _FEW,
    ("fig10", "no less"): "with c = .5 and k = 10 the search finds nothing for most groups, and all their terms go",
    ("fig10", "slight"): "with c = .5 most terms go, and with them what is believed",
}
"""By figure, which of its claims."""


def promise(figure: str, settings: Row) -> dict[str, Any]:
    """What is asked of terms; Figure 10 has l = 60."""
    if figure == "fig11":
        return {"model": "qs-t", "t": str(round(float(settings["t2"] or 0) ** 0.5, 9))}
    at: Mapping[str, Value] = {**DEFAULTS, **({"l": 60} if figure == "fig10" else {}), **settings}
    return {"model": "qs-cl", "c": str(at["c"]), "l": int(at["l"] or 0)}


def published(people: Patients, way: str, asked: dict[str, Any]) -> sf.Release:
    """The release, audited."""
    k, search = WAYS[way]
    return suppressed(people, k, search, asked, WORK)


def suppressed(people: Patients, k: int, search: str, asked: dict[str, Any], work: int) -> sf.Release:
    """In two phases, of which the second has so much work for each group; in one, if there is no search."""
    step = {"step": "suppress-terms", "search": search, "work": work}
    partition = {"method": "mondrian", **({"steps": [step]} if search else {})}
    policy = people.policy([{"model": "k-anonymity", "k": k}, asked], partition)
    with warnings.catch_warnings():  # every row has nine terms; the paper's reader does not count them
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        return sf.publish(people.frame, policy=policy, seed=SEED)


def measure(people: Patients, settings: Row) -> Sequence[Row]:
    """Mean change of beliefs, rows per group, and T."""
    release = published(people, str(settings["way"]), promise(str(settings["figure"]), settings))
    found = sf.measure(release, only=MEASURES.values())
    figures = {each.name: each.figure.value for each in found.measurements if each.figure is not None}
    return [{name: round(figures[measure], 6) for name, measure in MEASURES.items()}]


def _line(figure: str, what: str, way: str) -> Line:
    return Line(what, _FIGURES[figure][0], {"figure": figure, "way": way})


def _over_k(figure: str) -> Judged:
    """T falls with k; nothing is lost by generalization alone, and its groups are the largest."""
    ways = [way for way in WAYS if WAYS[way][1] == "adaptive"]
    less = [below(_line(figure, "cost", after), _line(figure, "cost", before)) for before, after in pairwise(ways)]
    return all_of(*less)


def _extremes(figure: str) -> Judged:
    ways = [way for way in WAYS if way != GENERALIZED]
    return all_of(
        *(below(_line(figure, "cost", GENERALIZED), _line(figure, "cost", way)) for way in ways),
        *(below(_line(figure, "size", way), _line(figure, "size", GENERALIZED)) for way in ways),
    )


def _two_is_worst(figure: str) -> Judged:
    """Beliefs change least at k = 1, most at k = 2, and less again for larger k."""
    return all_of(
        below(_line(figure, "change", "k = 1"), _line(figure, "change", "k = 2")),
        below(_line(figure, "change", "k = 5"), _line(figure, "change", "k = 2")),
        below(_line(figure, "change", "k = 10"), _line(figure, "change", "k = 5")),
    )


def _no_less(figure: str, way: str) -> Judged:
    return below(_line(figure, "change", GENERALIZED), _line(figure, "change", way), 0.95)


def _by_t(line: Line) -> Judged:
    """From the smallest t to the largest by a quarter and more."""
    return changed(line, 1.25)


def _slight(figure: str, most: float) -> Judged:
    """Along the axis, beliefs change by less than a share at every k above 1."""

    def judged(found: Found) -> Verdict:
        told = {}
        for way in ("k = 2", "k = 5", "k = 10"):
            line = _line(figure, "change", way).of(found).values()
            told[way] = max(line) / min(line) - 1
        words = ", ".join(f"{way}: {share:.0%}" for way, share in told.items())
        return Verdict(max(told.values()) <= most, f"largest over smallest change, less 1: {words}")

    return judged


def _claims(figure: str) -> tuple[Claim, ...]:
    made = [
        Claim(figure, "T goes down with a larger k", _over_k(figure), _why(figure, "cost")),
        Claim(
            figure,
            "generalization only loses no term, and has the largest groups",
            _extremes(figure),
            _why(figure, "extremes"),
        ),
    ]
    if figure == "fig11":
        changes = [_line(figure, "change", way) for way in WAYS if way != GENERALIZED]
        costs = [_line(figure, "cost", way) for way in WAYS if way != GENERALIZED]
        return (
            *made,
            Claim(figure, "beliefs change with t at every k, not with k alone", all_of(*map(_by_t, changes))),
            Claim(figure, "T falls with t", all_of(*(falls(line, slack=0.001) for line in costs))),
            Claim(figure, "t bounds the change of beliefs at every k", all_of(*(_bounded(line) for line in changes))),
        )
    moves, words = (falls, "a larger l") if figure == "fig9" else (rises, "a smaller c")
    return (
        *made,
        Claim(
            figure,
            f"beliefs change less with {words}",
            all_of(*(moves(_line(figure, "change", way), slack=0.02) for way in WAYS)),
        ),
        Claim(
            figure,
            "two phases change beliefs as much as generalization only, or more",
            all_of(*(_no_less(figure, way) for way in WAYS if WAYS[way][1] == "adaptive" and WAYS[way][0] > 1)),
            _why(figure, "no less"),
        ),
        Claim(
            figure,
            "beliefs change least at k = 1, most at k = 2, then less with k",
            _two_is_worst(figure),
            _why(figure, "order"),
        ),
        Claim(
            figure,
            f"different {_FIGURES[figure][1]} change beliefs but slightly",
            _slight(figure, 0.25),
            _why(figure, "slight"),
        ),
    )


def _why(figure: str, claim: str) -> str:
    return _CONTRADICTED.get((figure, claim), "")


def _bounded(line: Line) -> Judged:
    def judged(found: Found) -> Verdict:
        made = line.of(found)
        wrong = [t2 for t2, change in made.items() if change**2 > t2 * (1 + 1e-9)]
        return Verdict(not wrong, f"{line.name}: at most {max(change / t2**0.5 for t2, change in made.items()):.2f} t")

    return judged


def _experiment(figure: str) -> Experiment[Patients]:
    name, words, values = _FIGURES[figure]
    shown = (("a", "change", "mean change of beliefs"), ("b", "size", "rows per group"), ("c", "cost", "cost T"))
    return Experiment(
        paper="004",
        name=figure,
        title=f"beliefs, groups and terms lost against {words}",
        points=grid({"figure": [figure], "way": list(WAYS), name: values}),
        quick=grid({"figure": [figure], "way": ["k = 10", GENERALIZED], name: values[1:2]}),
        prepare=patients,
        measure=measure,
        also=tuple(f"{figure}{part}" for part, _, _ in shown),
        charts=tuple(
            Chart(
                f"{figure}{part}",
                f"{label[:1].upper()}{label[1:]} against {words}",
                name,
                words,
                what,
                label,
                "way",
                log=what == "size",
            )
            for part, what, label in shown
        ),
        claims=_claims(figure),
    )


PRIVACY = tuple(map(_experiment, _FIGURES))
