"""Similarity: values that differ and mean nearly the same.

Gastritis, stomach ulcer and stomach cancer are three values, and a class of them says: something with the stomach. What
is near to what, a hierarchy of the sensitive column says: the chance that somebody's value lies below one node of it is
that of all values there. Numbers and dates without a hierarchy lie on a line: the chance that a value lies within some
range is that of all values in it, and the range that counts is a `share` of the whole.

Reference: Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007, section 3.
https://doi.org/10.1109/ICDE.2007.367856
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Guesses, Truth
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.release.fits import Chances
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import Domain
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Similarity"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Similarity:
    """Exposed is whose value is believed to lie below one node, or within the range, with a chance of `sure` or more.

    depth   of nodes: 1 are the children of the root
    share   of the range between the least and the largest value of the table
    """

    sure: float = 1.0
    depth: int = 1
    share: float = 0.1
    name: ClassVar[str] = "similarity"
    persona: ClassVar[Persona] = Persona(
        title="a doctor who knows what values mean",
        assumes="knows everybody's quasi-identifiers, and which values are near to one another",
        exposes="their value lies below one node of its hierarchy, or within a small range",
        reference="Li, Li, Venkatasubramanian, ICDE 2007, section 3, https://doi.org/10.1109/ICDE.2007.367856",
        needs=("the original table", "a sensitive column with a hierarchy or an order"),
    )

    def __post_init__(self) -> None:
        if self.depth < 1 or not 0 <= self.share < 1:
            raise InputError(f"similarity: depth must be 1 or more, share from 0 to 1 ({self.depth}, {self.share})")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        made = []
        for name in subject.sensitive:
            domain = subject.domain(name)
            if domain.taxonomy is not None and domain.taxonomy.height > 1:
                made.append(self._below(Guesses.of(subject, name), domain.taxonomy))
            elif domain.ordered:
                made.append(self._within(Guesses.of(subject, name), domain))
        if not made:
            raise Lacking("a sensitive column with a hierarchy, or with an order of its values")
        return tuple(made)

    def _below(self, guesses: Guesses, tree: Taxonomy) -> Exposure:
        """By nodes: each value counts as the node above it."""
        node = _at_depth(tree, self.depth)
        found = replace(
            guesses,
            chances=_merged(guesses.chances, node, len(tree.labels)),
            truth=Truth(guesses.truth.people, node[guesses.truth.values], guesses.truth.counts),
        )
        found = found.believing(found.chances)
        details = {"nodes": len(np.unique(node)), "exposed by one value alone": _alone(guesses, self.sure)}
        return found.exposure(found.chance >= self.sure - NEAR, details)

    def _within(self, guesses: Guesses, domain: Domain) -> Exposure:
        """By the range that holds most."""
        place = _places(domain)
        begin, chance = _densest(guesses.chances, place, self.share)
        truth = guesses.truth
        mine, start = place[truth.values], begin[truth.people]
        hit = (chance[truth.people] > 0) & (start - NEAR <= mine) & (mine <= start + self.share + NEAR)
        whole = Chances(np.array([0, len(place)]), np.arange(len(place)), truth.total(len(place)), len(place))
        found = guesses.exposure(
            chance >= self.sure - NEAR,
            {"share of the range": self.share, "exposed by one value alone": _alone(guesses, self.sure)},
        )
        return replace(
            found,
            surest=float(chance.max(initial=0.0)),
            right=float(truth.counts[hit].sum() / max(guesses.people, 1)),
            baseline=float(_densest(whole, place, self.share)[1].max(initial=0.0)),
        )


def _alone(guesses: Guesses, sure: float) -> int:
    """People of whom one value is as sure as that."""
    return int(guesses.known.counts[guesses.chance >= sure - NEAR].sum())


def _at_depth(tree: Taxonomy, depth: int) -> Ints:
    """Per leaf the node above it in that depth; the leaf itself if it does not lie deeper."""
    node = np.arange(tree.size)
    while (deep := tree.depth[node] > depth).any():
        node = np.where(deep, tree.parent[node], node)
    return node


def _merged(chances: Chances, node: Ints, size: int) -> Chances:
    """Chances of nodes: those of all values below."""
    keys, place = np.unique(chances.owner * size + node[chances.values], return_inverse=True)
    summed = np.bincount(place.reshape(-1), weights=chances.chances, minlength=len(keys)).astype(np.float64)
    starts = np.searchsorted(keys // size, np.arange(len(chances.starts)))
    return Chances(starts, keys % size, summed, size)


def _places(domain: Domain) -> Floats:
    """Where every code lies between the least (0) and the largest value of the table (1); a missing one far off."""
    known = np.ones(domain.size, dtype=np.bool_)
    if domain.missing is not None:
        known[domain.missing] = False
    line = np.arange(domain.size, dtype=np.float64) if domain.positions is None else domain.positions
    held = line[known & (domain.counts > 0)]
    low, high = (held.min(), held.max()) if len(held) else (0.0, 1.0)
    return np.where(known, (line - low) / (high - low if high > low else 1.0), 3.0)


def _densest(chances: Chances, place: Floats, share: float) -> tuple[Floats, Floats]:
    """For everybody where the range begins that holds most, and how much; values ascend along the line."""
    owner, at = chances.owner, place[chances.values]
    keys = 8.0 * owner + at
    summed = np.concatenate(([0.0], np.cumsum(chances.chances)))
    end = np.searchsorted(keys, keys + share + NEAR, side="right")
    held = summed[end] - summed[np.arange(len(keys))]
    order = np.lexsort((at, -np.round(held, 9), owner))  # of ranges that hold the same, the first
    first = np.minimum(chances.starts[:-1], max(len(order) - 1, 0))
    told = np.diff(chances.starts) > 0
    if not len(order):
        return np.zeros(len(told)), np.zeros(len(told))
    return np.where(told, at[order[first]], 0.0), np.where(told, held[order[first]], 0.0)
