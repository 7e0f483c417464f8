"""A release beside the table it was made from: what measures, risks and adversaries look at.

Whoever knows somebody's quasi-identifiers looks for the rows that may be theirs. In most forms these are the rows that
cover them; where quasi-identifiers are exact, they lead to a group, whose secrets are anybody's of that group. Either
way there are *classes*: what a row shows leads to a class, and a class says how likely each secret is. `Subject`
numbers the classes of any form, so that nobody else needs to know which form it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import InputError, SfumatoError, SfumatoWarning
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike
from sfumato.release.codes import Codes
from sfumato.release.documents import InMemory, Manifest
from sfumato.release.opening import Inspection, ManifestLike, accept
from sfumato.release.received import Received, receive
from sfumato.release.shares import Shares
from sfumato.release.spans import CellSpans
from sfumato.release.views.contract import Seen
from sfumato.release.writing import Blank, Writing
from sfumato.table.dictionaries import codes_of, values_of
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.table.read import read
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["Holder", "Lacking", "Numbered", "ShownCells", "Subject"]

Ints = NDArray[np.int64]


class Lacking(SfumatoError):
    """What a measure or an adversary needs, and there is not."""


@runtime_checkable
class Holder(Protocol):
    """A release in the hands of who made it, as `sfumato.Release` is: with its manifest and its table."""

    @property
    def held(self) -> tuple[InMemory, Manifest]: ...

    @property
    def source(self) -> Table: ...


@dataclass(frozen=True, eq=False)
class ShownCells:
    """A published column: per row a code, the text of each code, how many rows have it, and what it stands for."""

    codes: Ints
    texts: tuple[str | None, ...]
    counts: Ints
    spans: CellSpans
    domain: Domain


@dataclass(frozen=True, eq=False)
class Numbered:
    """Classes of a release, from 0 on.

    people   the class that each row of quasi-identifiers leads to
    sizes    rows of each class
    shares   how likely the values of one secret are in each
    """

    people: Ints
    sizes: Ints
    shares: Shares


@dataclass(frozen=True, eq=False)
class Subject:
    """A release, how it is read, and the original table, if the holder gives it.

    blank   what an empty cell of a bare table is
    """

    received: Received
    original: Table | None = None
    blank: Blank = "auto"

    @classmethod
    def of(
        cls,
        release: object,
        policy: PolicyLike | None = None,
        manifest: ManifestLike | None = None,
        original: object | None = None,
        blank: Blank = "auto",
        inspect: Inspection = accept,
    ) -> Subject:
        """Open a release as `sf.audit` does; a `sf.Release` brings its policy, its manifest and its table along.

        Cells of a bare table that stand for no value of the original are warned of. `inspect` looks at table files.
        """
        if isinstance(release, Holder):
            shown, kept = release.held
            source = release.source if original is None else read(original, release.source.policy.given)
            return cls(receive(shown, release.source.policy, manifest or kept), source, blank)
        if policy is None:
            raise InputError("give the policy that the release was made under")
        received = receive(release, policy, manifest, inspect)
        made = cls(received, None if original is None else read(original, policy), blank)
        for told in made.unfit() if original is not None and received.evidence.document is None else ():
            warnings.warn(told, SfumatoWarning, stacklevel=3)
        return made

    def unfit(self) -> Iterator[str]:
        """A sentence for every column with cells that cannot be read, or stand for no value of the original."""
        for name in (*self.quasi, *self.sensitive):
            cells = self.cells(name)
            empty = cells.spans.values == 0
            unread = np.zeros(len(empty), dtype=np.bool_)
            unread[cells.spans.unread] = True
            if (cells.counts[empty] > 0).any():
                yield (
                    f"column {name!r}: cells that stand for no value of the original table:"
                    f" {int(cells.counts[empty].sum())}, of which cannot be read: {int(cells.counts[unread].sum())};"
                    " nobody is taken to fit their rows"
                )

    @property
    def writing(self) -> Writing | None:
        """How a bare table is written; None: as releases are."""
        bare = self.received.evidence.document is None
        return Writing.of(self.received.policy.input, self.blank) if bare else None

    @property
    def policy(self) -> Policy:
        return self.received.policy if self.original is None else self.original.policy

    @property
    def seen(self) -> Seen:
        return self.received.seen

    @property
    def tuples(self) -> Tuples:
        """The original table, coded and counted."""
        if self.original is None:
            raise Lacking("the original table")
        return self.original.encode()

    @property
    def published(self) -> int:
        """Rows of people in the release."""
        return self.seen.table.height

    @cached_property
    def suppressed(self) -> int:
        """Rows of the original that the release does not have; those that the missing rule left out do not count."""
        document = self.received.evidence.document
        if document is not None:
            return document.rows.left_out
        missing = 0 if self.original is None else self.original.rows - self.published
        if missing < 0:
            raise InputError(f"the release has {-missing} rows more than the original table: it is of another table")
        return missing

    @property
    def rows(self) -> int:
        """Rows of the original table."""
        return self.published + self.suppressed

    @cached_property
    def quasi(self) -> tuple[str, ...]:
        """Quasi-identifiers that are published."""
        shown = {name for frame in self.people for name in frame.columns}
        return tuple(name for name in self.policy.quasi if name in shown)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """Sensitive columns that are published."""
        return tuple(name for name in self.policy.sensitive if name in self.seen.table.columns)

    @cached_property
    def people(self) -> tuple[pl.DataFrame, ...]:
        """What is shown of people beside their secrets, a row each; what does not stand side by side in parts."""
        if self.seen.people:
            return self.seen.people
        names = [name for name in self.received.policy.quasi if name in self.seen.table.columns]
        return (self.seen.table.select(*names, *self._id(self.seen.table)),)

    def _id(self, table: pl.DataFrame) -> list[str]:
        name = self.received.evidence.group_id
        return [] if name is None or name not in table.columns else [name]

    @cached_property
    def classes(self) -> tuple[Ints, Ints, Ints]:
        """The class of every row of quasi-identifiers, that of every row of secrets, and the rows of each class."""
        if self.seen.exact:
            ids = [frame.select(self._id(frame)) for frame in (self.people[0], self.seen.table)]
            people, secrets = _numbered_alike(*ids) if all(frame.width for frame in ids) else _one_class(*ids)
        else:
            people = secrets = _numbered(self.people[0])
        return people, secrets, np.bincount(people, minlength=int(secrets.max(initial=-1)) + 1)

    def domain(self, name: str) -> Domain:
        """What a column of the original table is."""
        return self.tuples[name]

    def cells(self, name: str) -> ShownCells:
        """A published quasi-identifier, or sensitive column, with what its cells stand for in the original's domain."""
        if name not in self._cells:
            places = [*self.people, self.seen.table]
            frame = next((frame for frame in places if name in frame.columns), None)
            if frame is None:
                raise Lacking(f"the column {name!r} in the release")
            codes, texts = Codes.of(frame[name])
            numbers = codes.rows.astype(np.int64)
            domain = self.domain(name)
            spans = CellSpans.of(texts, domain, self.policy.columns[name], self.writing)
            self._cells[name] = ShownCells(
                numbers, tuple(texts), np.bincount(numbers, minlength=len(texts)), spans, domain
            )
        return self._cells[name]

    @cached_property
    def _cells(self) -> dict[str, ShownCells]:
        return {}

    def numbered(self, secret: str) -> Numbered:
        """Classes, with what they say of one sensitive column, in codes of the original's domain.

        Where values were changed at random, a class is what shows the same value in the same group: that value with the
        probability that it was kept, and otherwise any of the release.
        """
        people, rows, sizes = self.classes
        cells = self.cells(secret)
        if not self.seen.changed:
            shares = Shares.counted(rows, cells.codes, len(sizes), cells.spans, cells.domain.occurring)
            return Numbered(people, sizes, shares)
        retention = self.seen.retention
        if retention is None:
            raise Lacking("the probability with which values were kept")
        pairs = Packed.of_rows([(cells.codes, len(cells.texts)), (people, len(sizes))])
        numbers = np.arange(len(people)) if pairs.numbers is None else pairs.numbers.astype(np.int64)
        every = Shares.counted(np.zeros_like(rows), cells.codes, 1, cells.spans, cells.domain.occurring)
        own = cells.spans.low[pairs.codes(0)]
        return Numbered(numbers, pairs.counts, every.of(np.zeros_like(own)).kept(own, float(retention)))


def _numbered(frame: pl.DataFrame) -> Ints:
    """A number per row, which rows share that are equal."""
    columns = [Codes.alone(column) for column in frame.get_columns()]
    if not columns:
        return np.zeros(frame.height, dtype=np.int64)
    packed = Packed.of_rows([(codes.rows, codes.size) for codes in columns])
    numbers = np.arange(frame.height) if packed.numbers is None else packed.numbers
    return numbers.astype(np.int64)


def _numbered_alike(first: pl.DataFrame, second: pl.DataFrame) -> tuple[Ints, Ints]:
    """A number per row of two tables, the same for the same group id."""
    one, other = first.to_series(), second.to_series()
    place = {text: number for number, text in enumerate(values_of(one).to_list())}
    for text in values_of(other).to_list():
        place.setdefault(text, len(place))
    return _placed(one, place), _placed(other, place)


def _placed(column: pl.Series, place: dict[str, int]) -> Ints:
    numbers = np.array([*(place[text] for text in values_of(column).to_list()), len(place)], dtype=np.int64)
    return numbers[codes_of(column)]


def _one_class(*frames: pl.DataFrame) -> Sequence[Ints]:
    return [np.zeros(frame.height, dtype=np.int64) for frame in frames]
