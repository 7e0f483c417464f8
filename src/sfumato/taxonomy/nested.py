"""Hierarchies as nested mappings down to lists of values: in a policy, a YAML file or a JSON file.

::

    Higher: [Bachelors, Masters]
    Secondary:
      - 9th
      - Upper: [11th, 12th]

A single top key is the root; several stand under `*`. A list may mix values and further mappings. In a file every
label is taken as written, so ``05`` and ``no`` stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from sfumato.policy.yaml import NotYaml, YamlPart, outline
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.text import text_of
from sfumato.taxonomy.written import Link, WrittenTree, grow

__all__ = ["read_nested", "tree"]


def tree(mapping: Mapping[str, Any], source: Source) -> WrittenTree:
    """The tree written in a policy."""
    return _grown(_plain(mapping, source), source)


def read_nested(text: str, source: Source) -> WrittenTree:
    """The tree in a YAML or JSON text."""
    plain = text.removeprefix("\ufeff")
    if source.file is not None and source.file.suffix.lower() == ".json":
        plain = _ESCAPE.sub(_whole_character, plain.replace("\t", " "))
    try:
        whole = outline(plain)
    except NotYaml as error:
        raise source.error(f"is not YAML: {error.words}", error.line) from None
    if whole is None:
        raise source.error("the file is empty")
    try:
        return _grown(_composed(whole, source), source)
    except RecursionError:
        raise source.error("is nested too deeply") from None


# What JSON allows and YAML does not: tabs between the tokens, and one character escaped as two halves.
_ESCAPE = re.compile(r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.IGNORECASE | re.DOTALL)


def _whole_character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[0]
    return bytes.fromhex(escape[1] + escape[2]).decode("utf-16-be")


_Branch = tuple[str, int, "Iterator[_Branch] | None"]
"""A label, its line, and what is below it; None for a value."""


def _grown(branches: Iterator[_Branch], source: Source) -> WrittenTree:
    tops = list(branches)
    if len(tops) == 1:
        label, line, below = tops[0]
        if below is not None:
            return grow(_once(_filled(label, line, below, source), label, source), source)
    return grow(_once(iter(tops), "*", source), source)


def _once(branches: Iterator[_Branch], root: str, source: Source) -> Iterator[Link]:
    """Links of a tree whose every label stands once."""
    seen: dict[str, int] = {root: 0}
    waiting = [(root, branches)]
    while waiting:
        parent, below = waiting[-1]
        branch = next(below, None)
        if branch is None:
            waiting.pop()
            continue
        label, line, inner = branch
        if label in seen and label != "*":
            earlier = f" (line {seen[label]} already)" if seen[label] else ""
            raise source.error(f"{source.named(label)} stands twice{earlier}: a node has one place in a tree", line)
        seen[label] = line
        yield label, parent, line
        if inner is not None:
            waiting.append((label, _filled(label, line, inner, source)))


def _filled(label: str, line: int, branches: Iterator[_Branch], source: Source) -> Iterator[_Branch]:
    first = next(branches, None)
    if first is None:
        raise source.error(f"{source.named(label)} has no values below it", line)
    yield first
    yield from branches


def _composed(part: YamlPart, source: Source) -> Iterator[_Branch]:
    if part.pairs is not None:
        for key, value in part.pairs:
            if key.text is None:
                raise source.error("a label must be a text", key.line)
            yield key.text, key.line, _composed(value, source)
    elif part.items is not None:
        for item in part.items:
            if item.text is None:
                yield from _composed(item, source)
            else:
                yield item.text, item.line, None
    elif part.text:
        raise source.error("values stand in a list: [value, value]", part.line)


def _plain(given: object, source: Source) -> Iterator[_Branch]:
    if isinstance(given, Mapping):
        for key, value in given.items():
            yield _label(key, source), 0, _plain(value, source)
    elif isinstance(given, (list, tuple)):
        for item in given:
            if isinstance(item, (Mapping, list, tuple)):
                yield from _plain(item, source)
            else:
                yield _label(item, source), 0, None
    elif given is not None:
        raise source.error("in a tree, values stand in a list: [value, value]")


def _label(given: object, source: Source) -> str:
    if isinstance(given, (str, int, float, date)) and not isinstance(given, bool):
        return text_of(given)
    if isinstance(given, Decimal):
        return str(given)
    raise source.error(f"{given!r} in its tree is not a text; write it in quotes")
