"""Per value of a secret a dot, its share of the whole table, on a range: the least and largest share in any group."""

from __future__ import annotations

from math import ceil

from sfumato.reports.charts.losses import shortened
from sfumato.reports.charts.svg import Picture, circle, line, picture, text
from sfumato.reports.facts import SecretFact, ShareFact
from sfumato.reports.wording import Wording

__all__ = ["spread_chart"]

_WIDTH, _ROW, _TOP, _LABEL, _NUMBERS = 640.0, 22.0, 26.0, 160.0, 104.0


def spread_chart(secret: SecretFact, words: Wording) -> Picture:
    """The most frequent values of one secret."""
    height = _TOP + _ROW * len(secret.spread) + 26
    most = max([each.most for each in secret.spread] + [0.1])
    step = 0.1 if most <= 0.5 else 0.2
    ticks = ceil(most / step - 1e-9)
    span = _WIDTH - _LABEL - _NUMBERS

    def at(share: float) -> float:
        return _LABEL + span * share / (ticks * step)

    marks = []
    for tick in range(ticks + 1):
        marks.append(line(at(tick * step), _TOP - 6, at(tick * step), height - 24, "grid"))
        marks.append(text(at(tick * step), height - 8, words.percent(round(tick * step, 2)), "axis", "middle"))
    marks.append(text(_WIDTH - _NUMBERS + 48, _TOP - 8, words("spread.table"), "note", "end"))
    marks.append(text(_WIDTH - 4, _TOP - 8, words("spread.most"), "note", "end"))
    for place, each in enumerate(secret.spread):
        middle = _TOP + place * _ROW + 10
        marks += [
            text(_LABEL - 10, middle + 4, shortened(_named(each, words), 22), "label", "end"),
            line(at(each.least), middle, at(each.most), middle, "range"),
            circle(at(each.share), middle, 4.5, "dot", _described(each, words)),
            text(_WIDTH - _NUMBERS + 48, middle + 4, words.percent(each.share), "value", "end"),
            text(_WIDTH - 4, middle + 4, words.percent(each.most), "value", "end"),
        ]
    told = "; ".join(_described(each, words) for each in secret.spread)
    return picture(_WIDTH, height, words("spread.title", secret=secret.name), told, marks)


def _named(each: ShareFact, words: Wording) -> str:
    return each.value or words("spread.missing")


def _described(each: ShareFact, words: Wording) -> str:
    shares = {key: words.percent(share) for key, share in (("share", each.share), ("least", each.least))}
    return words("spread.described", value=_named(each, words), most=words.percent(each.most), **shares)
