"""Pictures of surfaces: a panel of cells for each method, hand-made SVG that stands alone.

The papers draw them in three dimensions, where one surface hides the next. Here a cell is as dark as its figure is
large, the same in all panels, and has its figure in it; a dash is a point where there is no output.
"""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Found, Surface
from experiments.framing import WIDTH, framed
from experiments.scales import short, written
from sfumato.reports.charts.svg import bar, line, text
from sfumato.reports.markup import Child, Markup

__all__ = ["drawn_surface"]

ACROSS, LEFT, TOP, ROW, SHADES = 2, 42.0, 88.0, 24.0, 8
_STYLE = ".cell{font-size:10px}.pale{font-size:10px;fill:#fff}.name{font-weight:600}.none{fill:#f4f2ee}" + "".join(
    f".s{shade}{{fill:hsl(187 {30 + 5 * shade}% {92 - 9 * shade}%)}}" for shade in range(SHADES)
)
Cells = dict[tuple[float, float], float | None]


def drawn_surface(chart: Surface, found: Found) -> str:
    """The text of an SVG file."""
    panels = chart.panels(found)
    xs = sorted({x for cells in panels.values() for x, _ in cells})
    ys = sorted({y for cells in panels.values() for _, y in cells})
    every = [z for cells in panels.values() for z in cells.values() if z is not None]
    ends = (min(every, default=0.0), max(every, default=1.0))
    wide, tall = WIDTH / ACROSS, ROW * len(ys) + 66
    rows = -(-len(panels) // ACROSS)
    marks: list[Child] = []
    for place, (name, cells) in enumerate(panels.items()):
        down, along = divmod(place, ACROSS)
        marks += _panel(chart, name, cells, (xs, ys), ends, (wide * along, TOP + tall * down))
    return framed(chart.title, _told(panels), _STYLE, TOP + tall * rows, [*_key(chart, ends), *marks])


def _key(chart: Surface, ends: tuple[float, float]) -> list[Markup]:
    """Which shade is how much."""
    low, high = ends
    marks = [text(16, 48, f"{chart.z_label}:  {_short(low)}", "axis")]
    begin = 28 + 6.6 * len(f"{chart.z_label}:  {_short(low)}")
    marks += [bar(begin + 16 * shade, 38, 16, 12, f"s{shade}") for shade in range(SHADES)]
    return [*marks, text(begin + 16 * SHADES + 8, 48, _short(high), "axis"), text(16, 66, "–  no output", "axis")]


def _panel(
    chart: Surface,
    name: str,
    cells: Cells,
    axes: tuple[Sequence[float], Sequence[float]],
    ends: tuple[float, float],
    corner: tuple[float, float],
) -> list[Markup]:
    xs, ys = axes
    left, top = corner[0] + LEFT, corner[1]
    step = (WIDTH / ACROSS - LEFT - 12) / max(len(xs), 1)
    marks = [text(left, top, name, "name"), text(left - 6, top, chart.y_label, "axis", "end")]
    for down, y in enumerate(ys):
        at = top + 8 + ROW * down
        marks.append(text(left - 6, at + 16, short(y), "axis", "end"))
        for along, x in enumerate(xs):
            if (x, y) in cells:
                marks += _cell(cells[x, y], ends, (left + step * along, at, step), f"{name}: {short(x)}, {short(y)}")
    bottom = top + 8 + ROW * len(ys)
    marks += [text(left + step * (place + 0.5), bottom + 16, short(x), "axis", "middle") for place, x in enumerate(xs)]
    marks += [line(left, bottom, left + step * len(xs), bottom, "base"), line(left, top + 8, left, bottom, "base")]
    return [*marks, text(left + step * len(xs) / 2, bottom + 32, written(chart.x_label), "axis", "middle")]


def _cell(value: float | None, ends: tuple[float, float], box: tuple[float, float, float], where: str) -> list[Markup]:
    left, top, step = box
    told = "no output" if value is None else f"{value:.6g}"
    shade = SHADES // 2 if value is None else _shade(value, ends)
    kind, ink = ("none", "cell") if value is None else (f"s{shade}", "pale" if shade > SHADES // 2 else "cell")
    words = "–" if value is None else _short(value)
    return [
        bar(left + 1, top + 1, step - 2, ROW - 2, kind, f"{where}: {told}"),
        text(left + step / 2, top + 15.5, words, ink, "middle"),
    ]


def _shade(value: float, ends: tuple[float, float]) -> int:
    low, high = ends
    return min(int(SHADES * (value - low) / (high - low)), SHADES - 1) if high > low else 0


def _short(value: float) -> str:
    """Two places, without the zero before the point."""
    return f"{value:.2f}".removeprefix("0") if abs(value) < 1 else f"{value:.1f}"


def _told(panels: dict[str, Cells]) -> str:
    """Every number, for who cannot see the picture."""
    return "; ".join(
        f"{name}: "
        + ", ".join(f"{short(x)} {short(y)} {'none' if z is None else format(z, '.4g')}" for (x, y), z in cells.items())
        for name, cells in panels.items()
    )
