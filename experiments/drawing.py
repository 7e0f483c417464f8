"""Pictures of results: lines over numbers, hand-made SVG that stands alone.

What the paper prints is dashed, in the colour of ours. The first lines are the widest, so that one on which another
lies is seen beneath it. Numbers are in the description, and at every dot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from experiments.contract import Chart, Found
from experiments.framing import WIDTH, framed
from experiments.scales import Scale, short, written
from sfumato.reports.charts.svg import circle, line, text
from sfumato.reports.markup import Child, Markup

__all__ = ["drawn"]

LEFT, RIGHT, PLOT, TOP, ROW = 74.0, 616.0, 300.0, 36.0, 19.0
_COLOURS = (
    "#0d5c63",
    "#c0392b",
    "#7d5ba6",
    "#d98c0b",
    "#2f6db5",
    "#5b8c2a",
    "#8c564b",
    "#444444",
    "#e377c2",
    "#17a5b8",
)
_STYLE = ".grid{stroke:#e6e2da}" + "".join(
    f".l{place}{{stroke:{colour};stroke-width:{4.4 - 0.34 * place:.2f}}}"
    f".d{place}{{fill:{colour if place % 2 == 0 else 'none'};stroke:{colour};stroke-width:1.5}}"
    f".p{place}{{stroke:{colour};stroke-width:1.5;stroke-dasharray:5 4}}"
    for place, colour in enumerate(_COLOURS)
)
Line = Mapping[float, float]


def drawn(chart: Chart, found: Found) -> str:
    """The text of an SVG file."""
    lines = chart.lines(found)
    printed = {chart.words.get(value, value): each for value, each in chart.published.items()}
    legend, top = _legend([*lines], [*printed])
    every = [each for each in (*lines.values(), *printed.values()) if each]
    places = [x for each in every for x in each]
    across = Scale.of(places, LEFT, RIGHT, log=True) if chart.log_x else Scale.within(places, LEFT, RIGHT)
    up = Scale.of([y for each in every for y in each.values()], top + PLOT, top, chart.log)
    marks: list[Child] = [_axes(chart, across, up)]
    for place, (name, each) in enumerate(lines.items()):
        kind = place % len(_COLOURS)
        marks.append(_path(printed.get(name, {}), across, up, f"p{kind}"))
        marks.append(_path(each, across, up, f"l{kind}"))
        marks += [
            circle(across(x), up(y), _radius(kind), f"d{kind}", f"{name}: {short(x)}, {y:.6g}")
            for x, y in each.items()
            if up.shows(y)
        ]
    return framed(chart.title, _told(lines), _STYLE, top + PLOT + 50, [*legend, *marks])


def _legend(names: Sequence[str], printed: Sequence[str]) -> tuple[list[Markup], float]:
    """What each line is, in as many rows as needed; and where the plot begins below."""
    marks, x, y = [], 16.0, TOP + 10
    keys = [(name, f"l{place % len(_COLOURS)}", True) for place, name in enumerate(names)]
    keys += [
        (f"{name}, as printed", f"p{place % len(_COLOURS)}", False)
        for place, name in enumerate(names)
        if name in printed
    ]
    for words, kind, dotted in keys:
        wide = 48 + 7.0 * len(words)
        if x > 16 and x + wide > WIDTH:
            x, y = 16.0, y + ROW
        marks += [line(x, y, x + 24, y, kind), text(x + 30, y + 4, written(words), "key")]
        if dotted:
            marks.append(circle(x + 12, y, _radius(int(kind[1:])), kind.replace("l", "d")))
        x += wide
    return marks, y + 36


def _axes(chart: Chart, across: Scale, up: Scale) -> list[Markup]:
    low, high = up.begin, up.end
    marks = [line(LEFT, up(mark), RIGHT, up(mark), "grid") for mark in up.marks]
    words = short if up.log else "{:,.10g}".format
    marks += [text(LEFT - 8, up(mark) + 4, words(mark), "axis", "end") for mark in up.marks]
    last = -99.0
    for mark in across.marks:
        at = across(mark)
        marks.append(line(at, low, at, low + 5, "base"))
        if at - last >= 8 + 7 * len(short(mark)):
            marks.append(text(at, low + 18, short(mark), "axis", "middle"))
            last = at
    marks += [line(LEFT, low, RIGHT, low, "base"), line(LEFT, low, LEFT, high, "base")]
    marks += [
        text((LEFT + RIGHT) / 2, low + 38, written(chart.x_label), "key", "middle"),
        text(16, high - 12, written(chart.y_label), "key"),
    ]
    return marks


def _path(each: Line, across: Scale, up: Scale, kind: str) -> list[Markup]:
    """From point to point; where one has no place, the line is broken."""
    both = [pair for pair in pairwise(sorted(each.items())) if all(up.shows(y) for _, y in pair)]
    return [line(across(x), up(y), across(to), up(end), kind) for (x, y), (to, end) in both]


def _radius(kind: int) -> float:
    """Full dots are small and hollow ones larger, so that two on one place are both seen."""
    return 3.0 if kind % 2 == 0 else 4.5


def _told(lines: Mapping[str, Line]) -> str:
    """Every number, for who cannot see the picture."""
    told = (f"{name}: " + ", ".join(f"{short(x)} {y:.4g}" for x, y in each.items()) for name, each in lines.items())
    return "; ".join(told)
