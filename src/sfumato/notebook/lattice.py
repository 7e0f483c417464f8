"""The card of a lattice: a picture of all recodings where it can be read, else the best and the minimal ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.notebook.card import ENGLISH, bullets, card, facts, heading, table, verdict
from sfumato.notebook.chart import LegendKey
from sfumato.notebook.plots import LatticePlots
from sfumato.reports.charts.lattice import MOST_NODES, DrawnNode, lattice_picture, readable
from sfumato.reports.charts.losses import shortened
from sfumato.reports.charts.svg import Picture
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import LatticeMap

__all__ = ["KEYS", "lattice_card", "lattice_chart", "title_of"]

KEYS = (
    LegendKey("bar", "node passes", "keeps the promise"),
    LegendKey("bar", "node passes minimal", "keeps it, and none below does"),
    LegendKey("bar", "node within", "keeps it with rows left out"),
    LegendKey("bar", "node", "does not"),
    LegendKey("bar", "node passes best", "★ loses least"),
)
_LISTED = 8


def lattice_card(lattice: LatticeMap) -> Markup:
    told = facts(counted(lattice.count, "recoding"), f"minimal: {len(lattice.minimal)}")
    shown: Child = LatticePlots(lattice).nodes().figure if _fits(lattice) else _minimal(lattice)
    return card(told, _best(lattice), shown)


def title_of(lattice: LatticeMap) -> str:
    """What the numbers of a node are, in their order."""
    return f"Recodings, by their levels of {', '.join(shortened(name, 16) for name in lattice.columns)}"


def _best(lattice: LatticeMap) -> Child:
    if lattice.best is None:
        return verdict("fails", "No recoding keeps the promise within what may be left out")
    found, top = lattice.at(lattice.best), lattice.top
    classes = counted(found.classes, "class", "classes")
    lost = f"loss {ENGLISH.decimal(found.loss)}, {classes}, rows left out: {found.suppressed}"
    rows = [(tag("strong", name), str(level), str(top[name])) for name, level in lattice.best.items()]
    return [verdict("met", f"The least loss: {lost}"), table(("column", "level", "of"), rows, numbers=(1, 2))]


def _minimal(lattice: LatticeMap) -> Child:
    """Instead of a picture that could not be read."""
    listed = lattice.minimal[:_LISTED]
    more = len(lattice.minimal) - len(listed)
    rows = [[str(level) for level in node.values()] for node in listed]
    places = range(len(lattice.columns))
    return [
        heading("Recodings that keep the promise while none below does"),
        table(lattice.columns, rows, numbers=places),
        bullets([f"and {ENGLISH.count(more)} more: see minimal"] if more else []),
        tag("p", "There are too many recodings to draw; nodes lists them.", class_="soft small"),
    ]


def lattice_chart(lattice: LatticeMap) -> Picture:
    """Every node, the finest at the bottom; a line joins two that differ by one level of one column."""
    if not _fits(lattice):
        raise InputError(f"{counted(lattice.count, 'recoding')}: too many to draw; ask for best, minimal or nodes")
    return lattice_picture([*_drawn(lattice)], title_of(lattice))


def _fits(lattice: LatticeMap) -> bool:
    """Whether a picture of it can be read; counted without looking at any node of a large one."""
    return lattice.count <= MOST_NODES and readable(_levels(lattice))


def _levels(lattice: LatticeMap) -> list[tuple[int, ...]]:
    """The levels of every node."""
    return [row[: len(lattice.columns)] for row in lattice.nodes.rows()]


def _drawn(lattice: LatticeMap) -> Iterator[DrawnNode]:
    best = None if lattice.best is None else tuple(lattice.best.values())
    for row in lattice.nodes.rows(named=True):
        levels = tuple(row.values())[: len(lattice.columns)]
        kind, says = _kind(row)
        says = f"{says}, and loses least" if levels == best else says
        name = ", ".join(f"{column} {level}" for column, level in zip(lattice.columns, levels, strict=True))
        yield DrawnNode(levels, kind, f"{name}: {says}", best=levels == best)


def _kind(row: Mapping[str, Any]) -> tuple[str, str]:
    loss = f"loss {ENGLISH.percent(row['loss'])}"
    if row["minimal"]:
        return "node passes minimal", f"keeps the promise, and none below does; {loss}"
    if row["passes"]:
        return "node passes", f"keeps the promise; {loss}"
    if row["allowed"]:
        return "node within", f"keeps the promise with rows left out: {row['suppressed']}; {loss}"
    return "node", f"does not keep the promise; rows in groups that fail: {row['suppressed']}"
