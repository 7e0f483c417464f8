"""Parts of pictures. They have classes and no colours, so that light, dark and print each have their own; and every
picture has a title, a description with its numbers, and the numbers beside its marks."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from sfumato.reports.markup import Child, Markup, tag

__all__ = ["Picture", "bar", "chart_style", "circle", "leading_to", "line", "picture", "text"]


def chart_style() -> str:
    """The rules of all pictures, for a sheet that says which colours there are: ``--ink``, ``--soft``, …"""
    return (files("sfumato.reports.charts") / "chart.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Picture(Markup):
    """A whole picture, and how large it is drawn."""

    width: float
    height: float


def picture(width: float, height: float, title: str, description: str, *marks: Child, linked: bool = False) -> Picture:
    """The whole, as wide as there is room and never wider than it is drawn.

    linked   whether there are links in it: then it is a group of them, and no single picture
    """
    drawn = tag(
        "svg",
        tag("title", title),
        tag("desc", description),
        *marks,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="group" if linked else "img",
        class_="sfumato-chart",
    )
    return Picture(drawn.text, width, height)


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> Markup:
    """A text that begins, ends or has its middle at x."""
    return tag("text", words, x=x, y=y, class_=kind, text_anchor=None if anchor == "start" else anchor)


def bar(x: float, y: float, width: float, height: float, kind: str, says: str = "") -> Markup:
    """A bar; who points at it reads what it says."""
    told = tag("title", says) if says else None
    return tag("rect", told, x=x, y=y, width=max(width, 0.0), height=max(height, 0.0), rx=2, class_=kind)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def circle(x: float, y: float, radius: float, kind: str, says: str = "") -> Markup:
    """A dot; who points at it reads what it says."""
    return tag("circle", tag("title", says) if says else None, cx=x, cy=y, r=radius, class_=kind)


def leading_to(address: str, says: str, *marks: Child, chosen: bool = False) -> Markup:
    """Marks that lead somewhere, by click and by keyboard; `chosen` is where one is."""
    return tag("a", *marks, href=address, aria_label=says, aria_current="true" if chosen else None)
