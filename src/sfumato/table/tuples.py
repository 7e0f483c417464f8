"""Counted tuples: the different rows of a table as codes, and how often each occurs. It is what a search sees.

Rows that are equal in everything that may be published, and in whose they are, are interchangeable, and are one tuple.
Tuples stand in an order that follows from what they hold, so that nothing depends on the order of the input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.table.domain import Domain, SetDomain
from sfumato.table.packing import Packed
from sfumato.table.tally import Counted

__all__ = ["Codes", "Columns", "Tuples"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int32]

Columns = tuple[str, ...]
"""Columns that are counted together."""


class _Spread(Mapping[str, Codes]):
    """Codes of tuples for their rows one by one, each column when it is asked for: most algorithms need few."""

    def __init__(self, given: Mapping[str, Codes], which: Ints) -> None:
        self._given, self._which = given, which
        self._made: dict[str, Codes] = {}

    def __getitem__(self, name: str) -> Codes:
        if name not in self._made:
            self._made[name] = self._given[name][self._which]
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


@dataclass(frozen=True, eq=False)
class Tuples:
    """Different rows of a table.

    counts      rows of each
    codes       per column, the code of each
    quasi, sensitive, sets   what these columns are
    beside      the other columns that are published: rows that differ there are not interchangeable
    person      a code that says whose each is, if somebody has several rows; None: one row each
    finer       per column that is shown by bins made from the data, the place of the value itself among its values
    content     which of the different rows each is, where they stand one by one
    row         a row of the table that each stands for; none where the table was not read
    counted     the tuples that these are the rows of, one by one; None: they are not
    """

    counts: Ints
    codes: Mapping[str, Codes]
    quasi: tuple[Domain, ...]
    sensitive: tuple[Domain, ...]
    sets: tuple[SetDomain, ...] = ()
    beside: tuple[Domain, ...] = ()
    person: Codes | None = None
    finer: Mapping[str, Codes] = field(default_factory=dict)
    content: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    row: Ints | None = None
    counted: Tuples | None = None
    _joints: dict[Columns, tuple[Codes, Codes]] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.content) != len(self.counts):
            object.__setattr__(self, "content", np.arange(len(self.counts)))

    @classmethod
    def of(
        cls,
        codes: Mapping[str, Codes],
        quasi: Sequence[Domain] = (),
        sensitive: Sequence[Domain] = (),
        *,
        counts: Ints | None = None,
        sets: Sequence[SetDomain] = (),
        beside: Sequence[Domain] = (),
        person: Codes | None = None,
        finer: Mapping[str, Codes] | None = None,
        row: Ints | None = None,
    ) -> Tuples:
        """Of rows, or of combinations that stand for several, with a code in every column; some may be equal.

        counts    how many rows each stands for; None: each is a row
        row       a row that each stands for; None: if each is one, it is that
        """
        finer = finer or {}
        domains = (*beside, *sets, *sensitive, *quasi)
        inner = [*finer.values(), *([] if person is None else [person])]
        columns = [(each, int(each.max(initial=0)) + 1) for each in inner]
        columns += [(codes[domain.name], domain.size) for domain in domains]
        if counts is None:
            counts = np.ones(len(columns[0][0]) if columns else 0, dtype=np.int64)
            row = np.arange(len(counts))
        packed = Packed.of(columns, counts, canonical=True)
        made = [packed.codes(place).astype(np.int32) for place in range(len(columns))]
        return cls(
            packed.counts,
            {domain.name: each for domain, each in zip(domains, made[len(inner) :], strict=True)},
            tuple(quasi),
            tuple(sensitive),
            tuple(sets),
            tuple(beside),
            None if person is None else made[len(finer)],
            dict(zip(finer, made, strict=False)),
            row=None if row is None else row[packed.first()],
        )

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.counts.sum())

    @cached_property
    def of_each(self) -> Ints:
        """The tuple of every row, in the order in which `each` has them."""
        return np.arange(len(self)).repeat(self.counts)

    @property
    def domains(self) -> tuple[Domain, ...]:
        """What quasi-identifiers, sensitive and quasi-sensitive columns are."""
        return (*self.quasi, *self.sensitive, *self.sets)

    @cached_property
    def _by_name(self) -> dict[str, Domain]:
        return {domain.name: domain for domain in (*self.domains, *self.beside)}

    def __getitem__(self, name: str) -> Domain:
        return self._by_name[name]

    @property
    def alike(self) -> bool:
        """Whether rows of the same quasi-identifiers and sensitive values are always interchangeable."""
        return self.person is None and not (self.sets or self.beside or self.finer)

    @property
    def every(self) -> tuple[Codes, ...]:
        """All that tells tuples apart."""
        whose = () if self.person is None else (self.person,)
        return (*whose, *self.finer.values(), *self.codes.values())

    def each(self) -> Tuples:
        """The rows one by one, each of a tuple of its own; those that are equal stand together."""
        if (self.counts == 1).all():
            return self
        which = self.of_each
        return replace(
            self,
            counts=np.ones(self.rows, dtype=np.int64),
            codes=_Spread(self.codes, which),
            person=None if self.person is None else self.person[which],
            finer=_Spread(self.finer, which),
            content=self.content[which],
            row=None if self.row is None else self.row[which],
            counted=self,
        )

    def without_rows(self) -> Tuples:
        """What the columns are, and no row."""
        none = {name: np.zeros(0, np.int32) for name in self.codes}
        counts = np.zeros(0, dtype=np.int64)
        return Tuples(counts, none, self.quasi, self.sensitive, self.sets, self.beside)

    def telling(self, told: Flags, shown: Flags) -> Tuples:
        """The same, hierarchies' nodes called by nothing but what is published.

        told    tuples of which quasi-identifiers are published
        shown   tuples of which sensitive values are
        """
        quasi = tuple(domain.telling(self.present(domain.name, told)) for domain in self.quasi)
        sensitive = tuple(self._telling(domain, shown) for domain in self.sensitive)
        if (*quasi, *sensitive) == (*self.quasi, *self.sensitive):
            return self
        return replace(self, quasi=quasi, sensitive=sensitive)

    def _telling(self, domain: Domain, shown: Flags) -> Domain:
        if domain.naming is None:
            return domain.telling(self.present(domain.name, shown))
        finer = self.finer[domain.name]
        told = np.bincount(finer[shown], minlength=int(finer.max(initial=0)) + 1) > 0
        return replace(domain, values=domain.naming(told), shown=None)

    def present(self, column: str, which: Flags) -> Flags:
        """Per code of a column, whether one of some tuples has it."""
        found: Flags = np.bincount(self.codes[column][which], minlength=self[column].size) > 0
        return found

    def joint(self, columns: Sequence[str]) -> tuple[Codes, Codes]:
        """One dense code per tuple for a combination of columns, and the component codes of every such code."""
        wanted = tuple(columns)
        if wanted not in self._joints:
            parts = [(self.codes[name], self[name].size) for name in reversed(wanted)]
            packed = Packed.of(parts, self.counts, canonical=True)
            made = np.empty((len(packed.counts), len(wanted)), dtype=np.int32)
            for place in range(len(wanted)):
                made[:, place] = packed.codes(len(wanted) - 1 - place)
            numbers = np.zeros(0, np.int32) if packed.numbers is None else packed.numbers
            self._joints[wanted] = numbers, made
        return self._joints[wanted]

    def count(self, columns: Sequence[str], *, first: bool = False) -> Counted:
        """The combinations of these columns and their rows: tuples are a `Tally` too."""
        chosen = [(self.codes[name], self[name].size) for name in reversed(columns)]
        packed = Packed.of(chosen, self.counts, canonical=True)
        codes = tuple(packed.codes(len(columns) - 1 - place) for place in range(len(columns)))
        return Counted(codes, packed.counts, self.row[packed.first()] if first and self.row is not None else None)

    def counted_by(self, columns: Columns) -> Codes:
        """The code per tuple that a statistic counts."""
        return self.codes[columns[0]] if len(columns) == 1 else self.joint(columns)[0]

    def size_of(self, columns: Columns) -> int:
        """How many codes a statistic has."""
        return self[columns[0]].size if len(columns) == 1 else len(self.joint(columns)[1])
