"""One row of every person, or of every person and what is sensitive of them, where the policy asks for it.

Which one is kept is drawn by the holder's key from what stands in the rows: the same whatever their order, the same
every night as long as the person's rows are, and nothing that anybody without the key could say. Nobody is left out by
it: every person still has a row.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.policy.document import Policy
from sfumato.randomness import Key
from sfumato.table.bins import binning
from sfumato.table.digest import row_hashes
from sfumato.table.distinct import Distinct, Distincts, combined, entries_of
from sfumato.table.words import counted

__all__ = ["Once", "keep_once"]


@dataclass(frozen=True, eq=False)
class Once:
    """Which rows stay in the table, which are dropped and leave somebody missing, how many repeat a person."""

    stay: NDArray[np.bool_]
    dropped: NDArray[np.bool_]
    notes: tuple[str, ...] = ()

    @property
    def repeated(self) -> int:
        return len(self.stay) - int(self.stay.sum()) - int(self.dropped.sum())


def keep_once(columns: Distincts, base: Distincts, policy: Policy, kept: NDArray[np.bool_] | None) -> Once:
    """What becomes of every row by the `rows:` of the column that says whose it is.

    `kept` are the rows that miss nothing (None: all). One of these stays before any other of its person; a dropped row
    leaves somebody missing only if no row of that person stays, and is counted once. Rows of unknown persons are each
    somebody's. Where a column says whose rows are, they stand one by one.
    """
    person, rows = policy.individual, entries_of(columns)
    whole = np.ones(rows, np.bool_) if kept is None else kept
    wanted = "all" if person is None else policy.columns[person].rows
    if person is None or wanted == "all":
        return Once(whole, ~whole)
    secrets = () if wanted == "one" else policy.secret
    owner = combined([base[person], *(_secret(name, base[name], policy) for name in secrets)])[0].astype(np.int64)
    unknown = base[person].codes < 0
    owner[unknown] = owner.max(initial=0) + 1 + np.arange(int(unknown.sum()))
    several = np.flatnonzero((np.bincount(owner) > 1)[owner])
    if not len(several):
        return Once(whole, ~whole)
    draws = _drawn(columns, several)
    order = several[np.lexsort((draws, ~whole[several], owner[several]))]
    first = np.ones(rows, np.bool_)
    first[order[1:]] = owner[order[1:]] != owner[order[:-1]]
    each = "person" if wanted == "one" else "person and sensitive value"
    incomplete = int((~whole & ~first).sum())
    among = f", among them {incomplete} with a missing value" if incomplete else ""
    note = (
        f"column {person!r}: one row of every {each} is kept, {counted(int((~first).sum()), 'row')} of {rows}"
        f" left out{among}; nobody is missing by it"
    )
    return Once(whole & first, ~whole & first, (note,))


def _secret(name: str, found: Distinct, policy: Policy) -> Distinct:
    """A sensitive column as what counts as one value: its bins, if it has any."""
    bins = binning(name, policy.columns[name], found)
    return found if bins is None else Distinct(bins.labels, bins.codes, found.entries)


def _drawn(columns: Distincts, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A secret number for the content of each of these rows."""
    secret = hmac.digest(Key.load().secret, b"sfumato: which row of a person", "sha256")
    return row_hashes(columns, rows, secret)
