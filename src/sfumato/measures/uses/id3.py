"""ID3: a decision tree over values as they are, without an order.

A node is split by the column of the largest information gain into one branch per value, until all its rows agree or no
column is left that tells them apart; among equal gains the first column. A leaf says the most frequent value of its
rows, the least of several; so does a node where a row has a value that was not met there. Nothing is pruned.

Deviations from the paper: it grows the tree from a window of the rows and adds to it those that the tree gets wrong;
here all rows are looked at, which is what the window ends with.

Reference: Quinlan: Induction of decision trees. Machine Learning 1, 1986. https://doi.org/10.1007/BF00116251
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.examples import Examples
from sfumato.measures.uses.loops.id3 import Branches, grown, said
from sfumato.randomness import Randomness

__all__ = ["COLUMNS", "Id3Tree"]

COLUMNS = 60
"""Columns that a tree may ask for: more do not fit the word that says which were asked."""


@dataclass(frozen=True, eq=False)
class Id3Tree:
    """A tree that was learnt."""

    tree: Branches

    @classmethod
    def learnt(cls, rows: Examples, randomness: Randomness) -> Id3Tree:
        """From rows whose general values are replaced by random leaves."""
        sizes = np.array([domain.size for domain in rows.features], dtype=np.int64)
        return cls(grown(rows.codes(randomness), sizes, rows.targets, rows.target.size))

    def says(self, rows: Examples) -> NDArray[np.int64]:
        """What it says of rows that are known exactly."""
        codes = np.stack([rows.cells[domain.name].astype(np.int32) for domain in rows.features])
        return np.asarray(said(self.tree, np.ascontiguousarray(codes)))
