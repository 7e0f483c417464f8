"""From data and a policy straight to a release in place, its table written in parts: for what is too large to hold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from sfumato.displayed import Displayed
from sfumato.engine.cautions import singled_out, uneven, unlinked
from sfumato.engine.job import Job
from sfumato.engine.limits import require_harmless_shown
from sfumato.engine.making import in_parts
from sfumato.engine.release import Drafted, Release
from sfumato.engine.run import job
from sfumato.errors import InputError, Refused, SfumatoWarning
from sfumato.forms.contract import CountingPublisher
from sfumato.policy.forms import Form
from sfumato.policy.load import PolicyLike
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent
from sfumato.release.file_target import FileTarget
from sfumato.release.like import Like
from sfumato.release.target import Files, Place, Target
from sfumato.stores.budget import Budget
from sfumato.stores.parts import PartsOfTable
from sfumato.table.spreadsheet import harmless
from sfumato.table.words import counted

__all__ = ["Delivered", "deliver"]


@dataclass(frozen=True, eq=False)
class Delivered(Displayed):
    """A release that is in place, in parts. Its tables are in its files, and nowhere else.

    files      parts of the table and ``release.json``
    manifest   for the holder alone: it stays out of what is sent away
    audit      of the written bytes
    """

    files: tuple[Path, ...]
    manifest: Path
    audit: Audit
    _release: Release = field(repr=False)

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
        return tuple(map(str, self.files))

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
        return f"<Delivered: {rows} in {counted(len(self.files) - 1, 'part')}; {self.audit.outcome}>"


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
    target     a folder, or a `Target`
    memory     how much of it may be used: ``2GB``, ``800MB``, or a number of bytes
    force      whether a release that is there may be replaced, whole
    kind       of the files: ``csv`` or ``parquet``; as the data came, if it is not said
    progress   called with (stage, rows done, rows in all); `Cancelled` raised from it ends the run

    What is written is audited before it appears, and its rows are the same, in another order, as those that `publish`
    would make. Of a table whose different rows do not fit, the release cannot be made, and it is said what would help.
    """
    budget = Budget.of(memory)
    place = target if isinstance(target, Target) else Target.of(target, force, kind)
    if not isinstance(place, FileTarget) or place.folder is None:
        raise InputError(f"{place}: a table in parts needs a folder of its own, such as out/")
    planned = job(data, promise, policy=policy, partition=partition, form=form, like=like, seed=seed, progress=progress)
    place.require_room(planned.policy.form.tables)
    place.require_other_than(planned.table.inputs)
    return delivered(planned, place, budget, progress)


def delivered(planned: Job, place: Target, budget: Budget, progress: Progress) -> Delivered:
    """The same of a job."""
    if not isinstance(planned.form, CountingPublisher):
        raise Refused(
            f"the form {planned.policy.form.publish} is not written in parts; publish generalized, or leave the memory"
            " limit out"
        )
    if planned.several is not None:
        raise Refused(f"{planned.several}: whose rows are is told by their places, which a table in parts has none of")
    release, table, randomness = in_parts(planned, progress)
    draft = _InParts(release, PartsOfTable(table, randomness, budget.rows_in_part), progress)
    put = place.put(draft)
    verdict = put.verdict
    for caution in (*unlinked(verdict), *uneven(verdict), *singled_out(verdict)):
        warnings.warn(caution, SfumatoWarning, stacklevel=3)
    return Delivered(put.files, place.manifest, verdict, replace(release, verdict=verdict))


@dataclass(frozen=True, eq=False)
class _InParts(Drafted):
    """A release whose table is made while it is written."""

    parts: PartsOfTable
    progress: Progress

    def written(self, place: Place) -> Files:
        frames = (self._shown(frame) for frame in self.parts.frames(place.private, self.progress))
        return {name: place.in_parts(name, frames) for name in self.names}

    def _shown(self, frame: pl.DataFrame) -> pl.DataFrame:
        return harmless(frame) if self.release.source.policy.output.spreadsheet == "safe" else frame

    def audited(self, written: object, manifest: Path) -> Audit:
        rows = self.parts.total
        self.progress("audit", 0, rows)
        verdict = audit(written, self.release.source.policy, manifest).raise_for_failure()
        require_harmless_shown(self.release.source.policy, verdict.insensitive)
        self.progress("audit", rows, rows)
        return verdict
