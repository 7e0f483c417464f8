"""HTML and SVG as values: every text is escaped when it is put in, and only what was made here is markup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

__all__ = ["Child", "Markup", "styled", "tag"]

_EMPTY = frozenset({"br", "hr", "input", "link", "meta"})
"""Elements that have no content and no end."""


@dataclass(frozen=True)
class Markup:
    """Markup that was made by `tag`, and may be put into other markup as it is."""

    text: str

    def __str__(self) -> str:
        return self.text


Child: TypeAlias = "Markup | str | int | float | Iterable[Child] | None"
"""What may stand in an element: markup, text, nothing, or several of them."""


def tag(name: str, /, *children: Child, **attributes: str | float | None) -> Markup:
    """One element. An attribute that is a word of Python has a ``_`` behind it; other ``_`` are hyphens.

    >>> str(tag("p", "1 < 2", tag("b", "!"), class_="small"))
    '<p class="small">1 &lt; 2<b>!</b></p>'
    """
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Markup(f"<{name}{words}>")
    return Markup(f"<{name}{words}>{_inside(children)}</{name}>")


def styled(css: str) -> Markup:
    """A style sheet of ours, which is no text to be escaped."""
    if "</" in css:
        raise ValueError("a style sheet must not end its element")
    return Markup(f"<style>{css}</style>")


def _inside(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child.text
    if isinstance(child, (str, int, float)):
        return escape(str(child))
    return "".join(map(_inside, child))


def _written(value: str | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
