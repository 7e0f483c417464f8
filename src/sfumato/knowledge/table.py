"""What an adversary knows besides the release: which terms go with which label.

Every row of a knowledge table is one way to have its label, so a label may stand in several rows. Labels, terms and
rows are kept in sorted order, so that the same knowledge is the same value however it was written.

>>> flu = Knowledge.of([("flu", ["cough", "headache"]), ("cold", ["cough"]), ("flu", ["fever"])])
>>> flu.labels, flu.terms, flu.row_labels.tolist()
(('cold', 'flu'), ('cough', 'fever', 'headache'), [0, 1, 1])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.exact import as_fraction

__all__ = ["Knowledge"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Labels and the sets of terms that betray them.

    Row r has the label `row_labels[r]` and the terms `row_terms[row_offsets[r]:row_offsets[r + 1]]`; rows of a label
    are neighbours. `priors` are the chances of the labels and sum to 1; `chances[term, label]` is P(term | label).
    """

    labels: tuple[str, ...]
    terms: tuple[str, ...]
    row_labels: Codes
    row_offsets: Ints
    row_terms: Codes
    priors: tuple[Fraction, ...] | None = None
    chances: Mapping[tuple[int, int], Fraction] | None = None

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[str, Iterable[str]]],
        priors: Mapping[str, object] | None = None,
        chances: Mapping[tuple[str, str], object] | None = None,
    ) -> Knowledge:
        """From pairs of a label and its terms; `chances` maps (term, label) to P(term | label)."""
        ways = sorted({(label, tuple(sorted(set(terms)))) for label, terms in rows})
        if not ways:
            raise InputError("the knowledge table has no rows; it needs at least one label")
        labels = tuple(sorted({label for label, _ in ways}))
        terms = tuple(sorted({term for _, held in ways for term in held}))
        code = {term: place for place, term in enumerate(terms)}
        place = {label: at for at, label in enumerate(labels)}
        return cls(
            labels,
            terms,
            np.array([place[label] for label, _ in ways], np.int32),
            np.cumsum([0, *(len(held) for _, held in ways)], dtype=np.int64),
            np.array([code[term] for _, held in ways for term in held], np.int32),
            _priors(labels, priors),
            _chances(ways, code, place, chances),
        )

    @property
    def rows(self) -> int:
        return len(self.row_labels)

    @cached_property
    def code(self) -> dict[str, int]:
        """The place of every term."""
        return {term: place for place, term in enumerate(self.terms)}

    @cached_property
    def row_lengths(self) -> Ints:
        return np.diff(self.row_offsets)

    @cached_property
    def bits(self) -> Words:
        """Per term the rows that hold it, 64 to a word."""
        held = np.zeros((len(self.terms), (self.rows + 63) // 64 * 64), np.bool_)
        held[self.row_terms, np.repeat(np.arange(self.rows), self.row_lengths)] = True
        return np.packbits(held, axis=1, bitorder="little").view("<u8").astype(np.uint64)

    @cached_property
    def postings(self) -> tuple[Ints, Codes]:
        """Per term the rows that hold it, in order: where each list begins, and the lists."""
        order = np.argsort(self.row_terms, kind="stable")
        holders = np.repeat(np.arange(self.rows, dtype=np.int32), self.row_lengths)
        counts = np.bincount(self.row_terms, minlength=len(self.terms))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), holders[order]

    @cached_property
    def prior_weights(self) -> NDArray[np.float64]:
        """The priors rounded, largest 1; ones if there are none."""
        if self.priors is None:
            return np.ones(len(self.labels))
        top = max(self.priors)
        return np.array([float(prior / top) for prior in self.priors])

    @cached_property
    def likelihood(self) -> NDArray[np.float64]:
        """P(term | label) rounded, terms by labels; no rows if not given."""
        if self.chances is None:
            return np.empty((0, len(self.labels)))
        table = np.zeros((len(self.terms), len(self.labels)))
        for (term, label), chance in self.chances.items():
            table[term, label] = float(chance)
        return table

    @property
    def weighted(self) -> bool:
        """Whether labels of one row of data may be unequally likely."""
        return self.priors is not None or self.chances is not None


def _priors(labels: tuple[str, ...], given: Mapping[str, object] | None) -> tuple[Fraction, ...] | None:
    if given is None:
        return None
    missing = [label for label in labels if label not in given]
    if missing:
        raise InputError(f"priors: {_some(missing)} has no prior; give every label of the knowledge table one")
    strange = sorted(set(given) - set(labels))
    if strange:
        raise InputError(f"priors: {_some(strange)} is no label of the knowledge table; remove it or add its terms")
    numbers = [_number(given[label], f"priors: {label!r}") for label in labels]
    return tuple(number / sum(numbers) for number in numbers)


def _chances(
    ways: list[tuple[str, tuple[str, ...]]],
    code: Mapping[str, int],
    place: Mapping[str, int],
    given: Mapping[tuple[str, str], object] | None,
) -> Mapping[tuple[int, int], Fraction] | None:
    if given is None:
        return None
    made: dict[tuple[int, int], Fraction] = {}
    for label, held in ways:
        for term in held:
            if (term, label) not in given:
                raise InputError(f"P(term | label) of {term!r} under {label!r} is missing; give all of them or none")
            number = _number(given[term, label], f"P(term | label) of {term!r} under {label!r}")
            if number > 1:
                raise InputError(f"P(term | label) of {term!r} under {label!r} must be at most 1")
            made[code[term], place[label]] = number
    return made


def _number(given: object, what: str) -> Fraction:
    try:
        number = as_fraction(given)
    except ValueError as error:
        raise InputError(f"{what}: {error}") from None
    if number <= 0:
        raise InputError(f"{what} must be above 0; leave out what cannot be")
    return number


def _some(names: list[str]) -> str:
    more = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
    return f"{names[0]!r}{more}"
