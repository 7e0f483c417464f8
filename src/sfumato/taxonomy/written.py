"""A tree as a file spells it: links from child to parent, each with its line, checked and grown into one tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.errors import HierarchyError
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.text import Kind, key_of, text_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Link", "WrittenTree", "grow"]

Link = tuple[str, str, int]
"""Child, parent, line."""


@dataclass(frozen=True)
class WrittenTree:
    """A checked tree: every label stands for one node, every node but the root has one parent.

    root        label of the root
    children    children of every inner node, in the order written
    lines       the line on which each node stands first (0: not known)
    """

    root: str
    children: Mapping[str, Sequence[str]]
    lines: Mapping[str, int]

    def taxonomy(self) -> Taxonomy:
        """The tree over its leaves."""
        place = {label: index for index, label in enumerate(self.downwards)}
        parent = np.full(len(place), -1, dtype=np.int64)
        for label, below in self.children.items():
            parent[[place[child] for child in below]] = place[label]
        return Taxonomy.of_parents(self.downwards, parent)

    @cached_property
    def downwards(self) -> list[str]:
        """Every label, parents before their children."""
        found, waiting = [], [self.root]
        while waiting:
            label = waiting.pop()
            found.append(label)
            if label in self.children:
                waiting.extend(reversed(self.children[label]))
        return found

    def typed(self, kind: Kind, source: Source) -> WrittenTree:
        """The same tree with leaves written as values of that type (``05`` is 5), siblings in their order."""
        if kind == "text":
            return self
        least: dict[str, Any] = {}
        names: dict[str, str] = {}
        taken: dict[str, str] = {label: label for label in self.children}
        for label in reversed(self.downwards):
            below = self.children.get(label)
            if below:
                least[label] = min(least[child] for child in below)
                continue
            value = key_of(label, kind)
            if value is None:
                raise source.error(_misfit(label, kind), self.lines[label])
            least[label], names[label] = value, text_of(value)
            other = taken.setdefault(names[label], label)
            if other != label:
                raise source.error(f"{source.named(label)} and another one are the same {kind}", self.lines[label])
        children = {
            label: [names.get(child, child) for child in sorted(below, key=least.__getitem__)]
            for label, below in self.children.items()
        }
        return WrittenTree(self.root, children, {names.get(label, label): line for label, line in self.lines.items()})


def _misfit(label: str, kind: Kind) -> str:
    wanted = {"integer": "a whole number", "number": "a number", "date": "a date such as 2024-03-05"}[kind]
    return f"{label!r} is not {wanted}, which the column's type asks for; remove it, or give the column type: text"


def grow(links: Iterable[Link], source: Source, values: Mapping[str, int] | None = None) -> WrittenTree:
    """The tree of the links; `values` are labels, with their lines, that the file says are leaves."""
    parents: dict[str, str] = {}
    children: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for child, parent, line in links:
        known = parents.get(child)
        if known == parent:
            continue
        if known is not None:
            raise _second_parent(child, parent, known, line, lines, source)
        _require_label(child, parent, line, source)
        if values is not None and parent in values:
            raise source.error(
                f"{source.named(parent)} is a value (line {values[parent]}) and also the label of a group; rename one",
                line,
            )
        lines.setdefault(child, line)
        lines.setdefault(parent, line)
        parents[child] = parent
        children.setdefault(parent, []).append(child)
    made = WrittenTree(_root(parents, children, lines, source), children, lines)
    if len(made.downwards) <= len(parents):
        raise _cycle(made, parents, source)
    return made


def _require_label(child: str, parent: str, line: int, source: Source) -> None:
    if not child.strip() or not parent.strip():
        raise source.error("an empty label", line)
    if child == "*":
        raise source.error("'*' stands for the root alone; it can be no value and no group", line)
    if child == parent:
        raise source.error(f"{source.named(child)} is its own parent: a cycle", line)


def _second_parent(
    child: str, parent: str, known: str, line: int, lines: Mapping[str, int], source: Source
) -> HierarchyError:
    earlier = f" (line {lines[child]})" if lines.get(child) else ""
    two = f"{source.named(child)} has two parents: one{earlier} and another here; a node has one, so correct it"
    return source.error(two, line)


def _root(
    parents: Mapping[str, str], children: Mapping[str, Sequence[str]], lines: Mapping[str, int], source: Source
) -> str:
    roots = [label for label in children if label not in parents]
    if not children:
        raise source.error("there is no value in it")
    if len(roots) > 1:
        named = ", ".join(repr(label) for label in roots[:3]) + (", ..." if len(roots) > 3 else "")
        line = min(lines[label] for label in roots[1:])
        raise source.error(f"{len(roots)} nodes have no parent ({named}); put all of them under one root, '*'", line)
    return roots[0] if roots else ""


def _cycle(made: WrittenTree, parents: Mapping[str, str], source: Source) -> HierarchyError:
    """Of a tree that its root does not reach all of."""
    reached = set(made.downwards)
    label = next(label for label in parents if label not in reached)
    seen: dict[str, None] = {}
    while label not in seen:
        seen[label] = None
        label = parents[label]
    ring = list(seen)[list(seen).index(label) :]
    shown = " > ".join(repr(each) for each in (*ring, ring[0])[:6])
    more = " > ..." if len(ring) > 5 else ""
    return source.error(f"a cycle: {shown}{more}", min(made.lines[each] for each in ring))
