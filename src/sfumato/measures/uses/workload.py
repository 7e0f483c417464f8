"""Random count queries of two styles.

``nodes``    (Tian, Zhang) a predicate is a node of the column's hierarchy other than its root, or a value where there
             is no hierarchy, each as likely as any other; the first is on a sensitive column
``ranges``   (Shi, Xiong, Fung) of a column with |A| values a predicate lists b = ⌈|A| · s^(1/d)⌉, for a selectivity s
             and d predicates; the first is on a quasi-sensitive column, whose values are its terms, and holds where a
             row has one of those listed; or on a sensitive column, if there is none

Chosen where the papers say nothing: of ``ranges``, values listed are neighbours in the column's order, and b is rounded
up; what the second paper calls a query of qd quasi-identifiers is one of d = qd + 1 predicates here. With several
sensitive columns, each query asks for one of them. A query that no row answers has no relative error and is drawn
again; where too many were, the rest are drawn around rows of the table, as predicates that hold of a random row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.answers import Queries, answered
from sfumato.measures.uses.strips import Strips, vocabulary
from sfumato.progress import Progress
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain, SetDomain
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Style", "Workload", "Workshop"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Style = Literal["nodes", "ranges"]

_WORK = 3_000_000_000
"""Queries times rows that are looked at to find queries that some row answers."""
_ROUNDS = 30


@dataclass(frozen=True, eq=False)
class Workload:
    """Queries that rows of the original answer.

    actual   how many do, of each
    drawn    how many queries were drawn in all
    empty    how many of those no row answered
    around   how many of the queries were drawn around a row
    """

    queries: Queries
    actual: Floats
    drawn: int
    empty: int
    around: int


@dataclass(frozen=True, eq=False)
class Workshop:
    """Where queries are made.

    table          the original, as one strip whose columns are those of quasi and secrets in order
    quasi, secrets domains of the columns that may be asked for; each query asks for one of the secrets
    dimensions     predicates of a query, that on the secret included
    """

    table: Strips
    quasi: Sequence[Domain]
    secrets: Sequence[Domain]
    style: Style
    dimensions: int
    selectivity: float
    randomness: Randomness

    def workload(self, count: int, progress: Progress) -> Workload:
        """So many queries, or fewer if rows cannot be met."""
        rows, wanted = len(self.table.strips[0].counts), count
        rounds = min(max(_WORK // max(rows * count, 1), 1), _ROUNDS)
        parts: list[tuple[Queries, Floats]] = []
        drawn = around = 0
        for number in range(rounds + 1):
            if not wanted:
                break
            made = self.draw(wanted, f"round {number}", number == rounds)
            actual = answered(self.table, made, progress=progress, stage="queries of the original")
            held = np.flatnonzero(actual > 0)
            parts.append((made.some(held), actual[held]))
            drawn += wanted
            wanted -= len(held)
            around += len(held) if number == rounds else 0
        queries = parts[0][0]
        for each, _ in parts[1:]:
            queries = queries.and_then(each)
        return Workload(queries, np.concatenate([each for _, each in parts]), drawn, drawn - len(queries), around)

    def draw(self, count: int, purpose: str, around: bool) -> Queries:
        """So many queries; around random rows, if that is wanted."""
        domains = (*self.quasi, *self.secrets)
        chosen = self._chosen(count, purpose)
        numbers = [self.randomness.numbers(count, f"{purpose}, predicates of {domain.name}") for domain in domains]
        rows = self._rows(count, purpose) if around else None
        low, high = np.full((count, len(domains)), -1, np.int64), np.full((count, len(domains)), -1, np.int64)
        picked = [np.zeros(0, dtype=np.int64)] * count
        for place, domain in enumerate(domains):
            mine = np.flatnonzero(chosen[:, place])
            codes = None if rows is None else self.table.strips[0].cells[place, rows[mine]].astype(np.int64)
            if isinstance(domain, SetDomain):
                low[mine, place] = high[mine, place] = 0
                for at, query in enumerate(mine.tolist()):
                    code = None if codes is None else int(codes[at])
                    picked[query] = self._terms(domain, f"{purpose}, terms of {domain.name}, {query}", code)
            else:
                low[mine, place], high[mine, place] = self._runs(domain, numbers[place][mine], codes)
        names = tuple(domain.name for domain in domains)
        starts = np.concatenate(([0], np.cumsum([len(each) for each in picked]))).astype(np.int64)
        return Queries(names, low, high, starts, np.concatenate(picked))

    def _chosen(self, count: int, purpose: str) -> NDArray[np.bool_]:
        """Per query and column, whether it has a predicate there."""
        others, secrets = len(self.quasi), len(self.secrets)
        keys = self.randomness.numbers(count * others, f"{purpose}, columns").reshape(count, others)
        quasi = np.argsort(np.argsort(keys, axis=1), axis=1) < self.dimensions - 1
        which = self.randomness.numbers(count, f"{purpose}, secrets") % np.uint64(secrets)
        return np.hstack((quasi, which[:, None] == np.arange(secrets, dtype=np.uint64)[None, :]))

    def _rows(self, count: int, purpose: str) -> Ints:
        """Random rows of the table, by their places in the strip."""
        ends = np.cumsum(self.table.strips[0].counts)
        numbers = self.randomness.numbers(count, f"{purpose}, rows") % np.uint64(ends[-1])
        return np.searchsorted(ends, numbers.astype(np.int64), side="right")

    def listed(self, size: int) -> int:
        """How many values a predicate lists in the style of ranges."""
        share: float = self.selectivity ** (1 / self.dimensions)
        return min(max(ceil(size * share - 1e-9), 1), size)

    def _runs(self, domain: Domain, numbers: NDArray[np.uint64], codes: Ints | None) -> tuple[Ints, Ints]:
        """Codes between two; around some, if they are given."""
        tree = domain.taxonomy
        if self.style == "ranges":
            many = self.listed(domain.size)
            least = np.zeros_like(numbers, dtype=np.int64) if codes is None else np.maximum(codes - many + 1, 0)
            most = np.full_like(least, domain.size - many)
            most = most if codes is None else np.minimum(codes, most)
            low = least + (numbers % (most - least + 1).astype(np.uint64)).astype(np.int64)
            return low, low + many - 1
        if tree is None:
            low = (numbers % np.uint64(domain.size)).astype(np.int64) if codes is None else codes
            return low, low
        anywhere = (numbers % np.uint64(max(tree.root, 1))).astype(np.int64)
        nodes = anywhere if codes is None else _above(tree, codes, numbers)
        return tree.first[nodes], tree.last[nodes]

    def _terms(self, domain: SetDomain, purpose: str, code: int | None) -> Ints:
        """Some terms; one of a row's among them, if it is given and has any."""
        terms = vocabulary(domain)
        keys = self.randomness.numbers(len(terms) + 1, purpose)
        picked = np.sort(np.argsort(keys[1:], kind="stable")[: self.listed(len(terms))])
        own = [] if code is None else [terms.index(term) for term in domain.sets[code]]
        if own and not set(own) & set(picked.tolist()):
            picked[0] = own[int(keys[0] % np.uint64(len(own)))]
        return picked.astype(np.int64)


def _above(tree: Taxonomy, codes: Ints, numbers: NDArray[np.uint64]) -> Ints:
    """A node over each leaf, or the leaf itself, but never the root; each as likely."""
    nodes, steps = codes, (numbers % np.maximum(tree.depth[codes], 1).astype(np.uint64)).astype(np.int64)
    for step in range(int(steps.max(initial=0))):
        nodes = np.where(steps > step, tree.parent[nodes], nodes)
    return nodes
