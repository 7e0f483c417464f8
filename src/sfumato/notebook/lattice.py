"""The card of a lattice: a picture of all recodings where it can be read, else the best and the minimal ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.notebook.card import ENGLISH, bullets, card, facts, heading, table, verdict
from sfumato.notebook.chart import LegendKey
from sfumato.notebook.plots import LatticePlots
from sfumato.reports.charts.losses import shortened
from sfumato.reports.charts.svg import Picture, bar, line, picture, text
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
_WIDTH, _SIDE, _LAYER, _HIGH, _LETTER, _GAP = 640.0, 26.0, 46.0, 22.0, 7.2, 8.0
_MOST_LAYERS, _MOST_NODES, _LISTED = 16, 150, 8


@dataclass(frozen=True)
class _Box:
    """A node where it is drawn; `kind` is its class, `says` what it is in words."""

    levels: tuple[int, ...]
    middle: float
    top: float
    kind: str
    says: str

    @property
    def label(self) -> str:
        star = "★ " if "best" in self.kind else ""
        return star + ",".join(map(str, self.levels))


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


def _fits(lattice: LatticeMap) -> bool:
    """Whether a picture of it can be read."""
    if lattice.count > _MOST_NODES:
        return False
    layers = lattice.nodes["height"].n_unique()
    return layers <= _MOST_LAYERS and _widest(lattice) * (_wide(lattice) + _GAP) <= _WIDTH - _SIDE


def _widest(lattice: LatticeMap) -> int:
    """The most nodes of one height."""
    return int(max(lattice.nodes["height"].value_counts()["count"].to_list()))


def _wide(lattice: LatticeMap) -> float:
    longest = ",".join(map(str, lattice.top.values()))
    return _LETTER * (len(longest) + 2) + 8


def lattice_chart(lattice: LatticeMap) -> Picture:
    """Every node, the finest at the bottom; a line joins two that differ by one level of one column."""
    if not _fits(lattice):
        raise InputError(f"{counted(lattice.count, 'recoding')}: too many to draw; ask for best, minimal or nodes")
    rows = lattice.nodes.rows(named=True)
    heights = sorted({row["height"] for row in rows}, reverse=True)
    step = min((_WIDTH - _SIDE) / _widest(lattice), 2 * _wide(lattice))
    drawn = _SIDE + step * _widest(lattice), _LAYER * len(heights)
    boxes = {box.levels: box for box in _boxes(lattice, rows, heights, step)}
    marks: list[Child] = [text(0, _top(heights, at) + 15, str(at), "axis") for at in heights]
    marks += [line(box.middle, box.top, above.middle, above.top + _HIGH, "edge") for box, above in _edges(boxes)]
    wide = _wide(lattice)
    for box in boxes.values():
        marks.append(bar(box.middle - wide / 2, box.top, wide, _HIGH, box.kind, box.says))
        marks.append(text(box.middle, box.top + 15, box.label, "value", "middle"))
    return picture(*drawn, title_of(lattice), "; ".join(box.says for box in boxes.values()), marks)


def _boxes(lattice: LatticeMap, rows: list[dict[str, Any]], heights: list[int], step: float) -> Iterator[_Box]:
    """Every node, those of one layer side by side in its middle."""
    middle = _SIDE + step * _widest(lattice) / 2
    best = None if lattice.best is None else tuple(lattice.best.values())
    for height in heights:
        layer = [row for row in rows if row["height"] == height]
        for place, row in enumerate(layer):
            levels = tuple(row.values())[: len(lattice.columns)]
            kind, says = _kind(row)
            kind, says = (f"{kind} best", f"{says}, and loses least") if levels == best else (kind, says)
            name = ", ".join(f"{column} {level}" for column, level in zip(lattice.columns, levels, strict=True))
            across = middle + step * (place - (len(layer) - 1) / 2)
            yield _Box(levels, across, _top(heights, height), kind, f"{name}: {says}")


def _top(heights: list[int], height: int) -> float:
    return heights.index(height) * _LAYER + (_LAYER - _HIGH) / 2


def _kind(row: Mapping[str, Any]) -> tuple[str, str]:
    loss = f"loss {ENGLISH.percent(row['loss'])}"
    if row["minimal"]:
        return "node passes minimal", f"keeps the promise, and none below does; {loss}"
    if row["passes"]:
        return "node passes", f"keeps the promise; {loss}"
    if row["allowed"]:
        return "node within", f"keeps the promise with rows left out: {row['suppressed']}; {loss}"
    return "node", f"does not keep the promise; rows in groups that fail: {row['suppressed']}"


def _edges(boxes: Mapping[tuple[int, ...], _Box]) -> Iterator[tuple[_Box, _Box]]:
    for levels, box in boxes.items():
        for axis in range(len(levels)):
            above = boxes.get((*levels[:axis], levels[axis] + 1, *levels[axis + 1 :]))
            if above is not None:
                yield box, above
