"""A release in words: what is wrong with it first, then what it lost, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sfumato.errors import one_line
from sfumato.measures.lost import ColumnLoss, Losses
from sfumato.release.unlooked import Unlooked
from sfumato.table.words import counted

__all__ = ["alarm", "loss_lines", "singled_out_lines"]


def alarm(worthless: Sequence[str], remedies: Sequence[str]) -> Iterator[str]:
    """What says nothing, and what would help; nothing if all is well."""
    if worthless:
        yield "LITTLE IS LEFT in this release, though it keeps the promise:"
        yield from (f"  {said}" for said in worthless)
    if remedies:
        yield "what would help:"
        yield from (f"  - {remedy}" for remedy in remedies)


def loss_lines(metric: str, value: float, lost: Losses | None) -> Iterator[str]:
    """The loss, and what each column lost; for quasi-identifiers as they are, what is lost instead."""
    if lost is None:
        yield f"loss ({metric}): {value:.4f} of 1"
        return
    if lost.exact:
        yield "quasi-identifiers are shown as they are; lost is whose sensitive value is whose"
    if lost.correspondence is not None:
        yield f"correspondence loss (GLP): {lost.correspondence:.4f} of 1"
    if not lost.exact or value:
        yield f"loss ({metric}): {value:.4f} of 1" + (", by suppressed rows" if lost.exact else "")
    sensitive = {name: each for name, each in lost.sensitive.items() if each.generalized}
    quasi = {} if lost.exact else lost.quasi
    width = max((len(one_line(name)) for name in (*quasi, *sensitive)), default=0)
    for name, each in quasi.items():
        yield _line(name, width, each, lost.rows, "")
    for name, each in sensitive.items():
        yield _line(name, width, each, lost.rows, f"sensitive: {counted(each.generalized, 'value')} generalized")


def singled_out_lines(found: Iterable[Unlooked]) -> Iterator[str]:
    """How many rows show what no other row shows, in columns that no promise speaks of."""
    for each in found:
        lone = max(each.together, *(column.alone for column in each.columns.values()))
        mixed = "" if each.with_quasi is None else f", with quasi-identifiers {max(each.with_quasi, lone)}"
        if lone or each.with_quasi:
            yield f"rows unique by insensitive columns: {lone} of {each.rows}{mixed}"


def _line(name: str, width: int, column: ColumnLoss, rows: int, more: str) -> str:
    nothing = f"says nothing in {column.nothing / rows:.0%} of rows" if column.nothing else ""
    words = "; ".join(each for each in (more, nothing) if each)
    return f"  {one_line(name):<{width}}  {column.loss:.4f}  {words}".rstrip()
