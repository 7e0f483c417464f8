"""How much detail every column lost, as bars."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.reports.charts.svg import Picture, bar, picture, text
from sfumato.reports.facts import ColumnFact
from sfumato.reports.wording import Wording

__all__ = ["losses_chart", "shortened"]

_WIDTH, _ROW, _LABEL, _NUMBER = 400.0, 30.0, 112.0, 66.0


def shortened(name: str, most: int) -> str:
    """A name that fits; what is left out shows as three dots."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def losses_chart(columns: Sequence[ColumnFact], words: Wording) -> Picture:
    """A bar for each column whose loss is known."""
    shown = [(column.name, column.loss) for column in columns if column.loss is not None]
    span, marks = _WIDTH - _LABEL - _NUMBER, []
    for place, (name, loss) in enumerate(shown):
        top, says = place * _ROW + 9, words("losses.described", column=name, share=words.percent(loss))
        marks += [
            text(_LABEL - 10, top + 12, shortened(name, 16), "label", "end"),
            bar(_LABEL, top, span, 16, "track"),
            bar(_LABEL, top, span * loss, 16, "after", says),
            text(_LABEL + span + 10, top + 12, words.percent(loss), "value"),
        ]
    told = "; ".join(words("losses.described", column=name, share=words.percent(loss)) for name, loss in shown)
    return picture(_WIDTH, _ROW * len(shown) + 8, words("losses.title"), told, marks)
