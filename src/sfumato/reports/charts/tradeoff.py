"""What ways of making a release lose, against what they give away: the nearer to the corner, the better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.reports.charts.svg import Picture, circle, leading_to, line, picture, text
from sfumato.reports.markup import Child, Markup
from sfumato.reports.wording import Wording

if TYPE_CHECKING:
    from sfumato import Compared, Tried

__all__ = ["tradeoff_chart"]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 640.0, 340.0, 64.0, 52.0, 20.0
_LETTER, _LINE = 6.9, 13.0
"""How wide a letter is about, and how far apart lines are."""
_SIDES = tuple((below, side) for below in (-6.0, 14.0, -20.0, 27.0, 4.0) for side in ("start", "end"))
"""Where a label may stand: how far below its dot, and on which side, the best place first."""
_DOT, _REACH = 5.0, 12.0
"""How large a dot is drawn, and within what a click reaches it."""


def tradeoff_chart(
    found: Compared, words: Wording, links: Mapping[str, str] | None = None, chosen: str = ""
) -> Picture:
    """A dot for every way that made a release; a dashed line joins those that nothing beats.

    links    by label, where a dot leads
    chosen   the label of the way that is marked
    """
    kept = [way for way in found.ways if way.overall is not None and way.matches is not None]
    unbeaten = {way.label for way in found.best()}
    across = min(max([way.overall or 0.0 for way in kept] + [0.01]) * 1.1, 1.0)
    up = min(max([way.matches or 0.0 for way in kept] + [0.01]) * 1.15, 1.0)
    base = _HEIGHT - _BOTTOM

    def at(way: Tried) -> tuple[float, float]:
        x = _LEFT + (_WIDTH - _LEFT - 20) * (way.overall or 0.0) / across
        return x, base - (base - _TOP) * (way.matches or 0.0) / up

    marks = _frame(across, up, words)
    front = sorted((way for way in kept if way.label in unbeaten), key=lambda way: way.overall or 0.0)
    for one, other in pairwise(front):
        marks.append(line(*at(one), *at(other), "front"))
    named: dict[tuple[int, int], list[str]] = {}
    for way in kept:
        x, y = at(way)
        named.setdefault((round(x / 6), round(y / 6)), []).append(way.label)
        kind, says = "dot" if way.label in unbeaten else "before", _point(way, words)
        dot = circle(x, y, _DOT, kind if way.label != chosen else f"{kind} chosen", says)
        if links is not None and way.label in links:
            dot = leading_to(links[way.label], says, circle(x, y, _REACH, "reach"), dot, chosen=way.label == chosen)
        marks.append(dot)
    marks += _names(named, [at(way) for way in kept])
    told = "; ".join(_point(way, words) for way in kept)
    return picture(_WIDTH, _HEIGHT, words("compare.chart"), told, marks, linked=bool(links))


def _frame(across: float, up: float, words: Wording) -> list[Child]:
    """Both axes, with what they say."""
    base = _HEIGHT - _BOTTOM
    marks: list[Child] = [line(_LEFT, base, _WIDTH - 10, base, "base"), line(_LEFT, _TOP, _LEFT, base, "base")]
    for tick in range(5):
        x = _LEFT + (_WIDTH - _LEFT - 20) * tick / 4
        y = base - (base - _TOP) * tick / 4
        marks += [
            text(x, base + 16, words.percent(across * tick / 4), "axis", "middle"),
            line(_LEFT, y, _WIDTH - 10, y, "grid"),
            text(_LEFT - 8, y + 4, words.percent(up * tick / 4), "axis", "end"),
        ]
    marks.append(text((_WIDTH + _LEFT) / 2, _HEIGHT - 10, words("compare.axis_loss"), "note", "middle"))
    marks.append(text(_LEFT, _TOP - 8, words("compare.axis_matches"), "note"))
    return marks


def _names(named: Mapping[tuple[int, int], Sequence[str]], dots: Sequence[tuple[float, float]]) -> list[Markup]:
    """Ways that stand in one place have one label; where there is room for none, the dot alone says which it is."""
    taken = [(x - _DOT, x + _DOT, y + _DOT) for x, y in dots]
    made = []
    for (column, row), labels in named.items():
        x, y, label = 6.0 * column, 6.0 * row, ", ".join(labels)
        wide = _LETTER * len(label)
        for below, side in _SIDES:
            left, base = (x + 8 if side == "start" else x - 8 - wide), y + below
            free = all(abs(base - other) >= _LINE or left > end or left + wide < begin for begin, end, other in taken)
            if free and left >= _LEFT and left + wide <= _WIDTH and _TOP < base < _HEIGHT - _BOTTOM:
                taken.append((left, left + wide, base))
                made.append(text(x + 8 if side == "start" else x - 8, base, label, "label", side))
                break
    return made


def _point(way: Tried, words: Wording) -> str:
    loss, matches = words.percent(way.overall or 0.0), words.percent(way.matches or 0.0)
    return words("compare.point", way=way.label, loss=loss, matches=matches)
