"""Linking: which labels a row's terms may stand for.

K(t) holds a label if one of its rows in the knowledge table contains all terms of t; K of no terms holds all labels.
Terms that the knowledge table does not know are forgotten (`drop`: an adversary ignores what tells nothing), or make
K empty (`strict`: the definition to the letter, which counts a row as harmless because of a term nobody knows). A row
with unknown terms only is unlinked either way. If it is known how many terms a row had before some were removed, rows
of the knowledge table with fewer terms are ruled out.

Given t, the labels of K(t) are equally likely, or as likely as prior(L) times the product of P(term | L).

P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, Definition 2.

>>> flu = Knowledge.of([("flu", ["cough", "headache"]), ("hepatitis", ["vomiting"])])
>>> sets = TermSets.of(flu, [["cough"], ["cough", "vomiting"], ["cough", "tired"], ["tired"], []])
>>> [links.tolist() for links in link(flu, sets)]
[[0], [], [0], [], [0, 1]]
>>> [links.tolist() for links in link(flu, sets, "strict")]
[[0], [], [], [], [0, 1]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.table import Knowledge

__all__ = ["UNKNOWN", "Links", "TermSets", "Unknown", "exact_chances", "link"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Unknown = Literal["drop", "strict"]
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class TermSets:
    """Sets of terms as codes of a knowledge table, `UNKNOWN` for a term that it does not hold.

    Set i is `codes[offsets[i]:offsets[i + 1]]`, in the order in which it was given, each term once.
    """

    offsets: Ints
    codes: Codes

    @classmethod
    def of(cls, knowledge: Knowledge, sets: Iterable[Iterable[str]]) -> TermSets:
        """Look the terms up; a term that stands twice in a set counts once."""
        code, codes, ends = knowledge.code, list[int](), [0]
        for terms in sets:
            codes += [code.get(term, UNKNOWN) for term in dict.fromkeys(terms)]
            ends.append(len(codes))
        return cls(np.array(ends, np.int64), np.array(codes, np.int32))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Codes:
        return self.codes[self.offsets[row] : self.offsets[row + 1]]

    def take(self, rows: Sequence[int] | Ints) -> TermSets:
        """Some of the sets, in the order asked for."""
        chosen = [self[int(row)] for row in rows]
        ends = np.cumsum([0, *map(len, chosen)], dtype=np.int64)
        return TermSets(ends, np.concatenate([np.empty(0, np.int32), *chosen]))

    @cached_property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    @cached_property
    def unknown(self) -> Ints:
        """How many terms of every set are unknown."""
        sums = np.concatenate([[0], np.cumsum(self.codes == UNKNOWN)])
        counts: Ints = (sums[self.offsets[1:]] - sums[self.offsets[:-1]]).astype(np.int64)
        return counts


@dataclass(frozen=True, eq=False)
class Links:
    """K of every set: set i may stand for the labels `labels[offsets[i]:offsets[i + 1]]`, in order.

    `chances` holds how likely each is, rounded; a set without labels is unlinked.
    """

    offsets: Ints
    labels: Codes
    chances: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Codes:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self.labels[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[Codes]:
        return (self[row] for row in range(len(self)))

    @cached_property
    def counts(self) -> Ints:
        return np.diff(self.offsets)

    @property
    def linked(self) -> NDArray[np.bool_]:
        return self.counts > 0


def link(knowledge: Knowledge, sets: TermSets, unknown: Unknown = "drop", lengths: Ints | None = None) -> Links:
    """K of every set.

    `lengths` are the numbers of (known, under `drop`) terms that the rows had originally, if an adversary knows them.
    """
    from sfumato.knowledge.loops.links import chances_of, link_sets

    least = np.zeros(len(sets), np.int64) if lengths is None else np.asarray(lengths, np.int64)
    offsets, labels = link_sets(
        knowledge.bits,
        knowledge.row_labels,
        knowledge.row_lengths,
        sets.offsets,
        sets.codes,
        least,
        unknown == "strict",
        len(knowledge.labels) == knowledge.rows,
    )
    chances = chances_of(offsets, labels, sets.offsets, sets.codes, knowledge.prior_weights, knowledge.likelihood)
    return Links(offsets, labels, chances)


def exact_chances(knowledge: Knowledge, terms: Codes, labels: Codes) -> list[Fraction]:
    """How likely every label of K(t) is, given the terms t.

    >>> ill = Knowledge.of([("a", "x"), ("b", "x")], priors={"a": 1, "b": 2})
    >>> exact_chances(ill, np.array([0]), np.array([0, 1]))
    [Fraction(1, 3), Fraction(2, 3)]
    """
    weights = [Fraction(1)] * len(labels) if knowledge.priors is None else [knowledge.priors[at] for at in labels]
    if knowledge.chances is not None:
        for term in terms[terms != UNKNOWN]:
            weights = [
                weight * knowledge.chances[int(term), int(at)] for weight, at in zip(weights, labels, strict=True)
            ]
    whole = sum(weights, Fraction(0))
    return [weight / whole for weight in weights]
