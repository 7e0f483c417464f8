"""What was found against what is printed and claimed: a line per number, a line per claim, and what is amiss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from experiments.contract import Chart, Claim, Experiment, Found, Printed, Surface, Value
from experiments.scales import short

__all__ = ["CLAIMS", "NUMBERS", "amiss", "claim_line", "claim_lines", "number_lines", "rows_of", "table_of"]

NUMBERS = ("what", "paper", "ours", "difference", "why")
CLAIMS = ("figure", "the paper says", "here", "by")
_UNTIMED = "CPU time, which is measured on a quiet machine: `--times`"


def number_lines(experiment: Experiment[Any], found: Found | None) -> Iterator[list[str]]:
    """What, printed, ours, the difference, and why; of an experiment that was not run, what is printed."""
    for each in experiment.printed:
        ours = None if each.ours is None or found is None else each.ours(found)
        told = (f"{each.paper:,.{each.digits}f}", "–" if ours is None else f"{ours:,.{each.digits}f}")
        reason = each.reason if found is not None else _UNTIMED
        yield [f"{experiment.name}: {each.what}", *told, _difference(each, ours), reason]


def _difference(each: Printed, ours: float | None) -> str:
    if ours is None:
        return "not computed"
    if _same(each, ours):
        return "none"
    share = f" ({(ours - each.paper) / each.paper:+.1%})" if each.paper else ""
    return f"{ours - each.paper:+,.{each.digits}f}{share}"


def _same(each: Printed, ours: float) -> bool:
    return round(ours - each.paper, each.digits) == 0


def claim_lines(experiment: Experiment[Any], found: Found) -> Iterator[list[str]]:
    """The figure, what the paper says, whether it holds, and by which numbers."""
    for claim in experiment.claims:
        yield claim_line(claim, found)


def claim_line(claim: Claim, found: Found) -> list[str]:
    verdict = claim.judged(found)
    why = f"; {claim.contradicted}" if claim.contradicted else ""
    return [claim.figure, claim.says, "holds" if verdict.holds else "does not hold", f"{verdict.evidence}{why}"]


def table_of(chart: Chart | Surface, found: Found) -> tuple[list[str], list[list[str]]]:
    """The numbers of a picture: lines down, x across; of a surface, the rows of all panels down."""
    if isinstance(chart, Surface):
        return _table_of_panels(chart, found)
    lines = chart.lines(found)
    across = sorted({x for each in lines.values() for x in each})
    head = [chart.x_label, *map(short, across)]
    return head, [[name, *(_figure(each.get(x)) for x in across)] for name, each in lines.items()]


def _table_of_panels(chart: Surface, found: Found) -> tuple[list[str], list[list[str]]]:
    panels = chart.panels(found)
    across = sorted({x for cells in panels.values() for x, _ in cells})
    lines = [
        [name, short(y), *(_figure(cells.get((x, y))) for x in across)]
        for name, cells in panels.items()
        for y in sorted({y for _, y in cells})
    ]
    return [chart.by, chart.y_label, *(f"{chart.x} = {short(x)}" for x in across)], lines


def rows_of(found: Found) -> tuple[list[str], list[list[str]]]:
    """All rows as they are, where there is no picture."""
    names = list(dict.fromkeys(name for row in found.rows for name in row))
    return [name.replace("_", " ") for name in names], [
        [_figure(row.get(name)) for name in names] for row in found.rows
    ]


def _figure(value: Value) -> str:
    if value is None or isinstance(value, str):
        return value or "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def amiss(experiment: Experiment[Any], found: Found) -> Iterator[str]:
    """Numbers that differ without a reason, claims that do not hold and are not contradicted, or the other way."""
    for each in experiment.printed:
        ours = None if each.ours is None else each.ours(found)
        if (ours is None or not _same(each, ours)) and not each.reason:
            what = f"{experiment.paper} {experiment.name}: {each.what}"
            told = "not computed" if ours is None else f"{ours:g}"
            yield f"{what}: {told}, printed is {each.paper:g}, and no reason is given"
    for claim in experiment.claims:
        verdict = claim.judged(found)
        if verdict.holds == bool(claim.contradicted):
            what = "is called contradicted, and holds" if verdict.holds else "does not hold"
            yield f"{experiment.paper} {claim.figure}: {claim.says!r} {what}: {verdict.evidence}"
