"""Amnesia's text hierarchies, the *distinct* kind.

::

    distinct
    name education
    type string
    height 3

    Secondary has 9th 10th
    Higher has Bachelors Masters

    Any has Secondary Higher

A head up to the first blank line (`distinct`, then `name`, `type` and `height`, of which nothing is needed here: the
type is the policy's, the height is that of the tree), then a line per inner node, lowest levels first, in any
order. Labels have no spaces, as in Amnesia itself. The *range* kind holds no values, only nested ranges; it is
refused in favour of `intervals`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.written import Link, WrittenTree, grow

__all__ = ["looks_like_amnesia", "read_amnesia"]

_KINDS = ("distinct", "range")
_HEAD = (*_KINDS, "name", "type", "height")


def looks_like_amnesia(text: str) -> bool:
    """Whether the first line names a kind of Amnesia hierarchy."""
    return text.removeprefix("\ufeff").lstrip().partition("\n")[0].strip().lower() in _KINDS


def read_amnesia(text: str, source: Source) -> WrittenTree:
    """The tree in an Amnesia text."""
    lines = text.removeprefix("\ufeff").splitlines()
    numbered = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip()]
    kind = numbered[0][1][0].lower() if numbered else ""
    if kind == "range":
        raise source.error("an Amnesia range hierarchy holds no values; use {intervals: ...} instead", numbered[0][0])
    if kind != "distinct":
        raise source.error("an Amnesia hierarchy begins with the line 'distinct'", numbered[0][0] if numbered else None)
    blank = next((number for number, line in enumerate(lines, 1) if number > numbered[0][0] and not line.strip()), None)
    if blank is None:
        raise source.error("an Amnesia hierarchy has a blank line between its head and its nodes", len(lines))
    for number, words in numbered:
        if number < blank and words[0].lower() not in _HEAD:
            raise source.error(f"{words[0]!r} is not a setting of the head: {', '.join(_HEAD)}", number)
    return grow(_links([each for each in numbered if each[0] > blank], source), source)


def _links(numbered: list[tuple[int, list[str]]], source: Source) -> Iterator[Link]:
    inner: dict[str, int] = {}
    for number, words in numbered:
        if len(words) < 3 or words[1] != "has":
            raise source.error("a line must read: parent has child child ...", number)
        parent, children = words[0], words[2:]
        if parent in inner:
            raise source.error(f"{source.named(parent)} has its children on line {inner[parent]} already", number)
        inner[parent] = number
        if len(set(children)) < len(children):
            twice = next(child for index, child in enumerate(children) if child in children[:index])
            raise source.error(f"{source.named(twice)} stands twice on the line", number)
        for child in children:
            yield child, parent, number
