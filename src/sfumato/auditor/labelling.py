"""Whether labels in the data dictionary are those of published values: others could tell who was left out."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.release.documents import ColumnEntry
from sfumato.table.words import counted

__all__ = ["label_findings"]


def label_findings(name: str, entry: ColumnEntry, shown: set[str], wanted: bool) -> Iterator[str]:
    """What is wrong with the labels of a column, of which these texts are published; `wanted`: it may have any.

    Cells show either labels or codes, in whichever way these are written.
    """
    if (entry.label or entry.labels) and not wanted:
        yield f"column {name!r}: the data dictionary has labels, and the policy drops them or does not know the column"
    codes = [_code(str(each.code)) for each in entry.labels]
    meant = {_code(text) for text in shown}
    more = min(sum(each.label not in shown for each in entry.labels), sum(code not in meant for code in codes))
    if more:
        yield f"column {name!r}: the data dictionary has labels of {counted(more, 'value')} not published"
    if len(set(codes)) < len(codes):
        yield f"column {name!r}: the data dictionary has several labels of one code"


def _code(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
