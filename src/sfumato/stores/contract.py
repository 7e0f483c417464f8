"""What a store is: the coded rows of a table that somebody holds, in a file or on other machines.

Whoever searches asks it for counts, and for the rows of one block after the other; never for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from sfumato.partition.mondrian.asks import Asks, CutTree, Tallied
from sfumato.progress import Progress
from sfumato.table.streamed import StreamedTable
from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout

__all__ = ["Keeper", "KeptRows", "RowStore"]


class RowStore(Protocol):
    """Rows as packed words."""

    @property
    def rows(self) -> int: ...

    @property
    def layout(self) -> WordLayout: ...

    def tally(self, asks: Asks) -> Tallied:
        """What is asked of all rows, counted: one pass."""
        ...

    def blocks(self, leaves: CutTree, sizes: list[int], table: Tuples, progress: Progress) -> Iterator[Tuples]:
        """The rows of every leaf of a tree of cuts, counted, in the order of the leaves.

        sizes    rows of each leaf
        table    what the columns are, of the whole table; it has no rows
        """
        ...


class KeptRows(NamedTuple):
    """Rows that are kept, and the digest of their content."""

    store: RowStore
    digest: str


class Keeper(Protocol):
    """What puts the rows of a table into a store, which is gone afterwards."""

    def __call__(
        self, given: StreamedTable, layout: WordLayout, private: Path, progress: Progress
    ) -> AbstractContextManager[KeptRows]:
        """private    a folder of one's own, for whoever needs files"""
        ...
