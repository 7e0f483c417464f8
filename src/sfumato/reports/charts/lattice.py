"""A lattice of recodings: all of its nodes where that can be read, and one of them with those next to it for any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sfumato.reports.charts.losses import shortened
from sfumato.reports.charts.svg import Picture, bar, leading_to, line, picture, text
from sfumato.reports.markup import Child

__all__ = ["MOST_NODES", "DrawnNode", "StepRow", "lattice_picture", "readable", "steps_picture"]

MOST_NODES = 150
"""Of which a picture can be read."""
_WIDTH, _SIDE, _LAYER, _HIGH, _LETTER, _GAP = 640.0, 26.0, 46.0, 22.0, 7.2, 8.0
_MOST_LAYERS = 16
_BOX, _MIDDLE, _ROW, _TALL, _TOP = 190.0, 196.0, 50.0, 40.0, 24.0


@dataclass(frozen=True)
class DrawnNode:
    """A node as it is drawn.

    levels   one for each column
    kind     its classes, after what is known of it: ``node passes minimal``
    says     what it is, in words, for who points at it or cannot see it
    brief    the same in a few signs, where there is room
    address  where it leads; nowhere if there is none
    """

    levels: tuple[int, ...]
    kind: str
    says: str
    brief: str = ""
    address: str = ""
    best: bool = False
    chosen: bool = False

    @property
    def classes(self) -> str:
        return " ".join([self.kind, *["best"] * self.best, *["chosen"] * self.chosen])

    def linked(self, name: str, *marks: Child) -> Child:
        """Its marks, leading where it leads; `name` begins with all that is read in them."""
        return leading_to(self.address, name, *marks, chosen=self.chosen) if self.address else marks


@dataclass(frozen=True)
class StepRow:
    """One column of a node: its level now, and the nodes one level finer and vaguer in it."""

    column: str
    level: int
    highest: int
    finer: DrawnNode | None
    vaguer: DrawnNode | None


def readable(nodes: Sequence[tuple[int, ...]]) -> bool:
    """Whether a picture of nodes with these levels can be read."""
    if not 0 < len(nodes) <= MOST_NODES:
        return False
    layers = Counter(map(sum, nodes))
    return len(layers) <= _MOST_LAYERS and max(layers.values()) * (_wide(nodes) + _GAP) <= _WIDTH - _SIDE


def _wide(nodes: Sequence[tuple[int, ...]]) -> float:
    return _LETTER * (max(len(_label(levels)) for levels in nodes) + 2) + 8


def _label(levels: tuple[int, ...]) -> str:
    return ",".join(map(str, levels))


def lattice_picture(nodes: Sequence[DrawnNode], title: str) -> Picture:
    """Every node, the finest at the bottom; a line joins two that differ by one level of one column."""
    levels = [node.levels for node in nodes]
    layers = Counter(map(sum, levels))
    heights, widest, wide = sorted(layers, reverse=True), max(layers.values()), _wide(levels)
    step = min((_WIDTH - _SIDE) / widest, 2 * wide)
    places = _places(levels, heights, step, _SIDE + step * widest / 2)
    marks: list[Child] = [text(0, _top(at) + 15, str(height), "axis") for at, height in enumerate(heights)]
    marks += [line(*places[one], places[above][0], places[above][1] + _HIGH, "edge") for one, above in _edges(places)]
    for node in nodes:
        middle, top = places[node.levels]
        box = bar(middle - wide / 2, top, wide, _HIGH, node.classes, node.says)
        label = f"{'★ ' if node.best else '● ' if node.chosen else ''}{_label(node.levels)}"
        marks.append(node.linked(f"{label}: {node.says}", box, text(middle, top + 15, label, "value", "middle")))
    size = _SIDE + step * widest, _LAYER * len(heights)
    linked = any(node.address for node in nodes)
    return picture(*size, title, "; ".join(node.says for node in nodes), marks, linked=linked)


Places = Mapping[tuple[int, ...], tuple[float, float]]


def _places(levels: Sequence[tuple[int, ...]], heights: Sequence[int], step: float, middle: float) -> Places:
    """The middle and top of every node: those of one layer side by side."""
    made = {}
    for at, height in enumerate(heights):
        layer = [each for each in levels if sum(each) == height]
        for place, each in enumerate(layer):
            made[each] = middle + step * (place - (len(layer) - 1) / 2), _top(at)
    return made


def _top(at: int) -> float:
    return at * _LAYER + (_LAYER - _HIGH) / 2


def _edges(places: Places) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    for levels in places:
        for axis in range(len(levels)):
            above = (*levels[:axis], levels[axis] + 1, *levels[axis + 1 :])
            if above in places:
                yield levels, above


def steps_picture(here: DrawnNode, rows: Sequence[StepRow], heads: tuple[str, str, str], title: str) -> Picture:
    """One node in the middle; row by row its columns, one level finer to the left and vaguer to the right.

    As long as there are columns, and never wider: it stays readable however large the lattice is.
    """
    left, right, height = (_WIDTH - _MIDDLE) / 2, (_WIDTH + _MIDDLE) / 2, _TOP + _ROW * len(rows)
    ends = ((0.0, "start"), (_WIDTH / 2, "middle"), (_WIDTH, "end"))
    marks: list[Child] = [text(at, 13, head, "note", anchor) for (at, anchor), head in zip(ends, heads, strict=True)]
    for place, row in enumerate(rows):
        top = _TOP + _ROW * place
        for node, start, end in ((row.finer, left, _BOX), (row.vaguer, right, _WIDTH - _BOX)):
            if node is not None:
                marks.append(line(start, top + _TALL / 2, end, top + _TALL / 2, "edge"))
                marks.append(_step(node, row.column, node.levels[place], min(end, _WIDTH) if end > start else 0.0, top))
    marks.append(bar(left, _TOP, _MIDDLE, height - _TOP - _ROW + _TALL, here.classes, here.says))
    for place, row in enumerate(rows):
        name = f"{shortened(row.column, 18)} {row.level}/{row.highest}"
        marks.append(text(_WIDTH / 2, _TOP + _ROW * place + _TALL / 2 + 4, name, "label", "middle"))
    told = "; ".join([here.says, *(node.says for row in rows for node in (row.finer, row.vaguer) if node is not None)])
    return picture(_WIDTH, height, title, told, marks, linked=True)


def _step(node: DrawnNode, column: str, level: int, x: float, top: float) -> Child:
    """A node beside, by the one column that differs."""
    name = f"{'★ ' if node.best else ''}{shortened(column, 20)} {level}"
    box = bar(x, top, _BOX, _TALL, node.classes, node.says)
    lines = text(x + 10, top + 16, name, "label"), text(x + 10, top + 32, node.brief, "value")
    return node.linked(f"{name} {node.brief}", box, lines)
