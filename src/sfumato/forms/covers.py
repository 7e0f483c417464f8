"""How a column shows the rows that are gathered: the least that covers them, as a text.

A column with a hierarchy shows a node of it, a number or date without one an interval, text without one the set of
values present.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.forms.contract import Spans
from sfumato.forms.rows import ShownRows
from sfumato.partition.contract import Recoding
from sfumato.policy.columns import Column
from sfumato.policy.phrases import GENERALIZED, Phrases
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.taxonomy.build import explain
from sfumato.taxonomy.notation import read_interval
from sfumato.taxonomy.text import shown_texts
from sfumato.taxonomy.tree import Taxonomy

__all__ = [
    "NOTATION",
    "Gathered",
    "ShownColumn",
    "by_rule",
    "class_sizes",
    "dictionary_of",
    "spans_of",
    "texts_of_intervals",
    "texts_of_sets",
]

Ints = NDArray[np.int64]

_ANYTHING = "*"
_BITS = 62
"""A set of so many values fits a number."""
_LISTED, _LENGTH = 1000, 1 << 16
"""A column that shows more texts, or longer ones in all, is explained by a rule: the notation, and its hierarchy."""

NOTATION: Mapping[str, str] = {
    "suppressed": "*",
    "missing": "",
    "interval": "[a, b] from a to b; a bracket includes its end, a parenthesis does not; inf: no end",
    "set": '{a, b} one of the values listed; a value that holds a comma, a quote or a brace is written "so"',
}


@dataclass(frozen=True, eq=False)
class Gathered:
    """Rows, or parts of a partition, sorted by group: group g owns ``rows[starts[g]:starts[g+1]]``."""

    rows: Ints
    starts: Ints

    @classmethod
    def of(cls, group: Ints) -> Gathered:
        order = np.argsort(group, kind="stable")
        rows = order[np.searchsorted(group[order], 0) :]
        return cls(rows, np.searchsorted(group[rows], np.arange(group.max(initial=-1) + 2)))

    def box(self, codes: NDArray[np.int32]) -> tuple[Ints, Ints]:
        """Smallest and largest code of every group."""
        sorted_codes, first = codes[self.rows].astype(np.int64), self.starts[:-1]
        return np.minimum.reduceat(sorted_codes, first), np.maximum.reduceat(sorted_codes, first)

    def present(self, codes: NDArray[np.int32], count: int) -> Ints:
        """The different codes of the first `count` groups together, in order."""
        return np.unique(codes[self.rows[: self.starts[count]]]).astype(np.int64)

    def members(self, codes: NDArray[np.int32], size: int) -> tuple[Ints, Ints]:
        """The different codes of every group, in order: group g has ``codes[starts[g]:starts[g+1]]``."""
        owner = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        keys = np.unique(owner * size + codes[self.rows])
        return np.searchsorted(keys, np.arange(len(self.starts)) * size), keys % size


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """How one column shows every group: one of some texts, the codes it spans, the size of a set, and if it is blank.

    texts      the different texts; null: the value is missing
    shown      the place of every group's text among them
    meanings   what texts mean; None: they are too many or too long to be explained one by one
    bits       of sets of values, a bit for each; None: it shows none, or has too many values
    """

    texts: pl.Series
    shown: Ints
    low: Ints
    high: Ints
    values: Ints
    blank: NDArray[np.bool_]
    meanings: Mapping[str, str] | None
    bits: Ints | None = None

    @classmethod
    def of(
        cls, column: Domain, codes: NDArray[np.int32], spec: Column, groups: Gathered, recoding: Recoding | None
    ) -> ShownColumn:
        """By the least that covers each group, or by what the algorithm chose for the first of them.

        `codes` are those of what was gathered.
        """
        low, high = groups.box(codes)
        tree = column.taxonomy
        if tree is not None:
            nodes = tree.cover(low, high)
            if recoding is not None:
                chosen = recoding.shown[column.name]
                nodes[: len(chosen)] = chosen
            return cls._by_tree(column, tree, spec, nodes)
        if _looks_generalized(_bare(column)):
            raise TableError(
                f"column {column.name!r}: it has values that are empty, '*', begin with '{{', or begin with '[' and are"
                " no interval, which a reader would take for generalized ones; rename them, or give the column a"
                " hierarchy"
            )
        hidden = np.zeros(len(low), dtype=np.bool_)
        spans = recoding.span(column) if recoding is not None else None
        if recoding is not None and spans is not None:
            mine = slice(len(spans[0]))
            low[mine], high[mine] = _told(groups.present(codes, len(spans[0])), spans)
            hidden[mine] = recoding.blank(column)
        bits = None
        if column.positions is not None:
            values, shown, texts, meanings = np.ones_like(low), *_intervals(column, low, high)
        else:
            if spans is None:
                starts, members = groups.members(codes, column.size)
            else:
                starts, members = _between(low, high, groups.present(codes, len(spans[0])))
            bits = _bits_of(starts, members) if column.size <= _BITS else None
            values, shown, texts, meanings = np.diff(starts), *_sets(column, starts, members, bits)
        blank = (texts == "*").fill_null(False).to_numpy()[shown]
        cover = cls(texts, shown, low, high, values, blank, meanings, bits)
        return cover.hiding(hidden, column) if hidden.any() else cover

    def hiding(self, mine: NDArray[np.bool_], column: Domain) -> ShownColumn:
        """The same, with some groups shown as `*`."""
        return ShownColumn(
            pl.concat([self.texts, pl.Series([_ANYTHING], dtype=pl.String)]),
            np.where(mine, len(self.texts), self.shown),
            np.where(mine, 0, self.low),
            np.where(mine, column.size - 1, self.high),
            np.where(mine, column.size, self.values),
            self.blank | mine,
            None if self.meanings is None else {**self.meanings, _ANYTHING: "any value"},
            self.bits,
        )

    @classmethod
    def _by_tree(cls, column: Domain, tree: Taxonomy, spec: Column, nodes: Ints) -> ShownColumn:
        labels: list[str | None] = list(tree.labels)
        if column.missing is not None:
            labels[column.missing] = None
        used = np.flatnonzero(np.bincount(nodes, minlength=len(labels))).tolist()
        told, meanings = [node for node in used if node != column.missing], None
        if not by_rule(pl.Series([tree.labels[node] for node in told], dtype=pl.String)):
            meanings = {tree.labels[node]: explain(spec, tree, node) for node in told}
        blank = np.array([label == _ANYTHING for label in tree.labels])
        blank[tree.root] |= tree.root >= tree.size  # a tree of one node shows its value
        spans = tree.first[nodes], tree.last[nodes], tree.leaf_counts[nodes]
        return cls(pl.Series(column.name, labels, dtype=pl.String), nodes, *spans, blank[nodes], meanings)

    @property
    def told(self) -> pl.Series:
        """The different texts that are shown, in order."""
        used = self.texts.gather(np.flatnonzero(np.bincount(self.shown, minlength=len(self.texts))))
        return used.drop_nulls().unique().sort()


def _looks_generalized(texts: pl.Series) -> bool:
    """Whether a reader would take one for what it does not say. An interval that stands in the data says just that."""
    odd = texts.filter((texts.str.slice(0, 1).is_in(["", "{", "["]) | (texts == _ANYTHING)).fill_null(False))
    return any(not text.startswith("[") or read_interval(text) is None for text in odd)


def _told(present: Ints, spans: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """What was chosen for groups, no wider than the values that some group has there: others are not to be told."""
    first, last = spans
    return present[np.searchsorted(present, first)], present[np.searchsorted(present, last, side="right") - 1]


def _between(low: Ints, high: Ints, present: Ints) -> tuple[Ints, Ints]:
    """All codes of every interval that are present: interval i has ``codes[starts[i]:starts[i+1]]``."""
    first, after = np.searchsorted(present, low), np.searchsorted(present, high, side="right")
    starts = np.concatenate(([0], np.cumsum(after - first)))
    return starts, present[np.arange(starts[-1]) - np.repeat(starts[:-1] - first, after - first)]


Meanings = Mapping[str, str] | None

_OR_MISSING = "any value, or a missing one"


def _intervals(column: Domain, low: Ints, high: Ints) -> tuple[Ints, pl.Series, Meanings]:
    """Which of some texts each interval shows, these, and what they mean."""
    pairs, shown = np.unique(low * column.size + high, return_inverse=True)
    first, last = np.divmod(pairs, column.size)
    texts, bare = texts_of_intervals(column, first, last), _bare(column)
    if by_rule(texts):
        return shown.reshape(-1), texts, None
    told = zip(texts.to_list(), bare.gather(first).to_list(), bare.gather(last).to_list(), first == last, strict=True)
    meanings = {text: _spanning(text, *ends) for text, *ends in told if text is not None}
    return shown.reshape(-1), texts, meanings


def _bare(column: Domain) -> pl.Series:
    """The text of every code; null for a missing value."""
    return shown_texts(column.values).alias(column.name)


def texts_of_intervals(column: Domain, first: Ints, last: Ints) -> pl.Series:
    """What intervals between two codes show: a value, both ends, or `*` where one end is a missing value."""
    bare = _bare(column)
    ends = pl.DataFrame({"from": bare.gather(first), "to": bare.gather(last), "one": first == last})
    mixed = pl.lit(pl.Series(last == column.missing) if column.missing is not None else False)
    text = pl.when("one").then("from").when(mixed).then(pl.lit(_ANYTHING))
    return ends.select(text.otherwise(pl.format("[{}, {}]", "from", "to")).alias(column.name)).to_series()


def _spanning(text: str, first: str, last: str | None, one: bool) -> str:
    if one:
        return "exactly this value"
    return _OR_MISSING if text == _ANYTHING else f"from {first} to {last}, both included"


def _sets(column: Domain, starts: Ints, codes: Ints, bits: Ints | None) -> tuple[Ints, pl.Series, Meanings]:
    """Which of some texts each set shows, these, and what they mean."""
    shown, first = _alike(starts, codes, bits)
    members = [codes[starts[group] : starts[group + 1]].tolist() for group in first.tolist()]
    texts, meanings = _texts_of_members(column, members), {}
    for text, mine in zip(texts.to_list(), members, strict=True):
        if text is not None:
            meanings[text] = _OR_MISSING if text == _ANYTHING else f"one of the {len(mine)} values listed"
            meanings[text] = "exactly this value" if len(mine) == 1 else meanings[text]
    return shown, texts, None if by_rule(texts) else meanings


def _texts_of_members(column: Domain, sets: Iterable[list[int]]) -> pl.Series:
    bare = _bare(column).to_list()
    quoted = [
        text if text is None or not set(text) & set(',"{}') else json.dumps(text, ensure_ascii=False) for text in bare
    ]
    told: list[str | None] = []
    for members in sets:
        if len(members) == 1:
            told.append(bare[members[0]])
        elif not members or members[-1] == column.missing:
            told.append(_ANYTHING)
        else:
            told.append("{" + ", ".join(str(quoted[code]) for code in members) + "}")
    return pl.Series(column.name, told, dtype=pl.String)


def texts_of_sets(column: Domain, sets: Ints) -> pl.Series:
    """What sets of values show, of which each has a bit."""
    return _texts_of_members(
        column, ([code for code in range(column.size) if bits >> code & 1] for bits in sets.tolist())
    )


def _bits_of(starts: Ints, codes: Ints) -> Ints:
    lengths = np.diff(starts)
    bits = np.zeros(len(lengths), dtype=np.int64)
    np.bitwise_or.at(bits, np.repeat(np.arange(len(lengths)), lengths), np.int64(1) << codes)
    return bits


def by_rule(texts: Iterable[str]) -> bool:
    """Whether these are too many, or too long, to be explained one by one.

    >>> by_rule(["[1, 2]"]), by_rule(["[1, 2]"] * 2000)
    (False, True)
    """
    told = texts if isinstance(texts, pl.Series) else pl.Series([*texts], dtype=pl.String)
    return len(told) > _LISTED or int(told.str.len_chars().sum()) > _LENGTH


def _alike(starts: Ints, codes: Ints, bits: Ints | None) -> tuple[Ints, Ints]:
    """A number per set, the same for equal ones, and one of the sets of every number."""
    if bits is not None:
        _, first, shown = np.unique(bits, return_index=True, return_inverse=True)
        return shown.reshape(-1), first
    number: dict[bytes, int] = {}
    parts = (codes[begin:end].tobytes() for begin, end in pairwise(starts.tolist()))
    shown = np.array([number.setdefault(part, len(number)) for part in parts], dtype=np.int64)
    return shown, np.unique(shown, return_index=True)[1]


def spans_of(covers: Mapping[str, ShownColumn], sizes: Ints) -> Spans:
    """What the rows of groups of these sizes show."""
    told = np.flatnonzero(sizes)
    return Spans(
        {name: (cover.low[told], cover.high[told], cover.values[told]) for name, cover in covers.items()}, sizes[told]
    )


def class_sizes(sizes: Ints, covers: Mapping[str, ShownColumn], named: bool) -> Ints:
    """Sizes of groups as published, from the rows of every group: without an id, those that show the same are one."""
    sizes = sizes[: int(np.flatnonzero(sizes).max(initial=-1)) + 1]
    if named or not len(sizes):
        return sizes[sizes > 0]
    shown = [(cover.shown[: len(sizes)].astype(np.int32), len(cover.texts)) for cover in covers.values()]
    merged = Packed.of(shown, sizes, canonical=True).counts if shown else sizes.sum(keepdims=True)
    return np.asarray(merged[merged > 0])


def dictionary_of(
    rows: ShownRows, covers: Mapping[str, ShownColumn], words: Phrases, group_id: str | None = None
) -> dict[str, dict[str, Any]]:
    """What every published column and value means; values one by one where they are few."""
    told = rows.explained(words, group_id)
    for name, cover in covers.items():
        told[name] = {"role": "quasi", "technique": GENERALIZED}
        if cover.meanings is not None:
            told[name]["values"] = {text: cover.meanings[text] for text in cover.told}
    order = [name for name in rows.material.policy.columns if name in told]
    return {name: told[name] for name in dict.fromkeys((*order, *told))}
