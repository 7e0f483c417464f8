"""A fingerprint of a table's content: names, types, values and which stand together; never how it lies in memory.

The rows count as a set with repetitions: their order does not matter, how often one comes does. Every different value
is hashed once, together with its column's name and type (BLAKE2b, keyed if there is a secret), to four numbers of 64
bits. A row's four numbers are mixed from those of its cells, so that it matters which column a value stands in; the
rows' numbers are added up. Nothing is made per row that outlives its block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.distinct import Distinct, Distincts

__all__ = ["RunningDigest", "digest", "row_hashes"]

Lanes = NDArray[np.uint64]

_LANES = 4
_ROWS_AT_ONCE = 1 << 16
_GOLDEN, _LAST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_HALF, _LESS = np.uint64(32), np.uint64(29)


def digest(columns: Distincts, secret: bytes = b"") -> str:
    """SHA-256, in hexadecimal, of the columns in order, their rows in any."""
    running = RunningDigest.of(columns, secret)
    times = next((each.entries.times for each in columns.values() if each.entries is not None), None)
    return running.plus([found.codes for found in columns.values()], times).told


@dataclass(frozen=True, eq=False)
class RunningDigest:
    """The same of rows that come in parts, as codes into the values of some columns.

    lanes   of every column, the numbers of its values
    begun   what columns are called, and their types
    """

    lanes: tuple[Lanes, ...]
    begun: bytes
    rows: int
    sums: Lanes

    @classmethod
    def of(cls, columns: Mapping[str, Distinct], secret: bytes = b"") -> RunningDigest:
        """Before the first row."""
        lanes = tuple(_hashed(name, found, secret) for name, found in columns.items())
        words = (_framed(name, str(found.values.dtype)) for name, found in columns.items())
        return cls(lanes, b"".join(words), 0, np.zeros(_LANES, np.uint64))

    def plus(self, codes: Sequence[NDArray[np.int32]], times: NDArray[np.int64] | None = None) -> RunningDigest:
        """With some rows more, or with what stands for so many each."""
        total = len(codes[0]) if codes else 0
        sums, begin = self.sums.copy(), 0
        for part in _blocks(codes, self.lanes, total):
            if times is not None:
                part *= times[begin : begin + len(part), None].astype(np.uint64)
                begin += len(part)
            sums += part.sum(axis=0, dtype=np.uint64)
        more = total if times is None else int(times.sum())
        return replace(self, rows=self.rows + more, sums=sums)

    @property
    def told(self) -> str:
        """SHA-256, in hexadecimal."""
        whole = hashlib.sha256(f"{len(self.lanes)} columns, {self.rows} rows".encode())
        whole.update(self.begun)
        whole.update(self.sums.astype("<u8").tobytes())
        return whole.hexdigest()


def row_hashes(columns: Distincts, rows: NDArray[np.int64], secret: bytes) -> NDArray[np.uint64]:
    """A number for the content of each of some rows, which nobody can say without the secret; equal rows share it."""
    lanes = [_hashed(name, found, secret) for name, found in columns.items()]
    parts = [part[:, 0].copy() for part in _blocks([found.codes[rows] for found in columns.values()], lanes, len(rows))]
    return np.concatenate(parts) if parts else np.empty(0, np.uint64)


def _blocks(codes: Sequence[NDArray[np.int32]], lanes: Sequence[Lanes], total: int) -> Iterator[Lanes]:
    """The numbers of so many rows, block by block; a block is overwritten by the next."""
    room = np.empty((2, min(total, _ROWS_AT_ONCE), _LANES), np.uint64)
    for start in range(0, total, _ROWS_AT_ONCE):
        some = slice(start, min(start + _ROWS_AT_ONCE, total))
        yield _block([each[some] for each in codes], lanes, *room[:, : some.stop - start])


def _block(codes: Sequence[NDArray[np.int32]], lanes: Sequence[Lanes], state: Lanes, other: Lanes) -> Lanes:
    """Mix the cells of some rows, column after column: to exchange two of them is to change the row's numbers."""
    state[:] = 0
    for mine, values in zip(codes, lanes, strict=True):
        np.take(values, mine, axis=0, out=other, mode="wrap")  # -1 is the last: a missing value
        state ^= other
        state *= _GOLDEN
        np.right_shift(state, _HALF, out=other)
        state ^= other
    state *= _LAST
    np.right_shift(state, _LESS, out=other)
    state ^= other
    return state


def _hashed(name: str, found: Distinct, secret: bytes) -> Lanes:
    """The four numbers of every value, and last those of a missing one."""
    key = hashlib.sha256(secret).digest() if len(secret) > hashlib.blake2b.MAX_KEY_SIZE else secret
    begun = hashlib.blake2b(_framed(name, str(found.values.dtype)), digest_size=8 * _LANES, key=key)

    def hashed(value: bytes) -> bytes:
        made = begun.copy()
        made.update(value)
        return made.digest()

    made = b"".join([*map(hashed, _told(found.values)), hashed(b"missing")])
    return np.frombuffer(made, dtype="<u8").astype(np.uint64).reshape(-1, _LANES)


def _told(values: pl.Series) -> Iterable[bytes]:
    """What tells a value from others of its column, and from a missing one."""
    dtype = values.dtype
    if (dtype.is_float() or dtype.is_temporal()) and len(values):
        numbers = values.to_physical().to_numpy()
        return (b"=" + each.tobytes() for each in numbers)
    return (b"=" + each.encode() for each in values.cast(pl.String).to_list())


def _framed(*words: str) -> bytes:
    """Words with their lengths."""
    return b"".join(len(word.encode()).to_bytes(8, "little") + word.encode() for word in words)
