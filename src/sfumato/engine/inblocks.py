"""A release that is made while it is written, block by block: all rows at once if their different ones can be held."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import polars as pl

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from sfumato.engine.blocks import blocks_of, planned_in_blocks, require_alike, told_of_block
from sfumato.engine.job import Job, planned
from sfumato.engine.limits import require_harmless, require_harmless_shown
from sfumato.engine.making import ShownBlock, counted_rows, put_in_one
from sfumato.engine.release import Drafted, Release
from sfumato.errors import NoneFound, Refused, SfumatoWarning, TableError
from sfumato.kernels.first import first_run
from sfumato.progress import Progress
from sfumato.release.documents import Manifest, ReleaseDocument
from sfumato.release.like import Like
from sfumato.release.target import Files, Place
from sfumato.stores.budget import Budget
from sfumato.stores.parts import Emission
from sfumato.stores.registry import STORES
from sfumato.table.formats import kind_for
from sfumato.table.labels import NO_LABELS, LabelsOf
from sfumato.table.spreadsheet import harmless
from sfumato.table.streamed import StreamedTable
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout

__all__ = ["InBlocks"]


class InBlocks:
    """The draft of a release. `release` is there once its tables are written."""

    release: Release

    def __init__(
        self, given: Table | StreamedTable, budget: Budget, like: Like | None, seed: int | None, progress: Progress
    ) -> None:
        self._given: Table | StreamedTable | None = given
        self._budget, self._like, self._seed, self._progress = budget, like, seed, progress
        table = given.table if isinstance(given, StreamedTable) else given
        if table.rows == 0:
            raise TableError(f"{table.origin.name}: the table has no rows")
        if like is not None:
            like.require(table)
        self.kind, self.inputs, self._policy = kind_for(table.origin), table.inputs, table.policy

    @property
    def names(self) -> tuple[str, ...]:
        return ("table",)

    @property
    def labels(self) -> LabelsOf:
        return NO_LABELS

    def tables(self, lists: bool) -> Mapping[str, pl.DataFrame]:
        raise Refused("a table in parts goes into a folder, and nowhere else")

    def written(self, place: Place) -> Files:
        """Search and write; what was read is let go on the way."""
        place.private.mkdir(mode=0o700)
        given, self._given = self._given, None
        with first_run(self._progress), ExitStack() as stack:
            if isinstance(given, StreamedTable):
                job, count, blocks, said = self._streamed(given, place.private, stack)
            elif given is not None:
                job, count, blocks, said = *self._held(given), ""
            else:
                raise ValueError("a draft is written once")
            del given
            emission, first, shown = None, None, []
            for number, tuples in enumerate(blocks):
                found = self._block(job, tuples, count)
                shown.append(found.release)
                if emission is None or first is None:
                    rows = max(-(-job.table.rows // self._budget.rows_in_part), 1)
                    sizes = [column.size for column in found.made.columns]
                    spool = Emission.to(place.private / "rows", sizes, rows, found.randomness)
                    emission, first = stack.enter_context(spool), found.made.without_rows()
                emission.add(found.made, found.randomness, number)
                del found, tuples
            if emission is None or first is None:
                raise ValueError("a table with rows has a block")
            self.release = put_in_one(job, shown, said)
            del job, shown, blocks
            total = self.release.published.rows
            frames = self._shown(emission.frames(first.columns, first.drawn), total)
            return {name: place.in_parts(name, frames) for name in self.names}

    def _held(self, table: Table) -> tuple[Job, int, Iterator[Tuples]]:
        """All rows as one block."""
        found: list[str] = []
        job = planned(table, self._seed, self._progress, found.append)
        for caution in found:
            warnings.warn(caution, SfumatoWarning, stacklevel=2)
        if job.several is not None:
            raise Refused(f"{job.several}: whose rows are is told by their places, which a table in parts has none of")
        whole = job.task.table
        return _without_rows(job), 1, iter([whole])

    def _streamed(
        self, given: StreamedTable, private: Path, stack: ExitStack
    ) -> tuple[Job, int, Iterator[Tuples], str]:
        """Rows as words in the store that their source names, and blocks of them."""
        planned_in_blocks(given.table, given.tuples, self._seed)  # what is refused is refused before rows are read
        layout = WordLayout.of_table(given.tuples)
        kept = stack.enter_context(STORES[given.source.store](given, layout, private, self._progress))
        job = planned_in_blocks(replace(given.table, digest=kept.digest), given.tuples, self._seed)
        require_harmless(job.policy, given.tuples, job.table.rows)
        for caution in job.cautions:
            warnings.warn(caution, SfumatoWarning, stacklevel=2)
        return job, *blocks_of(job, kept.store, self._budget.rows_in_block, self._progress)

    def _block(self, job: Job, tuples: Tuples, blocks: int) -> ShownBlock:
        try:
            found = counted_rows(job, tuples, self._progress)
        except NoneFound as error:
            if blocks == 1:
                raise
            raise told_of_block(error, tuples.rows, blocks) from None
        if blocks > 1:
            require_alike(found.release)
        return found

    def _shown(self, frames: Iterator[pl.DataFrame], total: int) -> Iterator[pl.DataFrame]:
        done = 0
        self._progress("publish", 0, total)
        for frame in frames:
            yield harmless(frame) if self._policy.output.spreadsheet == "safe" else frame
            done += frame.height
            self._progress("publish", done, total)

    def document(self, kind: str, files: Files) -> ReleaseDocument:
        return Drafted(self.release).document(kind, files)

    def manifest(self, document: ReleaseDocument) -> Manifest:
        return Drafted(self.release).manifest(document)

    def audited(self, written: object, manifest: Path) -> Audit:
        rows = self.release.published.rows
        self._progress("audit", 0, rows)
        verdict = audit(written, self._policy, manifest).raise_for_failure()
        require_harmless_shown(self._policy, verdict.insensitive)
        self._progress("audit", rows, rows)
        return verdict


def _without_rows(job: Job) -> Job:
    """What is needed of a job whose rows are handed over block by block."""
    return replace(job, table=job.table.apart(), task=replace(job.task, table=job.task.table.without_rows()))
