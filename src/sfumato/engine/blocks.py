"""A job whose rows are not held: planned from what columns are, and run block by block.

Blocks are the top cuts of Mondrian (`partition/mondrian/topdown.py`), found by counting. Strict Mondrian goes on
within each just as it would have with all rows. Every other method groups the rows of each block by itself, and the
release says so; one that needs all rows at once is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sfumato.engine.cautions import cautions
from sfumato.engine.job import Job
from sfumato.engine.limits import require_plain_secrets
from sfumato.engine.plan import plan
from sfumato.engine.release import Release
from sfumato.engine.task import task_of
from sfumato.errors import NoneFound, Refused
from sfumato.fit import fit_in_blocks, refused
from sfumato.forms.contract import CountingPublisher
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Model
from sfumato.models.registry import binding
from sfumato.partition.contract import Task
from sfumato.partition.mondrian.topdown import TopCuts, fit_top
from sfumato.partition.registry import grouping
from sfumato.progress import Progress
from sfumato.randomness import Key, Randomness
from sfumato.stores.contract import RowStore
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["blocks_of", "planned_in_blocks", "require_alike", "told_of_block"]


def planned_in_blocks(table: Table, tuples: Tuples, seed: int | None) -> Job:
    """The job of a table that is not held; `tuples` says what its columns are, and has no rows."""
    policy = table.policy
    require_plain_secrets(tuples)
    key = Key.load() if seed is None else None
    randomness = Randomness.fixed(seed or 0) if key is None else Randomness.keyed(key, table.digest, policy.digest)
    bind = binding(replace(Facts.of(tuples), rows=table.rows))
    model = bind(policy.partition.searched(policy.promise))
    algorithm, form = grouping(policy.partition, bind), publisher(policy.form)
    fits = plan(model, algorithm, form)
    fits.require_possible()
    _require_blocks(algorithm, model, policy.partition.method)
    shown = form.fit_blocks(tuples.quasi) if isinstance(form, CountingPublisher) else refused("it needs all rows")
    if shown.status == "refused":
        raise Refused(f"the table is larger than the memory limit: {shown.why}, or give more memory")
    task = task_of(policy, tuples, model, form, randomness)
    told = tuple(cautions(policy, tuples))
    key_id = key.id if key is not None else "fixed seed"
    return Job(table, bind(policy.promise), algorithm, form, fits, task, told, key_id, seed, None, None)


def _require_blocks(algorithm: object, model: Model, method: str) -> None:
    more = "give more memory, or take mondrian"
    fit = fit_in_blocks(algorithm)
    if fit.status == "refused":
        raise Refused(f"the table is larger than the memory limit, and of {method} {fit.why}; {more}")
    cut = fit_top(model)
    if cut.status == "refused":
        raise Refused(f"the table is larger than the memory limit: {cut.why}; give more memory, or promise less")
    if any(part.knowing for part in model.conjuncts):
        raise Refused("the table is larger than the memory limit, and promises about sets of columns need all rows")


def blocks_of(job: Job, store: RowStore, most: int, progress: Progress) -> tuple[int, Iterator[Tuples], str]:
    """The table in blocks of about so many rows: how many, each counted, and what is to be said of it.

    A block that cannot be cut may have more.
    """
    task, exact = _cutting(job)
    top = TopCuts.start(task, store.rows, store.layout, most)
    progress("cut", 0, store.rows)
    while top.open:
        top = top.told(store.tally(top.asks()))
        progress("cut", sum(node.rows for node in top.nodes), store.rows)
    sizes = [node.rows for node in top.nodes]
    said = "" if exact else f"grouped within {counted(len(sizes), 'block')}: the table is larger than the memory limit"
    return len(sizes), store.blocks(top.leaves, sizes, job.task.table, progress), said


def _cutting(job: Job) -> tuple[Task, bool]:
    """What cuts have to keep, and whether the groups are those of all rows at once.

    An algorithm that makes groups of so many different values must be able to in every block.
    """
    task = job.task
    if fit_in_blocks(job.algorithm).status == "native":
        return task, True
    apart = task.model.cuttable()
    if apart is None:
        return task, False
    bind = binding(replace(Facts.of(task.table), rows=job.table.rows))
    return replace(task, model=bind(task.model.promise & apart)), False


def require_alike(block: Release) -> None:
    """Refuse a block that shows what would be called otherwise in another one."""
    beyond = "which takes all rows at once where blocks show different ones; give more memory, or"
    for name in sorted(block.generalized):
        raise Refused(f"column {name!r}: its sensitive values are generalized, {beyond} promise less")
    for column in block.tuples.quasi if block.suppressed else ():
        if column.taxonomy is not None and column.taxonomy.naming is not None:
            raise Refused(
                f"column {column.name!r}: its nodes are called by what is published, {beyond} suppress no row"
            )


def told_of_block(error: NoneFound, rows: int, blocks: int) -> NoneFound:
    """What it means that nothing was found in a block."""
    return NoneFound(
        f"in one of {counted(blocks, 'block')}, of {counted(rows, 'row')}: {error}; give more memory, take mondrian, or"
        " promise less"
    )
