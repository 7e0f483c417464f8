"""Diagnoses by code: category, block and chapter of the International Classification of Diseases.

``E11.9`` stands below ``E11*`` (all codes of the category), ``E10–E14`` (its block) and ``E00–E90`` (its chapter). A
category without a block stands directly below its chapter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sfumato.taxonomy.ready.contract import Ready

__all__ = ["READY_ICD9", "READY_ICD10", "Scheme", "icd9", "icd10"]


@dataclass(frozen=True)
class Range:
    """From the one category to the other, both included; `words` say what a chapter is about."""

    first: str
    last: str
    words: str = ""

    @property
    def label(self) -> str:
        return f"{self.first}*" if self.first == self.last else f"{self.first}\u2013{self.last}"

    def __contains__(self, category: str) -> bool:
        # Letters come after digits, and all categories of a kind are as long: text order is that of the book.
        return self.first <= category <= self.last and len(category) == len(self.first)


@dataclass(frozen=True)
class Scheme:
    """Chapters with their blocks; `code` reads a code, its first group being the category."""

    code: re.Pattern[str]
    chapters: tuple[tuple[Range, tuple[Range, ...]], ...]

    def place(self, value: str) -> tuple[str, str, str] | None:
        """Category, block and chapter of a code.

        >>> icd10().place("E11.9"), icd9().place("8.45")
        (('E11*', 'E10–E14', 'E00–E90'), ('008*', '001–009', '001–139'))
        """
        found = self.code.fullmatch(value.strip().upper())
        category = "" if found is None else found[1].zfill(3)
        for chapter, blocks in self.chapters:
            if category in chapter:
                own = f"{category}*"
                return own, next((block.label for block in blocks if category in block), own), chapter.label
        return None

    @property
    def labels(self) -> list[str]:
        """Chapters, each followed by its blocks."""
        return [part.label for chapter, blocks in self.chapters for part in (chapter, *blocks)]

    def meaning(self, label: str) -> str | None:
        """What a label covers."""
        for chapter, blocks in self.chapters:
            if label == chapter.label:
                return f"any code from {chapter.first} to {chapter.last}: {chapter.words}"
            for block in blocks:
                if label == block.label and block.first != block.last:
                    return f"any code from {block.first} to {block.last}"
        category = label.removesuffix("*")
        known = label.endswith("*") and any(category in chapter for chapter, _ in self.chapters)
        return f"any code of the category {category}" if known else None


@cache
def icd9() -> Scheme:
    """ICD-9-CM; codes of digits may lack their leading zeros, and a category of more than three digits is none."""
    return _read("icd9.txt", r"([0-9]{1,3}|V[0-9]{2}|E[0-9]{3})(?:\.[0-9]{1,2})?")


@cache
def icd10() -> Scheme:
    """ICD-10, with or without a point."""
    return _read("icd10.txt", r"([A-Z][0-9][0-9])(?:\.?[0-9A-Z]{1,4}|\.?-)?")


def _read(name: str, code: str) -> Scheme:
    lines = files("sfumato.taxonomy.ready").joinpath(name).read_text(encoding="utf-8").splitlines()
    chapters: list[tuple[Range, tuple[Range, ...]]] = []
    for line in lines:
        if line.startswith(" "):
            chapter, blocks = chapters.pop()
            chapters.append((chapter, (*blocks, *_ranges(line.split()))))
        elif not line.startswith("#"):
            span, _, words = line.partition(" ")
            first, _, last = span.partition("-")
            chapters.append((Range(first, last, words), ()))
    return Scheme(re.compile(code, re.ASCII), tuple(chapters))


def _ranges(texts: list[str]) -> Iterator[Range]:
    for text in texts:
        first, _, last = text.partition("-")
        yield Range(first, last or first)


def _ready(name: str, source: str, example: str, scheme: Callable[[], Scheme]) -> Ready:
    return Ready(
        name,
        ("text",),
        ("category", "block", "chapter"),
        source,
        example,
        lambda value: scheme().place(str(value)),
        lambda label: scheme().meaning(label),
        lambda: scheme().labels,
    )


READY_ICD9 = _ready("icd9", "ICD-9-CM by the U.S. National Center for Health Statistics (CDC)", "250.01", icd9)
READY_ICD10 = _ready("icd10", "ICD-10, version 2019, by the World Health Organization", "E11.9", icd10)
