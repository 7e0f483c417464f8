"""How a release looks: what is left of it when the order of rows and the numbers of groups, which chance gives, are
taken away. Two releases that look the same tell the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import polars as pl

from sfumato.release.received import Received

__all__ = ["look"]

_Rows = tuple[tuple[tuple[bool, str], ...], ...]


def look(received: Received) -> Hashable:
    """A value that two releases share if nothing but chance tells them apart.

    Where quasi-identifiers are exact, secrets stand beside them in an order that says nothing: both count apart.
    """
    group = received.evidence.group_id
    frames = [*_frames(received)]
    if group is None:
        return tuple(_rows(frame) for frame in frames)
    parts: dict[str, list[_Rows]] = {}
    for place, frame in enumerate(frames):
        by_group = frame.partition_by(group, as_dict=True, include_key=False) if group in frame.columns else {}
        for (name,), rows in by_group.items():
            parts.setdefault(str(name), [()] * len(frames))[place] = _rows(rows)
    loose = tuple(_rows(frame) for frame in frames if group not in frame.columns)
    return loose, tuple(sorted(tuple(each) for each in parts.values()))


def _frames(received: Received) -> Iterator[pl.DataFrame]:
    seen, group = received.seen, received.evidence.group_id
    if not seen.exact:
        yield seen.table
        return
    yield from seen.people
    secret = [name for name in (*received.policy.secret, *seen.beside) if name in seen.table.columns]
    pieces = [secret] if seen.pieces is None else [[name for name in secret if name in piece] for piece in seen.pieces]
    names = [] if group is None or group not in seen.table.columns else [group]
    for piece in pieces:
        yield seen.table.select(*piece, *names)


def _rows(frame: pl.DataFrame) -> _Rows:
    """Rows as texts, in order; a missing cell is not an empty one."""
    texts = frame.select(pl.all().cast(pl.String)).rows()
    return tuple(sorted(tuple((cell is None, cell or "") for cell in row) for row in texts))
