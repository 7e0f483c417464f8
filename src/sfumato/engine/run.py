"""From data and a policy to a job, to its release, and to the least loss that any could have."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sfumato.engine.job import Job, planned
from sfumato.engine.prepared import prepared
from sfumato.engine.release import Release
from sfumato.errors import InputError, SfumatoWarning
from sfumato.policy.forms import Form
from sfumato.policy.load import PolicyLike
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent

if TYPE_CHECKING:
    from sfumato.engine.earlier import Earlier
    from sfumato.partition.boxes.bound import Bound
    from sfumato.release.beside import OtherRelease
    from sfumato.release.like import Like
    from sfumato.table.table import Table

__all__ = ["bound", "job", "publish"]


def job(
    data: object,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    partition: Method | Mapping[str, Any] | None = None,
    form: Form | Mapping[str, Any] | None = None,
    like: Like | None = None,
    before: Iterable[OtherRelease] = (),
    seed: int | None = None,
    progress: Progress = silent,
) -> Job:
    """Plan a release: everything is read and checked, nothing is searched; `Job.run` makes it.

    data, promise, policy, partition, form, like, before, seed   as for `publish`
    progress   is told how far reading is

    Raises `Refused` if promise, algorithm and form do not go together, `TableError` and `PolicyError` for what is wrong
    with the data and the policy, and `NoneFound` if rows that the missing rule dropped break what they have to keep:
    then no search could help.
    """
    from sfumato.kernels.first import first_run

    progress("read", 0, 1)
    found: list[str] = []
    try:
        with first_run(progress):
            table = prepared(data, policy, promise, partition, form, progress)
            if like is not None:
                like.require(table)
            return planned(table, seed, progress, found.append, _earlier(before, table))
    finally:
        for caution in found:
            warnings.warn(caution, SfumatoWarning, stacklevel=2)


def publish(
    data: object,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    partition: Method | Mapping[str, Any] | None = None,
    form: Form | Mapping[str, Any] | None = None,
    like: Like | None = None,
    before: Iterable[OtherRelease] = (),
    seed: int | None = None,
    progress: Progress = silent,
) -> Release:
    """Make a release that keeps the promise, audited; or raise and leave nothing behind.

    data       a `Table` from `sfumato.read`, or a path or frame together with `policy`
    promise    instead of the policy's `privacy:`
    policy     what each column is, and what is promised: a file, a mapping or a `Policy`
    partition, form   instead of the policy's; like the promise, a value or the mapping that stands for it in a policy
    like       what the table must be like, or nothing is made of it
    before     what was published before about the same people, or some of them: release folders or files, internal
               manifests, or (release, policy) where the policy was another; nothing is made that exposes anybody
               together with it
    seed       for tests and papers only: by default the order of rows and every tie are secret
    progress   called with (stage, rows done, rows in all); `Cancelled` raised from it ends the run

    The same as `job(...).run(progress)`, which can be held and called off in between.

    >>> import polars as pl
    >>> import sfumato as sf
    >>> columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    >>> privacy = [{"model": "k-anonymity", "k": 2}]
    >>> policy = {"columns": columns, "privacy": privacy, "partition": {"method": "mondrian"}}
    >>> people = pl.DataFrame({"age": [31, 33, 52, 58], "disease": ["flu", "gout", "gout", "flu"]})
    >>> sf.publish(people, sf.KAnonymity(2) & sf.DistinctL(2), policy=policy, seed=7)
    <Release of 4 rows: k-anonymity (k=2) and distinct-l (l=2); loss 0.1481 (ncp), rows left out: 0>

    Raises `Refused` if promise, algorithm and form do not go together, or if people would be exposed together with what
    was published before, `NoneFound` if they found no release, with what would be kept, `Infeasible` if it is shown
    that none exists, `AuditFailed` if the auditor does not confirm the result.
    """
    planned = job(
        data,
        promise,
        policy=policy,
        partition=partition,
        form=form,
        like=like,
        before=before,
        seed=seed,
        progress=progress,
    )
    return planned.run(progress)


def _earlier(before: Iterable[OtherRelease], table: Table) -> Earlier | None:
    """Earlier releases, opened; with what compares releases, which most runs never need."""
    given = [*before]
    if not given:
        return None
    from sfumato.engine.earlier import Earlier

    return Earlier.of(given, table.policy.given)


def bound(
    data: object,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    form: Form | Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> Bound:
    """A lower bound on the loss of every release that keeps the promise, whatever method finds it.

    data       what `publish` takes, or a release: then that of its table under its policy, as `release.bound`
    promise, policy, form   as for `publish`
    progress   called when it begins and when it ends

    It says what it ranges over, and where no bound is known why not. `Bound.compared` says how far a loss is from it.
    """
    from sfumato.engine.bound import bound_under  # with the search for boxes, which a release need not have
    from sfumato.kernels.first import first_run

    if isinstance(data, Release):
        if promise is not None or policy is not None or form is not None:
            raise InputError("a release has its policy; leave promise, policy and form out, or pass the data instead")
        rows = data.source.rows
    else:
        data = prepared(data, policy, promise, None, form, progress)
        rows = data.rows
    progress("bound", 0, rows)
    with first_run(progress):
        made = data.bound if isinstance(data, Release) else bound_under(data)
    progress("bound", rows, rows)
    return made
