"""The values of a sensitive column as the auditor counts them.

Texts that denote one value are one value: ``1000`` and ``1000.0`` in a column of numbers are not two secrets. A missing
value is one value of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from sfumato.auditor.exactly import Ints
from sfumato.auditor.lookalikes import surplus
from sfumato.policy.columns import (
    BalancedHierarchy,
    Bins,
    Column,
    FileHierarchy,
    MaskHierarchy,
    PrefixHierarchy,
    ReadyHierarchy,
    TreeHierarchy,
)
from sfumato.policy.document import Input
from sfumato.release.codes import Codes
from sfumato.release.documents import Distribution
from sfumato.taxonomy.ready import OTHER, READY
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["SUPPRESSED", "Key", "Secrets", "reader_of"]

SUPPRESSED = "*"

Interval = tuple[Fraction, Fraction]
Key = Decimal | date | Interval | str | None
"""What a text denotes: a number, a day, a bin, another text, or nothing (missing)."""

_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_IS_NUMBER = re.compile(_NUMBER, re.ASCII)
_BOUND = r"[+-]?[0-9]{1,400}(?:\.[0-9]{1,400}|/[1-9][0-9]{0,400})?"
_INTERVAL = re.compile(rf"[\[(]\s*({_BOUND})\s*,\s*({_BOUND})\s*[\])]", re.ASCII)

_SIGNS: dict[type, tuple[str, ...]] = {
    MaskHierarchy: (SUPPRESSED,),
    PrefixHierarchy: (SUPPRESSED,),
    BalancedHierarchy: (SUPPRESSED, "\u2013"),
}
"""What labels of a hierarchy of texts hold, and no value may."""


def reader_of(column: Column, given: Input, missing: Iterable[str]) -> Callable[[str | None], Key]:
    """How texts of a column are read. What does not fit its type stays a text."""
    absent = frozenset(missing)

    def read(text: str | None) -> Key:
        if text is None or text in absent:
            return None
        known: Decimal | date | Interval | None = None
        if _binned(column):
            known = _interval(text)
        elif column.kind in ("integer", "number"):
            known = _number(text, given.decimal)
        elif column.kind == "date":
            known = _day(text, given.date)
        return text if known is None else known

    return read


def _number(text: str, decimal: str) -> Decimal | None:
    plain = text.strip().replace(",", ".") if decimal == "," else text.strip()
    return Decimal(plain) if _IS_NUMBER.fullmatch(plain) else None


def _day(text: str, form: str) -> date | None:
    for read in (lambda given: datetime.strptime(given, form), datetime.fromisoformat):
        try:
            moment = read(text.strip())
        except ValueError:
            continue
        return moment.date() if moment.time() == time() else None
    return None


@dataclass(frozen=True, eq=False)
class Secrets:
    """A sensitive column: a code per published row, what every code denotes, and how often it occurred originally.

    respelled   published spellings that the policy makes one with another
    """

    name: str
    column: Column
    read: Callable[[str | None], Key]
    keys: tuple[Key, ...]
    codes: Codes
    original: Ints | None = None
    taxonomy: Taxonomy | None = None
    respelled: int = 0

    @classmethod
    def of(
        cls,
        published: pl.Series,
        column: Column,
        read: Callable[[str | None], Key],
        original: Distribution | None = None,
    ) -> Secrets:
        """The column as published and, if known, in the original table; values that it never had do not count."""
        before: Counter[Key] = Counter()
        if original is not None:
            for text, count in zip(original.values, original.counts, strict=True):
                before[read(text)] += count
        code_of = {key: code for code, key in enumerate(+before)}
        codes, texts = Codes.of(published)
        places = [code_of.setdefault(read(text), len(code_of)) for text in texts]
        meant = np.array(places, dtype=np.min_scalar_type(len(code_of)))
        counts = None if original is None else np.array([before[key] for key in code_of], dtype=np.int64)
        return cls(published.name, column, read, tuple(code_of), Codes(meant[codes.rows], len(code_of)), counts)

    @cached_property
    def published(self) -> Ints:
        """Published rows per code."""
        return np.bincount(self.codes.rows, minlength=len(self.keys)).astype(np.int64)

    @cached_property
    def texts(self) -> tuple[str | None, ...]:
        """Texts that occur, now or originally, and are not general; None if some are missing; none of other types."""
        if self.column.kind != "text" or self.binned:
            return ()
        rows = self.published if self.original is None else self.published + self.original
        pairs = zip(self.keys, self.nodes, rows.tolist(), strict=True)
        return tuple(
            key
            for key, node, count in pairs
            if count and (key is None or (isinstance(key, str) and node < 0 and not self.is_general(key)))
        )

    @property
    def named(self) -> tuple[str, ...]:
        """The values that the column's hierarchy or order names, as they are written there."""
        leaves = () if self.taxonomy is None else filter(None, self.taxonomy.leaves)  # a missing one has no name
        return (*(self.column.order or ()), *leaves)

    @cached_property
    def alike(self) -> int:
        """Values that a reader takes for another one."""
        return surplus(self.texts)

    @cached_property
    def _code_of(self) -> dict[Key, int]:
        return {key: code for code, key in enumerate(self.keys)}

    def code_of(self, text: str) -> int:
        """The code of a value named in the policy, -1 if it does not occur; a missing value has no name."""
        key = self.read(text)
        return -1 if key is None else self._code_of.get(key, -1)

    @cached_property
    def ranks(self) -> Ints | None:
        """The place of every code in the column's order, a missing value last; None if some value has no place."""
        present = [code for code, key in enumerate(self.keys) if key is not None]
        places = [self._place(key) for key in self.keys]
        if any(places[code] is None for code in present) or len({type(places[code]) for code in present}) > 1:
            return None
        order = sorted(present, key=places.__getitem__)
        order += [code for code, key in enumerate(self.keys) if key is None]
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        return ranks

    @cached_property
    def leaves(self) -> Ints | None:
        """The leaf of the taxonomy that every code is, a missing value the last; None if one is none."""
        if self.taxonomy is None:
            return None
        leaf_of = {self.read(label): leaf for leaf, label in enumerate(self.taxonomy.leaves)}
        leaf_of[None] = self.taxonomy.size - 1
        found = [leaf_of.get(key, -1) for key in self.keys]
        return None if -1 in found else np.array(found, dtype=np.int64)

    @cached_property
    def generalized(self) -> int:
        """Published rows whose value is none of the column's base values: suppressed, a group's label, unreadable."""
        general = [self.is_general(key) or self._is_foreign(key) for key in self.keys]
        return int(self.published[np.array(general, dtype=np.bool_)].sum())

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """Per code the inner node of the hierarchy that it is, -1 for a base value, -2 for neither."""
        tree = self.taxonomy
        inner = {} if tree is None else {tree.labels[node]: node for node in range(tree.root, tree.size - 1, -1)}
        general = (self.is_general(key) or self._is_foreign(key) for key in self.keys)
        return tuple(
            -1 if not above else inner.get(key, -2) if isinstance(key, str) else -2
            for key, above in zip(self.keys, general, strict=True)
        )

    @cached_property
    def places(self) -> Ints | None:
        """The node of the taxonomy that every code is, a missing value the last leaf; None if one is none."""
        if self.taxonomy is None or self.unknown:
            return None
        leaf_of = {self.read(label): leaf for leaf, label in enumerate(self.taxonomy.leaves)}
        leaf_of[None] = self.taxonomy.size - 1
        found = [leaf_of.get(key, -1) if node < 0 else node for key, node in zip(self.keys, self.nodes, strict=True)]
        return None if -1 in found else np.array(found, dtype=np.int64)

    @cached_property
    def unknown(self) -> int:
        """Published rows whose value is neither a base value nor a node of the column's hierarchy."""
        return int(self.published[np.array(self.nodes) == -2].sum())

    @cached_property
    def apart(self) -> bool:
        """Whether every published value is a base value or a node of the hierarchy, and none lies above another."""
        tree, places = self.taxonomy, self.places
        if tree is None or places is None:
            return False
        shown = places[self.published > 0]
        shown = shown[np.argsort(tree.first[shown], kind="stable")]
        return bool((tree.last[shown][:-1] < tree.first[shown][1:]).all())

    @property
    def untold(self) -> bool:
        """Whether its hierarchy is made from original values that are not known, so that nobody knows its nodes."""
        return self.taxonomy is None and self.column.hierarchy is not None and not self.binned

    def _is_foreign(self, key: Key) -> bool:
        """Whether the column's hierarchy or order, as somebody wrote it down, has no such base value."""
        if key is None:
            return False
        if self.column.order is not None:
            return key not in self._listed
        if self.taxonomy is None:
            return False
        if isinstance(self.column.hierarchy, (FileHierarchy, TreeHierarchy)):
            return key not in self._leaf_keys
        return isinstance(key, str) and key in self.taxonomy.labels[self.taxonomy.size :]

    @cached_property
    def _leaf_keys(self) -> frozenset[Key]:
        return frozenset(map(self.read, self.taxonomy.leaves)) if self.taxonomy is not None else frozenset()

    def is_general(self, key: Key) -> bool:
        """Whether a text cannot be a base value, or a bin of the policy, by its looks alone."""
        if key is None or key == SUPPRESSED:
            return key == SUPPRESSED
        column = self.column
        if self.binned:
            return not (isinstance(key, tuple) and _is_bin(key, column.bins))
        if not isinstance(key, str) or column.kind != "text":
            return isinstance(key, str)
        if isinstance(column.hierarchy, ReadyHierarchy):
            return _is_ready_label(column.hierarchy, key)
        return any(sign in key for sign in _SIGNS.get(type(column.hierarchy), ()))

    @cached_property
    def too_close(self) -> int:
        """Pairs of neighbouring bins that the policy's `difference` makes one secret."""
        if self.column.difference is None:
            return 0
        bins = sorted(key for key in self.keys if isinstance(key, tuple))
        return sum(below[1] + self.column.difference >= above[0] for below, above in pairwise(bins))

    @property
    def binned(self) -> bool:
        """Whether the policy makes bins of the column's numbers."""
        return _binned(self.column)

    @cached_property
    def _listed(self) -> dict[Key, int]:
        return {self.read(text): place for place, text in enumerate(self.column.order or ())}

    def _place(self, key: Key) -> Any:
        """What values are sorted by; None if the value has no place."""
        if self.column.order is not None:
            return self._listed.get(key)
        return None if isinstance(key, str) else key


def _is_ready_label(given: ReadyHierarchy, text: str) -> bool:
    """Whether a text is no value that a ready hierarchy knows; unknown ones may be values, if the policy lets them."""
    ready = READY[given.ready]
    if ready.place(text) is not None:
        return False
    return given.unknown == "error" or text == OTHER or ready.meaning(text) is not None


def _binned(column: Column) -> bool:
    return column.bins is not None or column.difference is not None


def _interval(text: str) -> Interval | None:
    found = _INTERVAL.fullmatch(text)
    return None if found is None else (Fraction(found[1]), Fraction(found[2]))


def _is_bin(interval: Interval, bins: Bins | tuple[Fraction, ...] | None) -> bool:
    """Whether it is one of the policy's bins; any interval will do where they follow from a difference."""
    low, high = interval
    if low > high:
        return False
    if isinstance(bins, Bins):
        return high - low == bins.width and bool(((low - bins.origin) / bins.width).denominator == 1)
    return bins is None or any(interval == edges for edges in pairwise(bins))
