"""Coded tables made by hand, and the tasks on them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.registry import partitioner
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from tests.support.handmade import Column, column_with, rows_of

__all__ = ["METHODS", "column", "grouped", "random_table", "table_of", "task_of"]

METHODS: tuple[Method, ...] = (
    sf.Anatomy(),
    sf.Hilbert(),
    sf.Bsgi(),
    sf.Bsgi(information="heights"),
    sf.Bsgi(information="loss", incorporate="total"),
    sf.BsgiFree(),
    sf.BsgiFree(information="heights"),
    sf.BsgiFree(information="loss", incorporate="total"),
)


def column(name: str, codes: Sequence[int], size: int | None = None, tree: sf.Taxonomy | None = None) -> Column:
    """A column of numbers, or of a tree's leaves."""
    count = tree.size if tree is not None else size or max(codes, default=0) + 1
    positions = np.arange(count, dtype=np.float64) if tree is None else None
    return column_with(name, codes, [str(code) for code in range(count)], tree, positions)


def table_of(
    quasi: Sequence[Sequence[int]], secrets: Sequence[Sequence[int]], person: Sequence[int] | None = None
) -> Tuples:
    """A table by columns."""
    return rows_of(
        tuple(column(f"q{place}", codes) for place, codes in enumerate(quasi)),
        tuple(column(f"s{place}", codes) for place, codes in enumerate(secrets)),
        person=person,
    )


def task_of(table: Tuples, promise: Promise, seed: int = 0, limit: Fraction = Fraction(0)) -> Task:
    return Task(table, bind(promise, Facts.of(table)), NCP(), Randomness.fixed(seed), limit=limit)


def grouped(method: Method, task: Task) -> NDArray[np.int64]:
    return partitioner(method).partition(task).labels


def random_table(rng: np.random.Generator, rows: int, values: int, size: int) -> Tuples:
    """No value in more than 1/size of the rows; a tree, a narrow and a wide column of numbers."""
    most = rows // size
    pool = np.repeat(np.arange(values), most)
    secrets = rng.permutation(pool)[:rows] if len(pool) >= rows else np.arange(rows) % values
    tree = sf.Taxonomy.of_levels(list("abcdef"), [(np.array([0, 2, 5]), ("ab", "cde", "f"))])
    return rows_of(
        (
            column("tree", rng.integers(0, 6, rows).tolist(), tree=tree),
            column("narrow", rng.integers(0, 9, rows).tolist(), 9),
            column("wide", rng.integers(0, 400, rows).tolist(), 400),
        ),
        (column("s", secrets.tolist(), values),),
    )
