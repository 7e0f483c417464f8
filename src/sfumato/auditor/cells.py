"""Whether numbers and dates of a release are written in one notation: another one could hold what was not published.

``41``, ``041``, ``+41``, ``41.0`` and ``41 `` denote one number, so which of them stands in a row could tell something.
A column has the notation of one type, whichever it was published from: whole numbers plain, decimals of one scale,
floating-point numbers by the shortest digits, days in ISO form, with midnight if they are points in time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.table.dictionaries import values_of
from sfumato.table.words import counted

__all__ = ["cell_findings"]

_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_SCALED = re.compile(r"-?(?:0|[1-9][0-9]*)\.([0-9]+)", re.ASCII)
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_DAY = re.compile(r"[+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}((?:[ T]00:00:00(?:\.0+)?(?:Z|\+00:00)?)?)", re.ASCII)

Notation = Callable[[Sequence[str]], int]
"""How many of some texts are not written in it."""


def cell_findings(evidence: Opened, seen: Seen, policy: Policy) -> Iterator[str]:
    """Columns of numbers and dates with cells in other notations: quasi-identifiers shown as they are, and secrets."""
    if evidence.document is None:
        return
    marks = {evidence.document.notation.missing, evidence.document.notation.suppressed}
    for table in evidence.tables.values():
        for column in table.get_columns():
            told = policy.columns.get(column.name)
            if told is None or told.kind == "text" or told.role not in ("quasi", "sensitive"):
                continue
            if (told.role == "quasi" and not seen.exact) or told.bins is not None or told.difference is not None:
                continue
            texts = [text for text in values_of(column).to_list() if text not in marks]
            if told.role == "sensitive":  # a general one is no number, and judged elsewhere
                texts = [text for text in texts if _near(text, told.kind)]
            odd = min(count(texts) for count in _NOTATIONS[told.kind])
            if odd:
                yield f"column {column.name!r}: {counted(odd, 'value')} in another notation than the rest"


def _near(text: str, kind: str) -> bool:
    """Whether a text reads as a number or date, however it is written."""
    bare = text.strip()
    if kind == "date":
        return _DAY.match(bare) is not None
    try:
        float(bare.replace(",", "."))
    except ValueError:
        return False
    return True


def _plain(texts: Sequence[str]) -> int:
    return sum(_WHOLE.fullmatch(text) is None for text in texts)


def _decimals(texts: Sequence[str]) -> int:
    """As many digits behind the point everywhere."""
    found = [_SCALED.fullmatch(text) for text in texts]
    scales = [len(each[1]) for each in found if each is not None]
    usual = max(set(scales), key=scales.count, default=0)
    return len(texts) - scales.count(usual)


def _shortest(texts: Sequence[str]) -> int:
    """Floating-point numbers, whole ones without a point."""
    return sum(_FLOAT.fullmatch(text) is None or text != _repr(text) for text in texts)


def _repr(text: str) -> str:
    written = repr(float(text)).removesuffix(".0")
    return "0" if written == "-0" else written


def _as_floats(texts: Sequence[str]) -> int:
    """Floating-point numbers as a frame of them is written."""
    read = [text if _FLOAT.fullmatch(text) else None for text in texts]
    written = pl.Series(read, dtype=pl.String).cast(pl.Float64).cast(pl.String).to_list()
    return sum(text != other for text, other in zip(texts, written, strict=True))


def _days(texts: Sequence[str]) -> int:
    found = [_DAY.fullmatch(text) for text in texts]
    times = [each[1] for each in found if each is not None]
    usual = max(set(times), key=times.count, default="")
    return len(texts) - times.count(usual)


_NOTATIONS: dict[str, tuple[Notation, ...]] = {
    "integer": (_plain, _decimals),
    "number": (_plain, _decimals, _shortest, _as_floats),
    "date": (_days,),
}
