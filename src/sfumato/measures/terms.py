"""T: what suppressed terms cost, as a measure of any release that has quasi-sensitive columns.

The j-th last term of a row is worth 1/j, so that the last one is worth most; T is the share of all that worth that is
not shown. It depends on how many terms rows have and show, and not on which row is which. The terms of a row that was
left out are all lost.

Reference: P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010,
Equation 2.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.release.codes import Codes
from sfumato.release.opening import JOINT
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import SetDomain
from sfumato.table.sets import separator_of

__all__ = ["ShownSets", "SuppressedTerms", "set_columns", "term_worth"]

Ints = NDArray[np.int64]
_MARK = "*"


@dataclass(frozen=True)
class SuppressedTerms:
    """The share of all terms' worth that the release does not show."""

    name: ClassVar[str] = "suppressed-terms"
    about: ClassVar[About] = About(
        title="T: worth of the terms that are not shown",
        formula="1 - sum over published rows of H(terms shown) / sum over rows of H(terms), H(n) = 1 + 1/2 + ... + 1/n",
        range="0 (all terms are shown) to 1 (none)",
        better="lower",
        reference="Shi, Xiong, Fung, CIKM 2010, Equation 2",
        needs=("the original table", "a quasi-sensitive column"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        lost = told = whole = 0.0
        columns, missing = {}, 0
        for column in set_columns(subject):
            shown = ShownSets.of(subject, column)
            had = term_worth(column.terms.lengths, column.counts)
            has = term_worth(shown.lengths, shown.counts)
            columns[column.name] = max(1 - has / had, 0.0) if had else 0.0
            whole, told = whole + had, told + has
            missing += int(column.terms.lengths @ column.counts - shown.lengths @ shown.counts)
        lost = max(1 - told / whole, 0.0) if whole else 0.0
        return Figure(lost, columns, {"terms that are not shown": missing})


def term_worth(lengths: Ints, rows: Ints) -> float:
    """What the terms of rows are worth that have so many of them.

    >>> term_worth(np.array([3, 2, 0]), np.array([1, 2, 5])) == 11 / 6 + 2 * 3 / 2
    True
    """
    harmonic = np.concatenate(([0.0], np.cumsum(1 / np.arange(1, int(lengths.max(initial=0)) + 1))))
    return float(harmonic[lengths] @ rows)


def set_columns(subject: Subject) -> tuple[SetDomain, ...]:
    """Quasi-sensitive columns of the original that the release has. `Lacking` if there are none."""
    found = tuple(each for each in subject.tuples.sets if each.name in subject.seen.table.columns)
    if not found:
        raise Lacking("a quasi-sensitive column")
    return found


@dataclass(frozen=True, eq=False)
class ShownSets:
    """A quasi-sensitive column as it was published.

    codes    a code per row
    sets     the terms of every code
    marks    how many suppressed ones it marks
    counts   its rows
    """

    codes: Ints
    sets: tuple[tuple[str, ...], ...]
    marks: Ints
    counts: Ints

    @classmethod
    def of(cls, subject: Subject, column: SetDomain) -> ShownSets:
        """Every different cell is taken apart once."""
        evidence, policy = subject.received.evidence, subject.policy
        separator = JOINT if column.name in evidence.lists else separator_of(policy.columns[column.name])
        absent = ("", _MARK, *(policy.input.missing_values if evidence.document is None else ()))
        codes, texts = Codes.of(subject.seen.table[column.name])
        parts = [[part.strip() for part in (text or "").split(separator)] for text in texts]
        numbers = codes.rows.astype(np.int64)
        return cls(
            numbers,
            tuple(_terms(each, absent) for each in parts),
            np.array([each.count(_MARK) for each in parts], dtype=np.int64),
            np.bincount(numbers, minlength=len(texts)),
        )

    @property
    def lengths(self) -> Ints:
        """How many terms each code shows."""
        return np.array([len(terms) for terms in self.sets], dtype=np.int64)


def _terms(parts: list[str], absent: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in parts if part not in absent))
