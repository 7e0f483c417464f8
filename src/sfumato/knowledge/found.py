"""Which terms go with which label, as sources tell it, one reader per kind of source.

``pairs``      a row per label and term, and perhaps how often they were met together
``cases``      a row per case: its label, then its terms in several columns, in one cell, or as columns of 1 and 0
``texts``      a row per text: its label and the text; terms are phrases of a vocabulary, or all its words
``ontology``   a row per label and term, as public ontologies list them: with a qualifier that denies, a frequency, and
               perhaps broader terms, which go with whatever the narrower ones go with
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from sfumato.exact import as_fraction
from sfumato.knowledge.layout import Layout, laid_out
from sfumato.knowledge.sheet import Cell, Sheet
from sfumato.knowledge.vocabulary import Vocabulary, words_of

__all__ = ["READERS", "Met", "SourceColumns", "SourceKind"]

SourceKind = Literal["pairs", "cases", "texts", "ontology"]

_WORDS = {
    ("obligate", "hp:0040280"): "1",
    ("very frequent", "hp:0040281"): "0.895",
    ("frequent", "hp:0040282"): "0.545",
    ("occasional", "hp:0040283"): "0.17",
    ("very rare", "hp:0040284"): "0.025",
    ("excluded", "hp:0040285"): "0",
}
FREQUENCIES = {word: Fraction(middle) for words, middle in _WORDS.items() for word in words}
"""Words of the Human Phenotype Ontology, and its codes of them: the middle of the range that each stands for."""


@dataclass(frozen=True)
class SourceColumns:
    """Where a source has what; labels are in the first column, terms or texts in the next, unless named.

    count        how often a pair was met, or how frequent its term is with its label
    separator    of terms in one cell
    vocabulary   phrases to look for in texts; None: every word
    unless       a column and a word: rows with it deny
    broader      terms to the broader terms above each
    names        what terms are called, if not by themselves
    """

    label: str | None = None
    term: str | None = None
    count: str | None = None
    separator: str | None = None
    vocabulary: tuple[str, ...] | None = None
    unless: tuple[str, str] | None = None
    broader: Mapping[str, frozenset[str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Met:
    """How often each label was met, 0 where that is not told, and each of its terms with it; shares where told."""

    cases: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    shares: dict[tuple[str, str], Fraction] = field(default_factory=dict)

    def case(self, label: str, terms: Iterable[str]) -> None:
        self.cases[label] += 1
        self.pairs.update((label, term) for term in {*terms})

    def share(self, pair: tuple[str, str]) -> Fraction | None:
        """Which share of the label's cases has the term; None: it is not told."""
        if pair in self.shares:
            return self.shares[pair]
        cases = self.cases[pair[0]]
        return Fraction(self.pairs[pair], cases) if cases else None


def _pairs(sheet: Sheet, told: SourceColumns) -> Met:
    found = Met()
    count_at = None if told.count is None else sheet.column(told.count, 0, "counts")
    for place, cells, label, term in _named(sheet, told):
        number = 1 if count_at is None else _count(sheet, place, cells, count_at)
        found.pairs[label, term] += number
        found.cases.setdefault(label, 0)
    return found


def _cases(sheet: Sheet, told: SourceColumns) -> Met:
    found = Met()
    term = told.term if told.separator is not None else None  # in several columns, all others hold terms
    listed = laid_out(sheet, Layout(label=told.label, term=term, separator=told.separator))
    for (label, _), terms in listed.sets.items():
        found.case(label, terms)
    return found


def _texts(sheet: Sheet, told: SourceColumns) -> Met:
    found = Met()
    phrases = None if told.vocabulary is None else Vocabulary.of(told.vocabulary)
    for _, _, label, text in _named(sheet, told):
        words = words_of(text)
        found.case(label, phrases.within(words) if phrases is not None else {word for word in words if len(word) > 2})
    return found


def _ontology(sheet: Sheet, told: SourceColumns) -> Met:
    found = Met()
    count_at = None if told.count is None else sheet.column(told.count, 0, "frequencies")
    unless = None if told.unless is None else (sheet.column(told.unless[0], 0, "qualifiers"), told.unless[1].casefold())
    for place, cells, label, term in _named(sheet, told):
        if unless is not None and str(cells[unless[0]]).casefold() == unless[1]:
            continue
        found.cases.setdefault(label, 0)
        share = None if count_at is None else _frequency(sheet, place, cells, count_at)
        if share == 0:  # excluded
            continue
        for each in _upward(term, told.broader):
            pair = (label, told.names.get(each, each))
            found.pairs[pair] += 1
            if share is not None:  # whoever has the narrower term has the broader one: it is at least as frequent
                found.shares[pair] = max(share, found.shares.get(pair, share))
    return found


def _named(sheet: Sheet, told: SourceColumns) -> Iterator[tuple[str, list[Cell], str, str]]:
    """Rows with their label and their term or text; a row that lacks either is a mistake."""
    label_at = sheet.column(told.label, 0, "labels")
    term_at = sheet.column(told.term, 1 if label_at == 0 else 0, "terms")
    for place, cells in sheet.rows:
        for at, what in ((label_at, "label"), (term_at, "term or text")):
            if not cells[at] or not isinstance(cells[at], str):
                raise sheet.error(place, at, f"the {what} is missing; every row needs one")
        yield place, cells, str(cells[label_at]), str(cells[term_at])


def _count(sheet: Sheet, place: str, cells: list[Cell], at: int) -> int:
    text = str(cells[at])
    if not text.isdecimal() or int(text) < 1:
        raise sheet.error(place, at, "must be a whole number above 0; leave out what was never met")
    return int(text)


def _frequency(sheet: Sheet, place: str, cells: list[Cell], at: int) -> Fraction | None:
    """What an ontology says of how often a label shows a term: 3/7, 45%, a share, or a word for a range."""
    text = str(cells[at]).strip()
    if not text:
        return None
    if text.casefold() in FREQUENCIES:
        return FREQUENCIES[text.casefold()]
    try:
        share = as_fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise sheet.error(place, at, "must be a frequency: 3/7, 45%, 0.45 or a word such as 'frequent'")
    return share


def _upward(term: str, broader: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """A term and all that are above it."""
    found, waiting = {term}, [term]
    while waiting:
        new = broader.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return frozenset(found)


READERS: Mapping[SourceKind, Callable[[Sheet, SourceColumns], Met]] = {
    "pairs": _pairs,
    "cases": _cases,
    "texts": _texts,
    "ontology": _ontology,
}
"""How each kind of source is read."""
