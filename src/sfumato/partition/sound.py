"""Whether what an algorithm returned is a partition of the table at all; somebody else may have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import SfumatoError
from sfumato.partition.contract import Partition, Recoding
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["arranged", "sound"]


def sound(grouped: Partition, table: Tuples, method: str) -> Partition:
    """The same partition, its parts in an order of their own; an error that names the algorithm if it is none."""
    faults = list(_faults(grouped, table))
    if faults:
        raise SfumatoError(
            f"the algorithm {method!r} is broken: {'; '.join(faults)}. Nothing was published; tell its authors"
        )
    return arranged(grouped, table)


def arranged(grouped: Partition, table: Tuples) -> Partition:
    """Parts of a tuple that share everything as one, in the order of their tuples, groups and nodes.

    Rows of a tuple are interchangeable, so that which of them is in which part says nothing.
    """
    edits = {name: nodes.astype(np.int64, copy=False) for name, nodes in grouped.edits.items()}
    kept = {name: _sets_that_stay(table, name, grouped) for name in grouped.terms}
    keys = [*kept.values(), *edits.values(), grouped.groups, grouped.tuples]
    order = np.lexsort(keys) if len(grouped.tuples) else np.zeros(0, dtype=np.int64)
    fresh = np.zeros(len(order), dtype=np.bool_)
    fresh[:1] = True
    for key in keys:
        fresh[1:] |= key[order][1:] != key[order][:-1]
    first = np.flatnonzero(fresh)
    chosen = order[first]
    return Partition(
        grouped.tuples[chosen].astype(np.int64, copy=False),
        grouped.groups[chosen].astype(np.int64, copy=False),
        np.add.reduceat(grouped.counts[order], first) if len(first) else grouped.counts,
        grouped.recoding,
        {name: nodes[chosen] for name, nodes in edits.items()},
        grouped.notes,
        {name: _terms_of(table, name, grouped, chosen) for name in kept},
    )


def _begins(table: Tuples, name: str, grouped: Partition) -> NDArray[np.int64]:
    domain = next(domain for domain in table.sets if domain.name == name)
    return domain.offsets(table.codes[name][grouped.tuples])


def _sets_that_stay(table: Tuples, name: str, grouped: Partition) -> NDArray[np.int64]:
    """A number per part, the same for those of which the same terms stay."""
    begins, stays = _begins(table, name, grouped), grouped.terms[name]
    flags = [stays[begin:end].tobytes() for begin, end in pairwise(begins.tolist())]
    number = {each: place for place, each in enumerate(sorted(set(flags)))}
    return np.array([number[each] for each in flags], dtype=np.int64)


def _terms_of(table: Tuples, name: str, grouped: Partition, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which terms stay of some of the parts, one after the other."""
    begins, stays = _begins(table, name, grouped), grouped.terms[name]
    parts = [stays[begins[part] : begins[part + 1]] for part in chosen.tolist()]
    return np.concatenate([np.zeros(0, np.bool_), *parts])


def _faults(grouped: object, table: Tuples) -> Iterator[str]:
    if not isinstance(grouped, Partition):
        yield f"it returned {type(grouped).__name__}, not a Partition"
        return
    length = len(grouped.groups) if isinstance(grouped.groups, np.ndarray) else 0
    for what in ("tuples", "groups", "counts"):
        if not _whole_numbers(getattr(grouped, what), length):
            yield f"{what} must be an array of whole numbers, one for every part"
            return
    tuples, labels, counts = grouped.tuples, grouped.groups, grouped.counts
    rows = np.zeros(len(table), dtype=np.int64)
    known = (tuples >= 0) & (tuples < len(table))
    np.add.at(rows, tuples[known], counts[known])
    if not known.all() or (counts < 1).any() or (np.diff(tuples) < 0).any() or (rows != table.counts).any():
        yield "parts must be of tuples in ascending order, and make up all rows of each"
        return
    groups = int(labels.max(initial=-1)) + 1
    if int(labels.min(initial=0)) < -1:
        yield "groups must be -1 for suppressed rows, or from 0 on"
    elif groups > table.rows or not np.bincount(labels[labels >= 0], minlength=groups).all():
        yield "groups must be numbered without gaps"
    quasi = {column.name: column for column in table.quasi}
    if grouped.recoding is not None:
        yield from _recoding(grouped.recoding, quasi, groups)
    secret = {column.name: column for column in table.sensitive if column.taxonomy is not None}
    yield from _nodes("edits", grouped.edits, secret, length, "part", "a sensitive column with a hierarchy")


def _recoding(recoding: Recoding, quasi: Mapping[str, Domain], groups: int) -> Iterator[str]:
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
    columns: Mapping[str, Domain],
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
