"""Leaks that are not about groups: what the order of rows, ids, an index, lone gaps or cells that run tell.

Whoever has a table can sort it, so that its order may only tell what it does not show: how the original was sorted. A
release whose rows were shuffled tells nothing. What is *certain* keeps an audit from holding; what chance could do too
is told with a bound on that chance, and only below one in a million over all that is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.document import Policy
from sfumato.policy.sections import Part
from sfumato.release.chance import (
    LIMIT,
    correlation,
    follows,
    is_sorted,
    log_factorials,
    readable_chance,
    sorted_chance,
    together_chance,
)
from sfumato.release.codes import Codes
from sfumato.release.formulas import would_run
from sfumato.release.received import Received
from sfumato.table.dictionaries import codes_of, values_of
from sfumato.table.packing import Packed
from sfumato.table.tally import CodedRows

__all__ = ["Leak", "RankedColumn", "leaks_of", "natural"]

Ints = NDArray[np.int64]

_INDEX = re.compile(r"Unnamed: ?[0-9]*(_level_[0-9]+)?|__index_level_[0-9]+__|_duplicated_[0-9]+|index|level_[0-9]+")
"""What other tools call the column of an index, or one without a name."""
_NUMBER = re.compile(r"[^0-9]*?(-?[0-9]+(?:\.[0-9]+)?)")
_LIKELY = "^([\\s\u00a0\u2007\u202f\u3000\ufeff]*[-=+@\uff1d\uff0b\uff0d\uff20]|[\\t\\n\\r])"
"""How a text begins that a spreadsheet may run."""
_MANY = 1 << 16
"""Different texts of a column, beyond which they are taken in the order of their letters alone."""
_LOOKED = 1 << 17
"""Rows whose order is looked at: more would not tell more."""
_FEW = 10
"""Rows that count themselves by accident, at most."""
_TESTS = 3
"""Of every column of a table."""


class Leak(Part):
    """Something that a release tells beside its cells.

    certain   it is there, whatever chance does: the audit does not hold
    chance    where it is not certain: no less than the probability of it, had rows been shuffled; null: not by chance
    """

    kind: str
    column: str | None
    certain: bool
    chance: float | None = None
    says: str


@dataclass(frozen=True, eq=False)
class RankedColumn:
    """A column by the natural order of its texts: the rank of every row's value, and the rows of each."""

    rows: Ints
    counts: Ints

    @classmethod
    def of(cls, column: pl.Series) -> RankedColumn:
        texts = values_of(column)
        rank = natural(texts.to_list()) if len(texts) <= _MANY else np.arange(len(texts))
        rows = np.append(rank, len(rank))[codes_of(column)]  # a missing value comes last
        return cls(rows, np.bincount(rows, minlength=len(rank) + 1))

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The mean rank of every value's rows among all rows."""
        before = np.concatenate(([0], np.cumsum(self.counts)[:-1]))
        scores: NDArray[np.float64] = before + (self.counts - 1) / 2
        return scores

    @cached_property
    def correlation(self) -> float:
        """With the places of rows."""
        places = np.bincount(self.rows, weights=np.arange(len(self.rows)), minlength=len(self.counts))
        return correlation(self.scores, self.counts, places)


Ranks = Mapping[str, RankedColumn]
"""The columns of a table, by name."""


def natural(texts: Sequence[str]) -> Ints:
    """The place of every text by the first number in it, if all have one, and then by letters.

    >>> natural(["[10, 20)", "[5, 10)", "[100, 120)"]).tolist()
    [1, 0, 2]
    """
    told = [text for text in texts if text not in ("*", "")]
    found = {text: _NUMBER.match(text) for text in told}
    numbers = {text: float(match[1]) for text, match in found.items() if match is not None}
    plain = len(numbers) < len(told)
    order = sorted(range(len(texts)), key=lambda at: (0.0 if plain else numbers.get(texts[at], np.inf), texts[at]))
    place = np.empty(len(texts), dtype=np.int64)
    place[order] = np.arange(len(texts))
    return place


def leaks_of(received: Received) -> tuple[Leak, ...]:
    """Every leak that is found in the tables as they are."""
    evidence, policy = received.evidence, received.policy
    tests = _TESTS * sum(table.width for table in evidence.tables.values())
    bar = LIMIT - float(np.log(max(tests, 1)))
    own = {} if evidence.document is None else evidence.document.shown.own
    found: list[Leak] = []
    for table in evidence.tables.values():
        some = table.head(_LOOKED)  # of rows in random order, the first ones are
        ranked = {name: RankedColumn.of(some[name]) for name in some.columns if name not in own}
        found += _index(table.drop(own, strict=False), policy, evidence.group_id)
        found += _rows(ranked, evidence.group_id, bar)
        found += _group_ids(table, ranked, evidence.group_id, bar)
        found += _within(ranked, _groups(some, policy, evidence.group_id), policy, bar)
        found += _lone(table, policy)
        if policy.output.spreadsheet != "safe":
            found += _formulas(table, evidence.lists)
    return tuple(found)


def _index(table: pl.DataFrame, policy: Policy, group_id: str | None) -> Iterator[Leak]:
    for name in table.columns:
        if name in policy.columns and policy.columns[name].role in ("quasi", "sensitive", "quasi-sensitive"):
            continue
        start = _counts_rows(table[name]) if name != group_id else None
        if name not in policy.columns and _INDEX.fullmatch(name) is not None and name != group_id:
            yield Leak(kind="index", column=name, certain=True, says=f"column {name!r}: an index that was left in")
        elif start == "in order":
            says = f"column {name!r}: counts the rows, as an index does"
            yield Leak(kind="index", column=name, certain=True, says=says)
        elif start == "in another":
            yield Leak(
                kind="index",
                column=name,
                certain=False,
                says=f"column {name!r}: counts the rows in another order, which may be that of the original",
            )


def _counts_rows(column: pl.Series) -> str | None:
    """Whether a column is 0, 1, 2, ... or 1, 2, 3, ... to the last row, in their order or in another."""
    texts = values_of(column)
    if len(texts) < len(column) or len(column) < _FEW or not texts.str.contains("^(0|[1-9][0-9]{0,17})$").all():
        return None
    numbers = texts.cast(pl.Int64).sort().to_numpy()
    if numbers[0] not in (0, 1) or numbers[-1] - numbers[0] != len(numbers) - 1:
        return None
    return "in order" if bool((np.diff(RankedColumn.of(column).rows) == 1).all()) else "in another"


def _rows(ranked: Ranks, group_id: str | None, bar: float) -> Iterator[Leak]:
    """Rows in the order of a column. Of several that say the same, each is told."""
    for name, column in ranked.items():
        if len(column.rows) < 2 or (column.counts > 0).sum() < 2:
            continue
        in_runs = int((column.rows[1:] != column.rows[:-1]).sum()) + 1 == int((column.counts > 0).sum())
        chances = {"together": together_chance(column.counts) if in_runs else 0.0}
        chances["in order"] = sorted_chance(column.counts) if is_sorted(column.rows) else 0.0
        chances["nearly in order"] = follows(column.correlation, len(column.rows))
        how, log = min(chances.items(), key=lambda pair: pair[1])
        if log <= bar:
            what = {"together": "equal values stand together", "in order": "rows stand in its order"}
            near = f"rows stand nearly in its order (rank correlation {column.correlation:.2f})"
            called = "group ids" if name == group_id else "row order"
            yield _by_chance(called, name, what.get(how, near), log)


def _by_chance(kind: str, name: str, what: str, log: float) -> Leak:
    says = f"column {name!r}: {what}, by chance in at most {readable_chance(log)} of releases; shuffle the rows, since"
    says += " their order may be that of the original"
    return Leak(kind=kind, column=name, certain=False, chance=float(np.exp(log)), says=says)


def _group_ids(table: pl.DataFrame, ranked: Ranks, group_id: str | None, bar: float) -> Iterator[Leak]:
    """Ids that count from 1 on say how many groups there are and no more; with gaps, or in the order of what rows show,
    they say more."""
    if group_id is None or group_id not in table.columns:
        return
    texts = values_of(table[group_id])
    numbers = texts.cast(pl.Int64, strict=False).sort().to_list()
    if numbers != list(range(1, len(texts) + 1)):
        says = f"column {group_id!r}: group ids are not numbered from 1 on without gaps; number them anew, at random"
        yield Leak(kind="group ids", column=group_id, certain=False, says=says)
    ids = ranked[group_id]
    sizes = np.maximum(ids.counts, 1)
    for name, column in ranked.items():
        means = np.bincount(ids.rows, weights=column.scores[column.rows], minlength=len(sizes)) / sizes
        numbered = means[ids.counts > 0]
        log = follows(correlation(numbered), len(numbered)) if name != group_id else 0.0
        if log <= bar:
            says = f"column {group_id!r}: group ids go with column {name!r}, by chance in at most"
            says += f" {readable_chance(log)} of releases; number groups anew, at random"
            yield Leak(kind="group ids", column=name, certain=False, chance=float(np.exp(log)), says=says)


def _groups(table: pl.DataFrame, policy: Policy, group_id: str | None) -> Ints | None:
    """The group of every row, by id or by what is shown."""
    names = [group_id] if group_id is not None and group_id in table.columns else list(policy.quasi)
    columns = [Codes.alone(table[name]) for name in names if name in table.columns]
    if not columns or not table.height:
        return None
    packed = Packed.of_rows([(codes.rows, codes.size) for codes in columns])
    return np.arange(table.height) if packed.numbers is None else packed.numbers.astype(np.int64)


def _within(ranked: Ranks, groups: Ints | None, policy: Policy, bar: float) -> Iterator[Leak]:
    """Secrets in the same order in every group: whoever dealt them did not draw."""
    if groups is None:
        return
    order = np.argsort(groups, kind="stable")
    same = groups[order][1:] == groups[order][:-1]
    for name in policy.secret:
        if name not in ranked:
            continue
        values = ranked[name].rows[order]
        up, down = (values[1:] >= values[:-1])[same], (values[1:] <= values[:-1])[same]
        if not len(up) or not (up.all() or down.all()):
            continue
        sizes = np.bincount(groups)
        parts = Packed.counted([(groups, len(sizes)), (ranked[name].rows, len(ranked[name].counts))]).counts
        log = float(np.log(2) + log_factorials(parts) - log_factorials(sizes))
        if log <= bar:
            says = f"column {name!r}: stands in order within every group, by chance in at most {readable_chance(log)}"
            says += " of releases; shuffle the rows"
            yield Leak(kind="order in groups", column=name, certain=False, chance=float(np.exp(log)), says=says)


def _lone(table: pl.DataFrame, policy: Policy) -> Iterator[Leak]:
    """One suppressed cell of a column: its total, known from elsewhere, fills it in. A row with gaps that no other row
    has is found by them."""
    shown = [name for name in (*policy.quasi, *policy.sensitive) if name in table.columns]
    hidden = [name for name in shown if "*" in values_of(table[name])]
    stars = {name: codes_of(table[name]) == values_of(table[name]).index_of("*") for name in hidden}
    gaps = {name: rows for name, rows in stars.items() if rows.any()}
    for name, rows in gaps.items():
        if int(rows.sum()) == 1 and len(rows) > 1:
            says = f"column {name!r}: a single cell is suppressed, which a total of the column that is known fills in"
            yield Leak(kind="lone gap", column=name, certain=False, says=says)
    if len(gaps) > 1:
        counts = CodedRows({name: (rows.view(np.uint8), 2) for name, rows in gaps.items()}).count([*gaps]).counts
        alone = int((counts == 1).sum())
        if alone and int(counts.sum()) > 1:
            says = f"suppressed cells: {alone} of {table.height} rows have gaps where no other row has the same"
            yield Leak(kind="lone gap", column=None, certain=False, says=says)


def _formulas(table: pl.DataFrame, lists: frozenset[str]) -> Iterator[Leak]:
    for column in table.get_columns():
        texts = values_of(column)
        likely = texts.str.contains(_LIKELY).arg_true().to_list() if column.name not in lists else []
        run = [at for at in likely if would_run(texts[at])]
        cells = int(np.bincount(codes_of(column), minlength=len(texts))[run].sum()) if run else 0
        if cells or would_run(column.name):
            what = "its name" if not cells else f"{cells} of its cells"
            says = f"column {column.name!r}: {what} would be run by a spreadsheet; set output: {{spreadsheet: safe}}"
            yield Leak(kind="formula", column=column.name, certain=False, says=says)
