"""The documentation as data: pages, their code blocks and links.

A block may carry a mark, an HTML comment on the line before its fence:

<!-- not run: reason -->      shown only
<!-- file: NAME -->           saved under that name, where later blocks find it
<!-- new folder: NAMES -->    it and all later blocks run in a new folder that has these example files alone
<!-- any order -->            the lines it says come out may do so in any order
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["PAGES", "ROOT", "Block", "Page"]

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(r"```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"<!-- (not run|file|new folder|any order)(?:: (.+))? -->")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line that it begins on, and its mark."""

    language: str
    text: str
    line: int
    mark: str = ""
    note: str = ""


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(self._blocks())

    def _blocks(self) -> Iterator[Block]:
        for found in _FENCE.finditer(self.text):
            before = self.text[: found.start()]
            mark = _MARK.fullmatch(before.rstrip("\n").rpartition("\n")[2])
            line = before.count("\n") + 2
            yield Block(found[1], found[2], line, *(mark.groups("") if mark else ()))

    @cached_property
    def prose(self) -> str:
        """The text without its blocks."""
        return _FENCE.sub("", self.text)

    @property
    def links(self) -> tuple[str, ...]:
        """Targets of all links that stay within the project."""
        plain = re.sub(r"`[^`\n]*`", "", self.prose)
        return tuple(target for target in _LINK.findall(plain) if "://" not in target)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        return tuple(_HEADING.findall(self.prose))

    @cached_property
    def anchors(self) -> frozenset[str]:
        """What a link may name after #: headings in small letters, spaces as dashes, signs left out."""
        plain = (heading.replace("`", "").strip().lower() for heading in self.headings)
        return frozenset(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain)


PAGES = {
    page.name: page
    for page in map(Page, [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))])
}
