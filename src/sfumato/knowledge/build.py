"""Build a knowledge table: from pairs, from cases, from texts, or from a public ontology.

A label's terms are all that it may show, so a pair that is left out rules the label out for whoever has that term.
`least` and `share` leave out what is rare, which is mistakes in texts and rare signs in medicine: raise them with care.
`most` leaves out terms that go with nearly every label; these tell nothing, and rule nothing out when they are gone.

Guarantee: every pair of the result stands in the source so often; nothing is guessed. What a text denies ("no fever")
counts as if it were said.

Reference: P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010;
section 4.1 names knowledge bases and mining as sources of the external table.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.errors import InputError
from sfumato.exact import as_fraction
from sfumato.knowledge.found import READERS, Met, SourceColumns, SourceKind
from sfumato.knowledge.obo import read_broader
from sfumato.knowledge.sheet import Sheet, file_text, frame_sheet, read_sheet
from sfumato.table.formats import FORMATS, PLAIN

__all__ = ["BuiltKnowledge", "build_knowledge"]

Pair = tuple[str, str]


@dataclass(frozen=True)
class BuiltKnowledge:
    """Labels with their terms, each with the share of the label's cases that show it, where that is known.

    pairs     (label, term) to the share, or None
    left_out  pairs of the source that were too rare, or whose term goes with too many labels
    """

    pairs: dict[Pair, Fraction | None]
    left_out: int

    def __repr__(self) -> str:
        return f"<BuiltKnowledge: {self.summary()}>"

    @property
    def labels(self) -> dict[str, list[str]]:
        """Labels with their terms, as a policy takes them: ``knowledge: {labels: …}``."""
        made: dict[str, list[str]] = {}
        for label, term in self.pairs:
            made.setdefault(label, []).append(term)
        return made

    def summary(self) -> str:
        terms = len({term for _, term in self.pairs})
        told = f"{len(self.labels)} labels, {terms} terms, {len(self.pairs)} pairs"
        return told + (f"; {self.left_out} pairs left out" if self.left_out else "")

    def as_dict(self) -> dict[str, Any]:
        """Its counts."""
        terms = len({term for _, term in self.pairs})
        return {"labels": len(self.labels), "terms": terms, "pairs": len(self.pairs), "left_out": self.left_out}

    def write(self, path: str | os.PathLike[str], probabilities: bool = False) -> Path:
        """A CSV of a pair per line; with probabilities, if all pairs have one, for ``knowledge: {probability: …}``."""
        if probabilities and None in self.pairs.values():
            raise InputError("the source does not say how often labels show their terms; build without probabilities")
        columns = {
            "label": [label for label, _ in self.pairs],
            "term": [term for _, term in self.pairs],
            **({"probability": [str(share) for share in self.pairs.values()]} if probabilities else {}),
        }
        target = Path(path)
        target.write_bytes(FORMATS[PLAIN].bytes_of(pl.DataFrame(columns)))
        return target


def build_knowledge(
    source: object,
    kind: SourceKind = "pairs",
    *,
    label: str | None = None,
    term: str | None = None,
    count: str | None = None,
    separator: str | None = None,
    vocabulary: Iterable[str] | str | os.PathLike[str] | None = None,
    unless: tuple[str, str] | None = None,
    broader: str | os.PathLike[str] | None = None,
    least: int = 1,
    share: object = 0,
    most: object = 1,
) -> BuiltKnowledge:
    """Which terms go with which label, from a file or frame.

    source       a table: CSV, Parquet or any other kind of file, or a frame
    kind         pairs (label, term), cases (label and terms), texts (label, text), or ontology (as public ones list it)
    label        the column of labels; the first, if it is not named
    term         the column of terms, or of texts; the next
    count        in pairs how often each was met, in an ontology the frequency (3/7, 45%, frequent)
    separator    of the terms of a case that stand in one cell
    vocabulary   the phrases to look for in texts, or a file with one in each line; every word, if it is not given
    unless       a column of an ontology, and the word in it that denies: ("qualifier", "NOT")
    broader      a file of broader terms (OBO, or two columns): whoever has a term has those above it
    least        times that a pair must have been met
    share        of its label's cases that must show a term
    most         of the labels that a term may go with
    """
    if kind not in READERS:
        raise InputError(f"a source of knowledge is one of {', '.join(READERS)} (got {kind!r})")
    above, names = ({}, {}) if broader is None else read_broader(Path(broader))
    told = SourceColumns(label, term, count, separator, _vocabulary(vocabulary), unless, above, names)
    met = READERS[kind](_sheet(source, kind), told)
    return _kept(met, least, _fraction(share, "share"), _fraction(most, "most"))


def _sheet(source: object, kind: SourceKind) -> Sheet:
    if isinstance(source, (str, os.PathLike)):
        return read_sheet(Path(source), comments=kind == "ontology")
    if hasattr(source, "__arrow_c_stream__"):
        return frame_sheet(source)
    raise InputError(f"knowledge is built from a file or a frame (got {type(source).__name__})")


def _vocabulary(given: Iterable[str] | str | os.PathLike[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        return tuple(line.strip() for line in file_text(Path(given)).splitlines() if line.strip())
    return tuple(given)


def _fraction(given: object, what: str) -> Fraction:
    try:
        number = as_fraction(given)
    except ValueError:
        number = Fraction(-1)
    if not 0 <= number <= 1:
        raise InputError(f"{what} must be a number from 0 to 1")
    return number


def _kept(met: Met, least: int, share: Fraction, most: Fraction) -> BuiltKnowledge:
    shares = {pair: met.share(pair) for pair in met.pairs}
    if share and None in shares.values():
        raise InputError("a share needs cases, texts, or an ontology with frequencies; use least for counts of pairs")
    often = {
        pair: each for pair, each in shares.items() if met.pairs[pair] >= least and (each is None or each >= share)
    }
    labels = Counter(term for _, term in often)
    kept = {pair: each for pair, each in often.items() if labels[pair[1]] <= most * len(met.cases)}
    if not kept:
        raise InputError("no pair is left: lower least or share, raise most, or look at the vocabulary")
    return BuiltKnowledge({pair: kept[pair] for pair in sorted(kept)}, len(met.pairs) - len(kept))
