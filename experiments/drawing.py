"""Pictures of results: lines over numbers, hand-made SVG that stands alone.

What the paper prints is dashed, in the colour of ours. Numbers are in the description, and at every dot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from experiments.contract import Chart, Found
from experiments.scales import Scale, short
from sfumato.reports.charts.svg import bar, circle, line, text
from sfumato.reports.markup import Child, Markup, styled, tag

__all__ = ["drawn"]

WIDTH, LEFT, RIGHT, PLOT, TOP, ROW = 640.0, 74.0, 616.0, 300.0, 36.0, 19.0
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
_STYLE = (
    "text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#1b1d21}.caption{font-size:13.5px;font-weight:600}"
    ".axis{fill:#565c67;font-size:11px}.page{fill:#fff}.base{stroke:#565c67}.grid{stroke:#e6e2da}"
    + "".join(
        f".l{place}{{stroke:{colour};stroke-width:2}}"
        f".d{place}{{fill:{colour if place % 2 == 0 else 'none'};stroke:{colour};stroke-width:1.5}}"
        f".p{place}{{stroke:{colour};stroke-width:1.5;stroke-dasharray:5 4}}"
        for place, colour in enumerate(_COLOURS)
    )
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
    height = top + PLOT + 50
    whole = tag(
        "svg",
        tag("title", chart.title),
        tag("desc", _told(lines)),
        styled(_STYLE),
        bar(0, 0, WIDTH, height, "page"),
        text(16, 22, chart.title, "caption"),
        legend,
        marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        width=WIDTH,
        height=height,
        role="img",
    )
    return f"{whole}\n"


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
        marks += [line(x, y, x + 24, y, kind), text(x + 30, y + 4, words, "key")]
        if dotted:
            marks.append(circle(x + 12, y, _radius(int(kind[1:])), kind.replace("l", "d")))
        x += wide
    return marks, y + 36


def _axes(chart: Chart, across: Scale, up: Scale) -> list[Markup]:
    low, high = up.begin, up.end
    marks = [line(LEFT, up(mark), RIGHT, up(mark), "grid") for mark in up.marks]
    marks += [text(LEFT - 8, up(mark) + 4, short(mark), "axis", "end") for mark in up.marks]
    last = -99.0
    for mark in across.marks:
        at = across(mark)
        marks.append(line(at, low, at, low + 5, "base"))
        if at - last >= 8 + 7 * len(short(mark)):
            marks.append(text(at, low + 18, short(mark), "axis", "middle"))
            last = at
    marks += [line(LEFT, low, RIGHT, low, "base"), line(LEFT, low, LEFT, high, "base")]
    marks += [
        text((LEFT + RIGHT) / 2, low + 38, chart.x_label, "key", "middle"),
        text(16, high - 12, chart.y_label, "key"),
    ]
    return marks


def _path(each: Line, across: Scale, up: Scale, kind: str) -> list[Markup]:
    places = [(across(x), up(y)) for x, y in sorted(each.items()) if up.shows(y)]
    return [line(*one, *other, kind) for one, other in pairwise(places)]


def _radius(kind: int) -> float:
    """Full dots are small and hollow ones larger, so that two on one place are both seen."""
    return 3.0 if kind % 2 == 0 else 4.5


def _told(lines: Mapping[str, Line]) -> str:
    """Every number, for who cannot see the picture."""
    told = (f"{name}: " + ", ".join(f"{short(x)} {y:.4g}" for x, y in each.items()) for name, each in lines.items())
    return "; ".join(told)
