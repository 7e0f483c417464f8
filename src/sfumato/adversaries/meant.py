"""What the published cell of a secret may stand for, as it would stand in the original table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Protocol

import polars as pl

from sfumato.knowledge.linking import TermSets, exact_chances, link
from sfumato.release.opening import JOINT
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import SetDomain
from sfumato.table.sets import separator_of

__all__ = ["Meanings", "SecretTerms", "SecretValues", "meanings"]

_MOST = 100_000
_MARK = "*"


class Meanings(Protocol):
    """Of one secret column: what its cells may stand for.

    dtype   of its values in a table
    """

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> pl.DataType: ...

    @property
    def cells(self) -> list[str | None]:
        """What every row of secrets shows."""
        ...

    def of(self, cell: str | None) -> tuple[Any, ...]:
        """What it may stand for."""
        ...

    @property
    def every(self) -> tuple[Any, ...]:
        """What a row may hold that is not shown."""
        ...


def meanings(subject: Subject, lost: int) -> list[Meanings]:
    """Of all secrets of a release, sensitive columns first."""
    sets = [name for name in subject.policy.sets if name in subject.seen.table.columns]
    return [
        *(SecretValues(subject, name) for name in subject.sensitive),
        *(SecretTerms.of_column(subject, name, lost) for name in sets),
    ]


@dataclass(frozen=True, eq=False)
class SecretValues:
    """A sensitive column: a cell stands for itself, or for the values below it that occur."""

    subject: Subject
    name: str

    @property
    def dtype(self) -> pl.DataType:
        return self.subject.domain(self.name).values.dtype

    @property
    def cells(self) -> list[str | None]:
        shown = self.subject.cells(self.name)
        return [shown.texts[code] for code in shown.codes.tolist()]

    def of(self, cell: str | None) -> tuple[Any, ...]:
        shown = self.subject.cells(self.name)
        place, spans = shown.texts.index(cell), shown.spans
        values, occurring = shown.domain.values, shown.domain.occurring
        members = spans.members[spans.starts[place] : spans.starts[place + 1]].tolist()
        codes = members or [*range(spans.low[place], spans.high[place] + 1)]
        return tuple(values[code] for code in codes if len(codes) == 1 or occurring[code])

    @property
    def every(self) -> tuple[Any, ...]:
        domain = self.subject.domain(self.name)
        return tuple(domain.values.filter(pl.Series(domain.occurring)).to_list())


@dataclass(frozen=True, eq=False)
class SecretTerms:
    """A quasi-sensitive column: a cell stands for the terms that it shows, and for some more if terms were suppressed.

    vocabulary   terms that the knowledge has: which others there are nobody outside can know
    lost         how many terms a row may have lost, at most; where marks tell how many, it is these
    """

    domain: SetDomain
    cells: list[str | None]
    shown_by: str
    separator: str
    vocabulary: tuple[str, ...]
    lost: int

    @classmethod
    def of_column(cls, subject: Subject, name: str, lost: int) -> SecretTerms:
        domain, evidence = subject.domain(name), subject.received.evidence
        if not isinstance(domain, SetDomain):
            raise Lacking(f"terms in the column {name!r}")
        document, separator = evidence.document, separator_of(subject.policy.columns[name])
        suppressed = document is None or name in document.suppressed_terms
        words = domain.told.terms
        if suppressed and sum(comb(len(words), count) for count in range(lost + 1)) > _MOST:
            raise Lacking(f"a knowledge of fewer terms than {len(words)}, or rows that lost fewer than {lost} (`lost`)")
        cells = subject.seen.table[name].cast(pl.String).to_list()
        shown_by = JOINT if name in evidence.lists else separator
        return cls(domain, cells, shown_by, separator, words, lost if suppressed else 0)

    @property
    def name(self) -> str:
        return self.domain.name

    @property
    def dtype(self) -> pl.DataType:
        return pl.String()

    def of(self, cell: str | None) -> tuple[Any, ...]:
        parts = [] if cell is None else [part.strip() for part in cell.split(self.shown_by)]
        marks = parts.count(_MARK)
        shown = [part for part in parts if part not in ("", _MARK)]
        return tuple(self._longer(shown, [marks] if self.domain.known else range(self.lost + 1)))

    @property
    def every(self) -> tuple[Any, ...]:
        return tuple(self._longer([], range(self.lost + 1)))

    def labels(self, chances: Mapping[Hashable, Fraction | float]) -> dict[Hashable, Fraction | float]:
        """How likely every label is, of rows that hold sets of terms with these chances."""
        made: defaultdict[Hashable, Fraction | float] = defaultdict(Fraction)
        for text, chance in chances.items():
            words = [] if text is None else str(text).split(self.separator)
            for label, share in self._linked(words).items():
                made[label] += chance * share
        return dict(made)

    def surest(self, rows: Sequence[int]) -> Fraction:
        """The largest belief in a label that the release alone gives of anybody, by the class of every row."""
        sizes, beliefs = Counter(rows), defaultdict[tuple[int, int], Fraction](Fraction)
        for group, cell in zip(rows, self.cells, strict=True):
            parts = [] if cell is None else [part.strip() for part in cell.split(self.shown_by)]
            shown = [part for part in parts if part not in ("", _MARK)]
            for label, share in self._linked(shown, parts.count(_MARK)).items():
                beliefs[group, label] += share / sizes[group]
        return max(beliefs.values(), default=Fraction(0))

    def _linked(self, words: Sequence[str], marks: int = 0) -> dict[int, Fraction]:
        """004, Definition 2: the labels that a set of terms may stand for."""
        told = self.domain.told
        sets = TermSets.of(told, [words])
        known = sets.lengths - (sets.unknown if self.domain.unknown == "drop" else 0) + marks
        labels = link(told, sets, self.domain.unknown, known if self.domain.known else None)[0]
        return dict(zip(labels.tolist(), exact_chances(told, sets[0], labels), strict=True))

    def _longer(self, shown: list[str], more: range | list[int]) -> Iterator[str | None]:
        others = [word for word in self.vocabulary if word not in shown]
        for count in more:
            for added in combinations(others, count):
                yield self.separator.join(sorted([*shown, *added])) or None
