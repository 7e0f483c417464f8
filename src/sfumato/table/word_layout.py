"""Rows as packed words, apart from where they are: which field of which word has the code of which column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.table.domain import Domain
from sfumato.table.packing import fields_of, pack
from sfumato.table.tuples import Tuples

__all__ = ["WordLayout"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WordLayout:
    """Fields of columns.

    names     of the columns
    sizes     how many codes each has
    fields    where its code is: word, shift, mask
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    fields: Ints

    @classmethod
    def of(cls, columns: Sequence[Domain]) -> WordLayout:
        """A field for each, in as few words as hold them."""
        sizes = tuple(column.size for column in columns)
        return cls(tuple(column.name for column in columns), sizes, fields_of(sizes))

    @classmethod
    def of_table(cls, table: Tuples) -> WordLayout:
        """A field for every column that may be published; the table needs no rows."""
        return cls.of((*table.beside, *table.sets, *table.sensitive, *table.quasi))

    @property
    def words(self) -> int:
        """Words of a row."""
        return int(self.fields[:, 0].max(initial=0)) + 1

    def where(self, names: Sequence[str]) -> Ints:
        """The fields of some columns."""
        absent = [name for name in names if name not in self.names]
        if absent:
            raise ValueError(f"words have no field for: {', '.join(map(repr, absent))}")
        return self.fields[[self.names.index(name) for name in names]].reshape(-1, 3)

    def pack(self, codes: Mapping[str, NDArray[np.integer[Any]]]) -> Ints:
        """The words of rows, a line each."""
        rows = len(codes[self.names[0]]) if self.names else 0
        columns = [(codes[name], size) for name, size in zip(self.names, self.sizes, strict=True)]
        return pack(columns, rows)[0]

    def codes(self, words: Ints, name: str) -> NDArray[np.int32]:
        """A column's code in every row."""
        word, shift, mask = self.where([name])[0].tolist()
        return np.asarray((words[:, word] >> shift) & mask, dtype=np.int32)

    def tuples(self, words: Ints, counts: Ints | None, table: Tuples) -> Tuples:
        """Some rows of a table, counted; what its columns are stays that of the whole table.

        counts    how many rows each line stands for; None: one
        table     whose columns they are; it needs no rows
        """
        domains = (*table.quasi, *table.sensitive, *table.sets, *table.beside)
        return Tuples.of(
            {domain.name: self.codes(words, domain.name) for domain in domains},
            table.quasi,
            table.sensitive,
            counts=np.ones(len(words), dtype=np.int64) if counts is None else counts,
            sets=table.sets,
            beside=table.beside,
        )
