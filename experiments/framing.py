"""What every picture of results has: a title, its numbers in words, a white page, and colours of its own."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.scales import written
from sfumato.reports.charts.svg import bar, text
from sfumato.reports.markup import Child, styled, tag

__all__ = ["STYLE", "WIDTH", "framed"]

WIDTH = 640.0
STYLE = (
    "text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#1b1d21}.caption{font-size:13.5px;font-weight:600}"
    ".axis{fill:#565c67;font-size:11px}.page{fill:#fff}.base{stroke:#565c67}"
)


def framed(title: str, told: str, style: str, height: float, marks: Sequence[Child]) -> str:
    """The text of an SVG file that stands alone."""
    whole = tag(
        "svg",
        tag("title", title),
        tag("desc", told),
        styled(STYLE + style),
        bar(0, 0, WIDTH, height, "page"),
        text(16, 22, written(title), "caption"),
        marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {height:g}",
        width=WIDTH,
        height=height,
        role="img",
    )
    return f"{whole}\n"
