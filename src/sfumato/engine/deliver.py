"""From data and a policy straight to a release in place, its table written in parts: for what is too large to hold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.auditor.verdict import Audit
from sfumato.displayed import Displayed
from sfumato.engine.cautions import singled_out, uneven, unlinked
from sfumato.engine.inblocks import InBlocks
from sfumato.engine.release import Release
from sfumato.errors import InputError, Refused, SfumatoWarning
from sfumato.forms.contract import CountingPublisher
from sfumato.forms.registry import publisher
from sfumato.policy.forms import Form
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent
from sfumato.release.like import Like
from sfumato.release.target import Target
from sfumato.stores.budget import Budget
from sfumato.table.gathering import TooManyRows
from sfumato.table.read import read
from sfumato.table.streamed import stream
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Delivered", "deliver"]


@dataclass(frozen=True, eq=False)
class Delivered(Displayed):
    """A release that is in place, in parts. Its tables are in its files, and nowhere else.

    files      parts of the table and ``release.json``
    manifest   for the holder alone: it stays out of what is sent away
    audit      of the written bytes
    uris       of the files in a storage, if it went there: then there are no files here
    """

    files: tuple[Path, ...]
    manifest: Path
    audit: Audit
    _release: Release = field(repr=False)
    uris: tuple[str, ...] = ()

    @property
    def loss(self) -> float:
        """What was lost under the policy's metric, 0 (nothing) to 1 (all)."""
        return self._release.loss

    @property
    def worthless(self) -> tuple[str, ...]:
        """What says nothing though the promise is kept; empty: the release says something."""
        return self._release.worthless

    @property
    def public(self) -> tuple[str, ...]:
        """What everybody may have, by name."""
        return (*map(str, self.files), *self.uris)

    def judged(self) -> Audit:
        """The auditor's judgement of the bytes."""
        return self.audit

    def facts(self) -> dict[str, Any]:
        """What was done, as plain values."""
        return self._release.facts()

    def summary(self) -> str:
        """What was done, in a few lines."""
        return self._release.summary()

    def __repr__(self) -> str:
        rows = counted(self._release.published.rows, "row")
        return f"<Delivered: {rows} in {counted(len(self.public) - 1, 'part')}; {self.audit.outcome}>"


def deliver(
    data: object,
    target: str | Path | Target,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    partition: Method | Mapping[str, Any] | None = None,
    form: Form | Mapping[str, Any] | None = None,
    memory: str | int = "2GB",
    force: bool = False,
    kind: str | None = None,
    like: Like | None = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> Delivered:
    """Make a release that keeps the promise and put it in place, its table in parts; or raise and leave nothing behind.

    data, promise, policy, partition, form, like, seed   as for `publish`
    target     a folder, here or in a storage (``s3://BUCKET/FOLDER/``), or a `Target`
    memory     how much of it may be used: ``2GB``, ``800MB``, or a number of bytes
    force      whether a release that is there may be replaced, whole
    kind       of the files: ``csv`` or ``parquet``; as the data came, if it is not said
    progress   called with (stage, rows done, rows in all); `Cancelled` raised from it ends the run

    What is written is audited before it appears, and its rows are the same, in another order, as those that `publish`
    would make. Of a table whose different rows do not fit, these are put as codes into a private file, or stay on the
    Spark cluster that has them, and are searched block by block; what needs all rows at once is refused by name.
    """
    budget = Budget.of(memory)
    place = target if isinstance(target, Target) else Target.of(target, force, kind)
    if not place.in_parts:
        raise InputError(f"{place}: a table in parts needs a folder of its own, such as out/")
    given = read_policy(
        policy if policy is not None else _policy_of(data), promise=promise, partition=partition, form=form
    )
    place.require_room(given.form.tables)
    if not isinstance(publisher(given.form), CountingPublisher):
        raise Refused(
            f"the form {given.form.publish} is not written in parts; publish generalized, or leave the memory limit out"
        )
    try:
        table = read(data, given, progress=progress, most=budget.entries, part=budget.part)
    except TooManyRows:
        streamed = stream(data, given, budget.part, most=budget.values, progress=progress)
        draft = InBlocks(streamed, budget, like, seed, progress)
    else:
        draft = InBlocks(table, budget, like, seed, progress)
    place.require_other_than(draft.inputs)
    put = place.put(draft)
    for caution in (*unlinked(put.verdict), *uneven(put.verdict), *singled_out(put.verdict)):
        warnings.warn(caution, SfumatoWarning, stacklevel=2)
    return Delivered(put.files, place.manifest, put.verdict, replace(draft.release, verdict=put.verdict), put.uris)


def _policy_of(data: object) -> PolicyLike:
    if isinstance(data, Table):
        return data.policy
    raise InputError("this needs a policy: pass policy=..., or data from sfumato.read(data, policy)")
