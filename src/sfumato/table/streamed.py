"""A table that is never held: what its columns are, and its rows as codes, by whoever holds them.

Columns are described by their different values and how often each occurs (`table/marginals.py`), which is all that
domains need. Rules that look at whole rows, or at whose they are, cannot be kept so, and are refused by name.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sfumato.errors import Refused, SfumatoWarning
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.progress import Progress, silent
from sfumato.table.arrow import columns_of
from sfumato.table.coder import RowCoder
from sfumato.table.digest import RunningDigest
from sfumato.table.distinct import Distinct, Distincts
from sfumato.table.doubts import doubts
from sfumato.table.encode import encode_apart
from sfumato.table.formats.contract import CountedSource, RowSource
from sfumato.table.marginals import columns_apart
from sfumato.table.missing import apply_missing_rules, counted_as_category, mark_missing
from sfumato.table.origin import Origin
from sfumato.table.read import described, needed, source_of
from sfumato.table.spelling import spelled_alike
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples
from sfumato.table.types import base_values, own_types

__all__ = ["ReadAgain", "StreamedTable", "stream"]


@dataclass(frozen=True, eq=False)
class ReadAgain:
    """Files or a frame of this machine, opened anew every time.

    part   of about how many bytes large files are read at a time
    """

    source: object = field(repr=False)
    policy: Policy = field(repr=False)
    part: int | None

    @property
    def store(self) -> str:
        return "file"

    def columns(self, progress: Progress, most: int | None) -> tuple[Mapping[str, Distinct], Origin]:
        return columns_apart(self.parts())

    def parts(self) -> Iterator[tuple[Distincts, Origin]]:
        """All rows, part after part."""
        found, policy = described(self.source, self.policy, self.part)
        if isinstance(found, CountedSource):
            raise ValueError("a cluster does not read rows here")
        return ((columns_of(raw), origin) for raw, origin in source_of(found, policy))


@dataclass(frozen=True, eq=False)
class StreamedTable:
    """A table under its policy, its columns known and its rows somewhere else.

    source    where they are
    table     its columns, each with an entry for every different value; no digest yet
    tuples    what the columns are; it has no rows
    read      different values of every column, as they were read
    coder     makes codes of rows
    """

    source: RowSource = field(repr=False)
    table: Table
    tuples: Tuples
    read: Mapping[str, Distinct] = field(repr=False)
    coder: RowCoder = field(repr=False)

    @property
    def rows(self) -> int:
        return self.table.rows

    def digest(self) -> RunningDigest:
        """Of no rows yet."""
        return RunningDigest.of(self.read)


def stream(
    source: object,
    policy: PolicyLike,
    part: int | None = None,
    *,
    most: int | None = None,
    progress: Progress = silent,
) -> StreamedTable:
    """A table of any size, read once for what its columns are. `Refused` says what can only be done with all rows.

    part   of about how many bytes large files are read at a time
    most   bytes that different values of columns may take, where somebody else counts them; None: any
    """
    found, given = described(source, read_policy(policy), part)
    _require_columns_alone(given)
    wanted = needed(found.names, given)
    rows = found.apart(wanted) if isinstance(found, CountedSource) else ReadAgain(source, given, part)
    del found
    columns, origin = rows.columns(progress, most)
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
    return StreamedTable(rows, table, tuples, read, RowCoder.of(read, coded))


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
