"""From a planned job to its release: search, publish, audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.advice.worthless import remedies
from sfumato.engine.cautions import unlinked
from sfumato.engine.limits import require_column_limits, require_suppression
from sfumato.engine.release import Release
from sfumato.forms.contract import Material, shows_missing
from sfumato.measures.lost import Losses, lost
from sfumato.partition.contract import Partition, Progress
from sfumato.partition.lattice.mapping import applied_mapping
from sfumato.partition.sound import sound
from sfumato.policy.document import Policy
from sfumato.table.tuples import Tuples

if TYPE_CHECKING:
    from sfumato.engine.job import Job

__all__ = ["release_of", "with_remedies"]


def release_of(job: Job, progress: Progress, warn: Callable[[str], None]) -> Release:
    """The audited release of a job. `NoneFound` is what a step says, and not yet judged."""
    table, policy, task = job.table, job.policy, replace(job.task, progress=progress)
    coded, keep = task.table, task.keep
    progress("partition", 0, coded.rows)
    grouped = sound(job.algorithm.partition(task), coded, policy.partition.method)
    require_suppression(policy, grouped)
    if job.unseen is not None:
        job.unseen.require(grouped)
    progress("publish", 0, coded.rows)
    coded = _telling(coded, grouped, keep)
    published = job.form.publish(Material(policy, table.digest, coded, grouped, keep, task.randomness, job.promised))
    require_column_limits(policy, published)
    progress("audit", 0, coded.rows)
    recoding = grouped.recoding if published.recoded else None
    losses = lost(task.loss, coded, grouped, published, keep, exact=shows_missing(job.form))
    release = Release(
        source=table,
        published=published,
        suppressed=grouped.suppressed,
        loss=losses.value,
        lost=losses,
        levels=recoding.levels if recoding is not None else {},
        mapping=applied_mapping(coded, recoding),
        generalized=frozenset(grouped.edits),
        notes=(*table.notes, *([str(job.several)] if job.several else []), *grouped.notes, *published.notes),
        cautions=job.cautions,
        key_id=job.key_id,
        suppressed_terms=_suppressed_terms(coded, grouped, keep),
        left_out=None if job.unseen is None else job.unseen.held(policy.secret, coded, grouped, keep),
        tuples=coded,
    )
    for caution in unlinked(release.judged().raise_for_failure()):
        warn(caution)
    progress("audit", coded.rows, coded.rows)
    return release


def with_remedies(release: Release, run: Callable[[Policy], Release]) -> Release:
    """A release that says next to nothing, with what would help; others as they are."""
    if release.lost is None or not release.worthless:
        return release

    def loses(policy: Policy) -> Losses:
        found = run(policy).lost
        if found is None:
            raise ValueError("a release that was made says what it lost")
        return found

    policy, suppressed = release.source.policy, release.suppressed
    return replace(
        release,
        remedies=remedies(release.lost, release.tuples, policy, suppressed, bool(release.levels), loses),
    )


def _telling(coded: Tuples, grouped: Partition, keep: bool) -> Tuples:
    """With names that are made from what is published, so that no label tells of a row that is not."""
    told = np.zeros(len(coded), dtype=np.bool_)
    told[grouped.tuples[grouped.groups >= 0]] = True
    return coded if told.all() else coded.telling(told, np.ones_like(told) if keep else told)


def _suppressed_terms(coded: Tuples, grouped: Partition, keep: bool) -> dict[str, int]:
    """Per quasi-sensitive column, how many terms of the rows that are shown do not stay."""
    shown = np.where((grouped.groups >= 0) | keep, grouped.counts, 0)
    lost = {}
    for column in coded.sets:
        if column.name in grouped.terms:
            lengths = np.diff(column.offsets(coded.codes[column.name][grouped.tuples]))
            lost[column.name] = int(np.repeat(shown, lengths)[~grouped.terms[column.name]].sum())
    return lost
