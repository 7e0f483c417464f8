"""A table that is never held: what its columns are, and its rows as codes, part by part, as often as they are wanted.

Columns are described by their different values and how often each occurs (`table/marginals.py`), which is all that
domains need. Rules that look at whole rows, or at whose they are, cannot be kept so, and are refused by name.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import Refused, SfumatoWarning
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.table.arrow import columns_of
from sfumato.table.digest import RunningDigest
from sfumato.table.distinct import Distinct, Distincts
from sfumato.table.doubts import doubts
from sfumato.table.encode import encode_apart
from sfumato.table.formats.contract import CountedSource
from sfumato.table.marginals import columns_apart
from sfumato.table.missing import apply_missing_rules, counted_as_category, mark_missing
from sfumato.table.origin import Origin
from sfumato.table.read import described, source_of
from sfumato.table.spelling import spelled_alike
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.types import base_values, own_types

__all__ = ["StreamedTable", "stream"]

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class StreamedTable:
    """A table under its policy, its columns known and its rows somewhere else.

    part      of about how many bytes large files are read at a time
    table     its columns, each with an entry for every different value; no digest yet
    tuples    what the columns are; it has no rows
    read      different values of every column, as they were read
    places    per column that counts, the code of each of these, and last that of a missing one
    """

    source: object = field(repr=False)
    part: int | None
    table: Table
    tuples: Tuples
    read: Mapping[str, Distinct] = field(repr=False)
    places: Mapping[str, Codes] = field(repr=False)

    @property
    def rows(self) -> int:
        return self.table.rows

    def parts(self) -> Iterator[tuple[dict[str, Codes], list[Codes]]]:
        """All rows, part after part: the code of every column that counts, and where values stand among those that were
        read, of all columns, by which the content is told."""
        for part, _ in _parts(self.source, self.table.policy.given, self.part):
            found = [_place(part[name], self.read[name]) for name in self.read]
            by_name = dict(zip(self.read, found, strict=True))
            yield {name: codes[by_name[name]] for name, codes in self.places.items()}, found

    def digest(self) -> RunningDigest:
        """Of no rows yet."""
        return RunningDigest.of(self.read)


def stream(source: object, policy: PolicyLike, part: int | None = None) -> StreamedTable:
    """A table of any size, read once for what its columns are. `Refused` says what can only be done with all rows."""
    given = read_policy(policy)
    found, given = described(source, given, part)
    del found
    _require_columns_alone(given)
    columns, origin = columns_apart(_parts(source, given, part))
    read = columns
    columns = mark_missing(columns, given.input)
    typed = given.typed(own_types(columns, given))
    columns, respelled = spelled_alike(columns, typed)
    base: Distincts = base_values(columns, typed, origin)
    _require_none_dropped(base, typed)
    apply_missing_rules(base, typed, origin)
    notes = (*origin.notes, *respelled, *counted_as_category(base, typed))
    table = Table(columns, typed, origin, 0, notes, "", base)
    for doubt in doubts(table):
        warnings.warn(f"{origin.name}: {doubt}", SfumatoWarning, stacklevel=2)
    tuples, coded = encode_apart(table)
    places = {name: _with_missing(codes, read[name]) for name, codes in coded.items()}
    return StreamedTable(source, part, table, tuples, read, places)


def _parts(source: object, policy: Policy, part: int | None) -> Iterator[tuple[Distincts, Origin]]:
    """The rows of the source, which is opened anew."""
    found, policy = described(source, policy, part)
    if isinstance(found, CountedSource):
        raise Refused("rows that a cluster counts come to memory; give more of it, or read their files without it")
    return ((columns_of(raw), origin) for raw, origin in source_of(found, policy))


def _require_columns_alone(policy: Policy) -> None:
    beyond = "such a table is larger than the memory limit; give more memory"
    for role, why in (
        ("individual", "rows of one person are kept apart, for which all rows are looked at together"),
        ("weight", "sampling weights are numbers of single rows"),
        ("quasi-sensitive", "sets of terms are judged together with what is known of them"),
    ):
        for name in policy.with_role(role):
            raise Refused(f"column {name!r}: {why}; {beyond}, or give it another role")
    for name, column in policy.columns.items():
        if column.difference is not None:
            raise Refused(f"column {name!r}: bins by a difference follow from all rows; {beyond}, or give bins:")


def _require_none_dropped(base: Distincts, policy: Policy) -> None:
    missing = [name for name, found in base.items() if found.missing and policy.missing_rule(name) == "drop"]
    if missing:
        raise Refused(
            f"column {missing[0]!r}: rows with a missing value are dropped, which a table larger than the memory limit"
            " does not allow; set missing: category, drop them before, or give more memory"
        )


def _with_missing(codes: Codes, read: Distinct) -> Codes:
    """Codes of different values as they were read, that of a missing one last; -1 where there is none."""
    absent = codes[-1:] if read.missing else np.full(1, -1, np.int32)
    return np.concatenate((codes[: len(read.values)], absent))


def _place(part: Distinct, whole: Distinct) -> Codes:
    """Where the values of some rows stand among those of all; -1 for a missing one."""
    values, known = _told_apart(part.values.cast(whole.values.dtype)), _told_apart(whole.values)
    order = pl.DataFrame({"value": known, "place": np.arange(len(known), dtype=np.int32)})
    found = values.alias("value").to_frame().join(order, on="value", how="left", maintain_order="left")["place"]
    return np.append(found.to_numpy(), -1).astype(np.int32).take(part.codes, mode="wrap")


def _told_apart(values: pl.Series) -> pl.Series:
    """Numbers by their bits, so that those of one value and two signs are two."""
    numbers = values.to_numpy() if values.dtype.is_float() else None
    return values if numbers is None else pl.Series(numbers.view(f"i{numbers.itemsize}"))
