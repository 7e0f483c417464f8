"""One row of every person, or of every person and what is sensitive of them, where the policy asks for it.

Which one is kept is drawn by the holder's key from what stands in the rows: the same whatever their order, the same
every night as long as the person's rows are, and nothing that anybody without the key could say. Nobody is left out by
it: every person still has a row.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.document import Policy
from sfumato.randomness import Key
from sfumato.table.bins import binning
from sfumato.table.distinct import distinct
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


def keep_once(frame: pl.DataFrame, base: pl.DataFrame, policy: Policy, kept: pl.Series | None) -> Once:
    """What becomes of every row by the `rows:` of the column that says whose it is.

    `kept` are the rows that miss nothing (None: all). One of these stays before any other of its person; a dropped row
    leaves somebody missing only if no row of that person stays, and is counted once. Rows of unknown persons are each
    somebody's.
    """
    person = policy.individual
    whole = np.ones(frame.height, np.bool_) if kept is None else kept.to_numpy()
    wanted = "all" if person is None else policy.columns[person].rows
    if person is None or wanted == "all":
        return Once(whole, ~whole)
    apart = [base[person], *([] if wanted == "one" else [_secret(base[name], policy) for name in policy.secret])]
    owner = pl.DataFrame(apart).select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy().astype(np.int64)
    unknown = base[person].is_null().to_numpy()
    owner[unknown] = owner.max(initial=0) + 1 + np.arange(int(unknown.sum()))
    several = np.flatnonzero((np.bincount(owner) > 1)[owner])
    if not len(several):
        return Once(whole, ~whole)
    draws = _drawn(frame[several])
    order = several[np.lexsort((draws, ~whole[several], owner[several]))]
    first = np.ones(frame.height, np.bool_)
    first[order[1:]] = owner[order[1:]] != owner[order[:-1]]
    each = "person" if wanted == "one" else "person and sensitive value"
    incomplete = int((~whole & ~first).sum())
    among = f", among them {incomplete} with a missing value" if incomplete else ""
    note = (
        f"column {person!r}: one row of every {each} is kept, {counted(int((~first).sum()), 'row')} of {frame.height}"
        f" left out{among}; nobody is missing by it"
    )
    return Once(whole & first, ~whole & first, (note,))


def _secret(values: pl.Series, policy: Policy) -> pl.Series:
    """A sensitive column as what counts as one value: its bins, if it has any."""
    bins = binning(values.name, policy.columns[values.name], distinct(values))
    return values if bins is None else pl.Series(values.name, bins.codes)


def _drawn(rows: pl.DataFrame) -> NDArray[np.uint64]:
    """A secret number for the content of every row."""
    secret = hmac.digest(Key.load().secret, b"sfumato: which row of a person", "sha256")
    texts = rows.select(pl.all().cast(pl.String)).rows()
    drawn = b"".join(hmac.digest(secret, json.dumps(text).encode(), "sha256")[:8] for text in texts)
    return np.frombuffer(drawn, dtype="<u8").astype(np.uint64)
