"""Rows by how many look alike, before and after; the zone below what is asked for is shaded."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.reports.charts.svg import Picture, bar, line, picture, text
from sfumato.reports.facts import SizeFact
from sfumato.reports.markup import Markup
from sfumato.reports.wording import Wording

__all__ = ["label_of", "sizes_chart"]

_WIDTH, _HEIGHT, _TOP, _BOTTOM, _SIDE = 400.0, 214.0, 46.0, 40.0, 8.0


def label_of(size: SizeFact, words: Wording) -> str:
    """Between which numbers of rows."""
    if size.high is None:
        return words("sizes.more", low=words.count(size.low))
    if size.low == size.high:
        return words.count(size.low)
    return words("sizes.range", low=words.count(size.low), high=words.count(size.high))


def sizes_chart(sizes: Sequence[SizeFact], words: Wording, exact: bool = False) -> Picture:
    """Two bars for each range of sizes; where rows show what they are exactly, sizes are those of groups of secrets."""
    kind = "_exact" if exact else ""
    step = (_WIDTH - 2 * _SIDE) / max(len(sizes), 1)
    base, wide = _HEIGHT - _BOTTOM, min(34.0, step * 0.36)
    marks = [*_zone(sizes, step, base, words)]
    for place, size in enumerate(sizes):
        middle, label = _SIDE + step * (place + 0.5), label_of(size, words)
        for side, share in (("before", size.before), ("after", size.after)):
            if share is None:
                continue
            left, high = middle - wide - 1 + (wide + 2) * (side == "after"), (base - _TOP) * share
            says = words("sizes.point", label=label, share=words.percent(share))
            marks.append(bar(left, base - high, wide, high, side, f"{words(f'sizes.{side}')}: {says}"))
            shown = words.percent(share) if share else "0"
            marks.append(text(left + wide / 2, base - high - 4, shown, "value" if share else "value faint", "middle"))
        marks.append(text(middle, base + 16, label, "axis", "middle"))
    marks.append(line(_SIDE, base, _WIDTH - _SIDE, base, "base"))
    marks.append(text(_WIDTH / 2, _HEIGHT - 6, words(f"sizes.axis{kind}"), "note", "middle"))
    return picture(_WIDTH, _HEIGHT, words(f"sizes.title{kind}"), "; ".join(_described(sizes, words)), marks)


def _zone(sizes: Sequence[SizeFact], step: float, base: float, words: Wording) -> list[Markup]:
    below = [size for size in sizes if size.below]
    if not below:
        return []
    least, right = (below[-1].high or 0) + 1, step * len(below)
    shaded = bar(_SIDE, _TOP - 20, right, base - _TOP + 20, "zone")
    return [shaded, text(_SIDE + right - 6, _TOP - 8, words("sizes.below", least=least), "note bad", "end")]


def _described(sizes: Sequence[SizeFact], words: Wording) -> list[str]:
    unknown = words("numbers.nothing")
    return [
        words(
            "sizes.described",
            label=label_of(size, words),
            before=unknown if size.before is None else words.percent(size.before),
            after=words.percent(size.after),
        )
        for size in sizes
    ]
