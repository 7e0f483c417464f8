"""Whether a release stands in the order of the original table, for who has both.

Every row shows some columns as they are. Its score is the mean place of the original rows that hold the same in all of
these; if rows were shuffled, scores have nothing to do with places. Group ids are held against the mean scores of their
rows in the same way. Both are linear permutation statistics, whose chance is bounded (`release.chance`).

Where the n rows stand in the order of the original, of whose N rows some were left out, chance has it so with a
probability of at most C(N, n) · Π n_v! / n!: so many ways there are to leave rows out, each of which gives one order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.release.chance import LIMIT, correlation, follows, readable_chance, sorted_chance
from sfumato.release.leaks import Leak, RankedColumn
from sfumato.release.received import Received
from sfumato.table.dictionaries import codes_of, dictionary_of, values_of
from sfumato.table.packing import Packed
from sfumato.table.table import Table

__all__ = ["order_leaks"]

Ints = NDArray[np.int64]

_TESTS = 2
_SAME = ("sensitive", "insensitive", "quasi")


def order_leaks(received: Received, original: Table) -> tuple[Leak, ...]:
    """What the order of rows, and the numbers of groups, tell of the order of the original."""
    tables = received.evidence.tables.values()
    bar = LIMIT - float(np.log(_TESTS * max(len(tables), 1)))
    return tuple(leak for table in tables for leak in _of_table(table, received.evidence.group_id, original, bar))


def _of_table(table: pl.DataFrame, group_id: str | None, original: Table, bar: float) -> Iterator[Leak]:
    matched = _matched(table, original)
    if matched is None or len(matched[0]) < 2:
        return
    rows, scores, kept = matched
    log = min(follows(correlation(scores), len(scores)), kept)
    if log <= bar:
        says = "rows stand in the order of the original, or nearly so (rank correlation"
        says += f" {correlation(scores):.2f}), by chance in at most {readable_chance(log)} of releases; shuffle them"
        yield Leak(kind="original order", column=None, certain=False, chance=float(np.exp(log)), says=says)
    if group_id is None or group_id not in table.columns:
        return
    ids = RankedColumn.of(table[group_id]).rows[rows]
    sizes = np.bincount(ids)
    means = np.bincount(ids, weights=scores) / np.maximum(sizes, 1)
    numbered = means[sizes > 0]
    log = follows(correlation(numbered), len(numbered))
    if log <= bar:
        says = f"column {group_id!r}: group ids go with the order of the original, by chance in at most"
        says += f" {readable_chance(log)} of releases; number groups anew, at random"
        yield Leak(kind="group ids", column=group_id, certain=False, chance=float(np.exp(log)), says=says)


def _matched(table: pl.DataFrame, original: Table) -> tuple[Ints, NDArray[np.float64], float] | None:
    """Published rows whose cells the original holds, the mean place of those that hold them, and the chance that rows
    stand in its order, if they do."""
    both = [_codes(table[name], original, name) for name in table.columns if _shown(table, original, name)]
    if not both:
        return None
    shown, held = [one for one, _, _ in both], [other for _, other, _ in both]
    sizes = [size for _, _, size in both]
    rows = np.concatenate([np.stack(shown, axis=1), np.stack(held, axis=1)])
    packed = Packed.of_rows([(rows[:, place], size) for place, size in enumerate(sizes)])
    numbers = np.arange(len(rows)) if packed.numbers is None else packed.numbers.astype(np.int64)
    mine, theirs = numbers[: table.height], numbers[table.height :]
    counts = np.bincount(theirs, minlength=len(packed.counts))
    places = np.bincount(theirs, weights=np.arange(len(theirs)), minlength=len(packed.counts))
    found = np.flatnonzero(counts[mine] > 0)
    means = places / np.maximum(counts, 1)
    return found, means[mine[found]], _kept_chance(mine, theirs)


def _kept_chance(mine: Ints, theirs: Ints) -> float:
    """Of rows that are those of the original in their order, some left out; 0, a certainty, if they are not."""
    if len(mine) > len(theirs):
        return 0.0
    left = iter(theirs.tolist())
    if not all(any(one == other for other in left) for one in mine.tolist()):
        return 0.0
    n, rows = len(mine), len(theirs)
    ways = math.lgamma(rows + 1) - math.lgamma(n + 1) - math.lgamma(rows - n + 1)
    return min(ways + sorted_chance(np.bincount(mine)), 0.0)


def _shown(table: pl.DataFrame, original: Table, name: str) -> bool:
    """Whether a column is shown as it is: all of its texts are those of the original."""
    spec = original.policy.columns.get(name)
    if spec is None or spec.role not in _SAME:
        return False
    return set(values_of(table[name]).to_list()) <= {*_texts(original, name).to_list()}


def _texts(original: Table, name: str) -> pl.Series:
    """The different values of a column as a release would show them."""
    found = original.published_as(name)
    return values_of(dictionary_of(found.values.alias(name)))


def _codes(column: pl.Series, original: Table, name: str) -> tuple[Ints, Ints, int]:
    """Codes of the published rows and of the original ones, the same for the same text; and how many there are."""
    found = original.published_as(name)
    written = dictionary_of(found.values.alias(name))
    texts = dict.fromkeys([*values_of(written).to_list(), *values_of(column).to_list()])
    place = {text: at for at, text in enumerate(texts)}
    theirs = np.array([*(place[text] for text in written.cast(pl.String).to_list()), len(place)], dtype=np.int64)
    mine = np.array([*(place[text] for text in values_of(column).to_list()), len(place)], dtype=np.int64)
    return mine[codes_of(column)], theirs[found.codes], len(place) + 1
