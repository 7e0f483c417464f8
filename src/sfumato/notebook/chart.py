"""A picture as a value: it shows itself in a notebook, and can be saved as a file that stands alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from sfumato.errors import InputError
from sfumato.notebook.card import card
from sfumato.reports.charts.svg import Picture, bar, chart_style, circle, line, text
from sfumato.reports.markup import Markup, styled, tag

__all__ = ["Chart", "LegendKey"]

_TOP, _ROW, _MARGIN, _LETTER = 30.0, 20.0, 16.0, 6.2
_WIDEST = 640.0 + 2 * _MARGIN


@dataclass(frozen=True)
class LegendKey:
    """What a mark of the picture stands for.

    shape   a bar, a dot, a line, or a node
    kind    its class, as in the picture
    """

    shape: str
    kind: str
    words: str

    def drawn(self, x: float, y: float) -> Markup:
        """The mark, with its left end and middle there."""
        if self.shape == "dot":
            return circle(x + 6, y, 4.5, self.kind)
        if self.shape == "line":
            return line(x, y, x + 14, y, self.kind)
        return bar(x, y - 6, 12.0, 12.0, self.kind)


@dataclass(frozen=True, repr=False)
class Chart:
    """A picture of a result. In a notebook it shows itself; `save` writes it as SVG.

    title     what it shows
    picture   itself, at most 640 px wide, with its numbers as text
    keys      what its marks stand for
    """

    title: str
    picture: Picture
    keys: tuple[LegendKey, ...] = ()

    def __repr__(self) -> str:
        return f"<Chart: {self.title}>"

    @property
    def figure(self) -> Markup:
        """The picture with its title and what its marks stand for, to stand in a card."""
        keys = (tag("span", _small(key), key.words) for key in self.keys)
        legend = tag("p", keys, class_="legend soft small") if self.keys else None
        return tag("figure", tag("figcaption", self.title), legend, self.picture)

    @property
    def svg(self) -> str:
        """The whole as the text of a file: its style, in light and dark, is within."""
        marks, below = _placed(self.keys)
        width, height = _WIDEST, self.picture.height + below + _MARGIN
        inner = tag("svg", self.picture, x=_MARGIN, y=below, width=self.picture.width, height=self.picture.height)
        drawn = tag(
            "svg",
            tag("title", self.title),
            styled(_file_style()),
            bar(0, 0, width, height, "page"),
            text(_MARGIN, _TOP - 8, self.title, "caption"),
            marks,
            inner,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:g} {height:g}",
            width=640,
            height=height * 640 / width,
            class_="sfumato-chart",
            role="img",
        )
        return f"{drawn}\n"

    def save(self, path: str | Path) -> Path:
        """Write it, under a name that ends with ``.svg``."""
        target = Path(path)
        if target.suffix != ".svg":
            raise InputError(f"{target}: a picture ends with .svg")
        target.write_text(self.svg, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        return str(card(self.figure))

    def _repr_svg_(self) -> str:
        return self.svg


def _placed(keys: Iterable[LegendKey]) -> tuple[list[Markup], float]:
    """Keys in as many rows as they need, and where the picture begins below them."""
    marks, x, y = [], _MARGIN, _TOP + 8
    for key in keys:
        wide = 34 + _LETTER * len(key.words)
        if x > _MARGIN and x + wide > _WIDEST:
            x, y = _MARGIN, y + _ROW
        marks += [key.drawn(x, y), text(x + 19, y + 4, key.words, "note")]
        x += wide
    return marks, y + 14 if marks else _TOP


def _small(key: LegendKey) -> Markup:
    return tag("svg", key.drawn(1, 7), width=16, height=14, class_="sfumato-chart", aria_hidden="true")


@cache
def _file_style() -> str:
    colours = (files("sfumato.notebook") / "colours.css").read_text(encoding="utf-8")
    return colours + chart_style()
