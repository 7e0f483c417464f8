"""Whether what an algorithm returned is a partition of the table at all; somebody else may have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import SfumatoError
from sfumato.partition.contract import Partition, Recoding
from sfumato.table.coded import CodedColumn, CodedTable

__all__ = ["sound"]


def sound(grouped: Partition, table: CodedTable, method: str) -> Partition:
    """The same partition, labels and nodes as whole numbers of one size; an error that names the algorithm if not."""
    faults = list(_faults(grouped, table))
    if faults:
        raise SfumatoError(
            f"the algorithm {method!r} is broken: {'; '.join(faults)}. Nothing was published; tell its authors"
        )
    return replace(
        grouped,
        labels=grouped.labels.astype(np.int64, copy=False),
        edits={name: nodes.astype(np.int64, copy=False) for name, nodes in grouped.edits.items()},
    )


def _faults(grouped: object, table: CodedTable) -> Iterator[str]:
    if not isinstance(grouped, Partition):
        yield f"it returned {type(grouped).__name__}, not a Partition"
        return
    labels = grouped.labels
    if not _whole_numbers(labels, table.rows):
        yield f"labels must be an array of {table.rows} whole numbers, one for every row"
        return
    groups = int(labels.max(initial=-1)) + 1
    if int(labels.min(initial=0)) < -1:
        yield "labels must be -1 for a suppressed row, or from 0 on"
    elif groups > table.rows or not np.bincount(labels[labels >= 0], minlength=groups).all():
        yield "labels must be numbered without gaps"
    quasi = {column.name: column for column in table.quasi}
    if grouped.recoding is not None:
        yield from _recoding(grouped.recoding, quasi, groups)
    secret = {column.name: column for column in table.sensitive if column.taxonomy is not None}
    yield from _nodes("edits", grouped.edits, secret, table.rows, "row", "a sensitive column with a hierarchy")


def _recoding(recoding: Recoding, quasi: Mapping[str, CodedColumn], groups: int) -> Iterator[str]:
    yield from _nodes("recoding", recoding.shown, quasi, groups, "group", "a quasi-identifier")
    plain = {name: column for name, column in quasi.items() if column.taxonomy is None}
    for place, bound in enumerate(("first", "last")):
        codes = {name: span[place] for name, span in recoding.spans.items()}
        yield from _nodes(f"recoding, {bound} codes", codes, plain, groups, "group", "a quasi-identifier without tree")
    told = [*recoding.shown, *recoding.spans]
    if set(told) != set(quasi) or len(told) != len(quasi):
        yield "recoding must speak of every quasi-identifier once"
    for name, (level, height) in recoding.levels.items():
        if name not in quasi or not 0 <= level <= height:
            yield f"recoding gives a level of {name!r} that it does not have"


def _nodes(
    what: str,
    given: Mapping[str, NDArray[np.int64]],
    columns: Mapping[str, CodedColumn],
    length: int,
    unit: str,
    wanted: str,
) -> Iterator[str]:
    for name, nodes in given.items():
        column = columns.get(name)
        if column is None:
            yield f"{what} names the column {name!r}, which is not {wanted}"
        elif not _whole_numbers(nodes, length):
            yield f"{what} of column {name!r} must be an array of {length} whole numbers, one for every {unit}"
        elif len(nodes):
            tree = column.taxonomy
            least, most = (0, len(tree.labels)) if tree is not None else (-1, column.size)
            if int(nodes.min()) < least or int(nodes.max()) >= most:
                yield f"{what} of column {name!r} has nodes that are not between {least} and {most - 1}"


def _whole_numbers(given: object, length: int) -> bool:
    return isinstance(given, np.ndarray) and given.shape == (length,) and np.issubdtype(given.dtype, np.integer)
