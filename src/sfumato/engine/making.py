"""From a planned job to its release: search, publish, audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.advice.worthless import remedies
from sfumato.engine.cautions import singled_out, uneven, unlinked
from sfumato.engine.limits import require_column_limits, require_suppression
from sfumato.engine.release import Release
from sfumato.forms.contract import CountedTable, CountingPublisher, Material, Published, Spans, shows_missing
from sfumato.forms.covers import by_rule
from sfumato.measures.lost import Losses, lost, overall, put_together
from sfumato.partition.contract import Chooser, Partition, Task
from sfumato.partition.lattice.mapping import applied_mapping
from sfumato.partition.sound import sound
from sfumato.policy.document import Policy
from sfumato.progress import Progress
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

if TYPE_CHECKING:
    from sfumato.engine.job import Job

__all__ = ["ShownBlock", "counted_rows", "put_in_one", "release_of", "unaudited", "with_remedies"]


_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Shown:
    """Groups as the form shows them, within all limits; not audited yet. `coded` has the names that are published."""

    grouped: Partition
    coded: Tuples
    published: Published
    losses: Losses

    @classmethod
    def of(cls, job: Job, task: Task, grouped: Partition) -> _Shown:
        return cls.told(job, task, _material(job, task, grouped), job.form.publish)

    @classmethod
    def told(cls, job: Job, task: Task, material: Material, publish: Callable[[Material], Published]) -> _Shown:
        """What a form makes of material."""
        published, coded, grouped = publish(material), material.table, material.partition
        require_column_limits(job.policy, published)
        losses = lost(task.loss, coded, grouped, published, task.keep, exact=shows_missing(job.form))
        return cls(grouped, coded, published, losses)

    def suppressed_terms(self, keep: bool) -> dict[str, int]:
        """Per quasi-sensitive column, how many terms of the rows that are shown do not stay."""
        return {name: lost for name, (lost, _) in self._terms(keep).items()}

    def term_costs(self, keep: bool) -> dict[str, float]:
        """Per quasi-sensitive column, T: the share of its terms' worth that is not shown."""
        if not self.coded.sets:
            return {}
        from sfumato.measures.terms import term_worth  # for tables that have such a column

        grouped, found = self.grouped, {}
        shown = np.where((grouped.groups >= 0) | keep, grouped.counts, 0)
        for column in self.coded.sets:
            begins = column.offsets(self.coded.codes[column.name][grouped.tuples])
            lengths = kept = np.diff(begins)
            if column.name in grouped.terms:
                kept = np.diff(np.concatenate(([0], np.cumsum(grouped.terms[column.name])))[begins])
            whole = term_worth(lengths, grouped.counts)
            found[column.name] = 1 - term_worth(kept, shown) / whole if whole else 0.0
        return found

    def overall(self, keep: bool) -> float:
        """What it lost in one number, terms included."""
        shares = [lost / max(of, 1) for lost, of in self._terms(keep).values()]
        return overall(self.losses, self.grouped.suppressed, sum(shares) / max(len(shares), 1))

    def _terms(self, keep: bool) -> dict[str, tuple[int, int]]:
        """Per quasi-sensitive column of which terms are suppressed, how many, of how many in the rows shown."""
        grouped, found = self.grouped, {}
        shown = np.where((grouped.groups >= 0) | keep, grouped.counts, 0)
        for column in self.coded.sets:
            if column.name in grouped.terms:
                lengths = np.diff(column.offsets(self.coded.codes[column.name][grouped.tuples]))
                rows = np.repeat(shown, lengths)
                found[column.name] = int(rows[~grouped.terms[column.name]].sum()), int(rows.sum())
        return found


def release_of(job: Job, progress: Progress, warn: Callable[[str], None]) -> Release:
    """The audited release of a job. `NoneFound` is what a step says, and not yet judged."""
    release, rows = unaudited(job, progress), job.task.table.rows
    progress("audit", 0, rows)
    verdict = release.judged().raise_for_failure()
    for caution in (*unlinked(verdict), *uneven(verdict), *singled_out(verdict)):
        warn(caution)
    progress("audit", rows, rows)
    return release


def unaudited(job: Job, progress: Progress) -> Release:
    """The release of a job as it is made, before anybody judged it: for who asks what would have been made."""
    task = replace(job.task, progress=progress)
    grouped = _searched(job, task)
    progress("publish", 0, task.table.rows)
    return _released(job, task, _Shown.of(job, task, grouped))


@dataclass(frozen=True, eq=False)
class ShownBlock:
    """What a block of rows shows, as counted rows, and what is to be said of it.

    release      what would be released if there were no other block; it holds no row
    randomness   bound to what is shown
    """

    made: CountedTable
    release: Release
    randomness: Randomness


def counted_rows(job: Job, table: Tuples, progress: Progress) -> ShownBlock:
    """Rows of a job, grouped and shown as counted rows; all of them, or those of a block."""
    if not isinstance(job.form, CountingPublisher):
        raise ValueError("a form whose table is not made part by part")
    task = replace(job.task, table=table, progress=progress)
    material = _material(job, task, _searched(job, task))
    made = job.form.counted(material)
    shown = _Shown.told(job, task, material, lambda _: made.published)
    release = _released(job, task, shown)
    none = Spans(dict.fromkeys(made.published.spans.of, (_NONE, _NONE, _NONE)), _NONE)
    light = replace(release, tuples=shown.coded.without_rows(), published=replace(made.published, spans=none))
    return ShownBlock(made, light, material.bound("in parts", job.policy.form.model_dump_json()))


def put_in_one(job: Job, blocks: Sequence[Release], said: str) -> Release:
    """The release of several blocks; `said` of how these came about."""
    if len(blocks) == 1:
        return blocks[0]
    domains, published = job.task.table, [each.published for each in blocks]
    sizes = np.concatenate([each.sizes for each in published])
    losses = [each.lost for each in blocks if each.lost is not None]
    lost = put_together(losses, job.task.loss, domains.quasi, domains.sensitive, sizes)
    notes = dict.fromkeys(note for each in blocks for note in each.notes)
    return replace(
        blocks[0],
        published=replace(
            published[0],
            sizes=sizes,
            dictionary=_dictionaries([each.dictionary for each in published]),
            blank={name: sum(each.blank[name] for each in published) for name in published[0].blank},
            height=sum(each.rows for each in published),
        ),
        suppressed=sum(each.suppressed for each in blocks),
        loss=lost.value,
        lost=lost,
        notes=(*notes, *([said] if said else [])),
        tuples=domains,
    )


def _dictionaries(parts: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """What every column and value means, of several blocks; values one by one where they are few in all."""
    made: dict[str, dict[str, Any]] = {}
    for name, entry in parts[0].items():
        made[name] = {key: value for key, value in entry.items() if key != "values"}
        if all("values" in part[name] for part in parts):
            values = {text: says for part in parts for text, says in part[name]["values"].items()}
            made[name] |= {} if by_rule(values) else {"values": dict(sorted(values.items()))}
    return made


def _searched(job: Job, task: Task) -> Partition:
    task.progress("partition", 0, task.table.rows)
    return sound(_grouped(job, task), task.table, job.policy.partition.method)


def _material(job: Job, task: Task, grouped: Partition) -> Material:
    """What a form works on, within the limits on rows without a group."""
    require_suppression(job.policy, grouped)
    if job.unseen is not None:
        job.unseen.require(grouped)
    coded = _telling(task.table, grouped, task.keep)
    return Material(job.policy, job.table.digest, coded, grouped, task.keep, task.randomness, job.promised)


def _released(job: Job, task: Task, shown: _Shown) -> Release:
    table, policy, keep, grouped = job.table, job.policy, task.keep, shown.grouped
    coded, published = shown.coded, shown.published
    recoding = grouped.recoding if published.recoded else None
    return Release(
        source=table,
        published=published,
        suppressed=grouped.suppressed,
        loss=shown.losses.value,
        lost=shown.losses,
        levels=recoding.levels if recoding is not None else {},
        mapping=applied_mapping(coded, recoding),
        generalized=frozenset(grouped.edits),
        notes=(*table.notes, *([str(job.several)] if job.several else []), *grouped.notes, *published.notes),
        cautions=job.cautions,
        key_id=job.key_id,
        suppressed_terms=shown.suppressed_terms(keep),
        term_costs=shown.term_costs(keep),
        left_out=None if job.unseen is None else job.unseen.held(policy.secret, coded, grouped, keep),
        tuples=coded,
    )


def _grouped(job: Job, task: Task) -> Partition:
    """What the algorithm finds; one that chooses is told what each release would lose."""
    if isinstance(job.algorithm, Chooser):
        return job.algorithm.chosen(task, lambda found: _Shown.of(job, task, found).overall(task.keep))
    return job.algorithm.partition(task)


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
