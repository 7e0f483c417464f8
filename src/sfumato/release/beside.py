"""Another release, looked at by the people of a table: of the same table, or of one that shares people with it.

Its cells are read by its own policy, and stand for values that these people have. Rows of the table stay as they are,
whatever rule the other policy has for missing values, so that both releases speak of the same rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TypeAlias

import polars as pl

from sfumato.errors import InputError
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.release.opening import ManifestLike
from sfumato.release.received import Received, receive
from sfumato.release.subject import Holder, Lacking, Subject
from sfumato.table.read import read
from sfumato.table.table import Table

__all__ = ["OtherRelease", "beside", "received_of", "unknown_of"]

OtherRelease: TypeAlias = object | tuple[object, PolicyLike] | tuple[object, PolicyLike, ManifestLike]
"""A `sfumato.Release`; or a folder, a file or a frame, with its policy, and with its manifest if there is one."""


def received_of(other: OtherRelease, policy: PolicyLike | None) -> Received:
    """Open another release; `policy` is the one it was made under if it does not say."""
    release, given, manifest = _parts(other, policy)
    if isinstance(release, Holder):
        shown, kept = release.held
        return receive(shown, release.source.policy, manifest or kept)
    if given is None:
        raise InputError("give the policy that the other release was made under: other=[(release, policy)]")
    return receive(release, given, manifest)


def _parts(other: OtherRelease, policy: PolicyLike | None) -> tuple[object, PolicyLike | None, ManifestLike | None]:
    if not isinstance(other, tuple):
        return other, policy, None
    if len(other) == 2:
        return other[0], other[1], None
    if len(other) == 3:
        return other[0], other[1], other[2]
    raise InputError("give another release as it is, as (release, policy) or as (release, policy, manifest)")


def beside(received: Received, table: Table) -> Subject:
    """The release by the people of a table, as far as this has its columns."""
    policy = received.policy
    names = [name for name in (*policy.quasi, *policy.sensitive) if name in table.columns]
    if not any(name in policy.quasi for name in names):
        raise Lacking("a quasi-identifier that both releases know")
    columns = {name: policy.given.columns[name].model_dump(mode="json", exclude_defaults=True) for name in names}
    for column in columns.values():
        column.pop("missing", None)
    document = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}], "missing": "category"}
    frame = pl.DataFrame([table.columns[name].spread().alias(name) for name in names])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # doubts about the data were told when it was read
        people = read(frame, read_policy({**document, "input": policy.input.model_dump(mode="json")}, base=policy.base))
    return Subject(received, people)


def unknown_of(received: Received, table: Table) -> Iterable[str]:
    """Quasi-identifiers that the release shows, and the table does not have."""
    shown = {name for frame in (*received.seen.people, received.seen.table) for name in frame.columns}
    return [name for name in received.policy.quasi if name in shown and name not in table.columns]
