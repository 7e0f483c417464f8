"""The original table as the auditor takes it: data, and no decision of who made the release.

Rows that the policy's missing rule leaves out are no part of the reference distribution. They may have been published
all the same, by a tool that knows no such rule, so that the truth of rows is asked of all that were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.release.documents import Distribution
from sfumato.release.received import Received
from sfumato.table.read import read
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["Original"]


@dataclass(frozen=True, eq=False)
class Original:
    """A table as the policy reads it, and with every row that it has."""

    table: Table
    every: Table

    @classmethod
    def of(cls, source: object, policy: PolicyLike) -> Original:
        """Read it: a file, a frame, or a table that was read before."""
        given = read_policy(policy)
        table = read(source, given)
        if isinstance(source, Table) or str(source) == "-" or not (table.dropped or table.repeated):
            return cls(table, table)
        return cls(table, read(source, _with_all_rows(table.policy.given)))

    @property
    def rows(self) -> int:
        return self.table.rows

    @cached_property
    def tuples(self) -> Tuples:
        """All rows, coded and counted: sensitive numbers by their values and not by bins, nothing made one."""
        policy = self.every.policy
        plain = {"bins": None, "difference": None, "same": "none"}
        columns = {name: column.model_copy(update=plain) for name, column in policy.columns.items()}
        return replace(self.every, policy=policy.model_copy(update={"columns": columns})).encode()

    @cached_property
    def sensitive(self) -> Mapping[str, Distribution]:
        """What every group is compared with, as the manifest would have it."""
        return {name: self._distribution(name) for name in self.table.policy.sensitive}

    def _distribution(self, name: str) -> Distribution:
        found = self.table.published_as(name)
        pairs = zip(found.values.cast(pl.String).to_list(), found.counts.tolist(), strict=True)
        told = {text: count for text, count in pairs if count} | ({None: found.missing} if found.missing else {})
        return Distribution(values=tuple(told), counts=tuple(told.values()))

    def sets(self, name: str) -> pl.Series:
        """The sets of terms of a quasi-sensitive column, as texts."""
        return self.table.columns[name].spread().alias(name)

    @property
    def persons(self) -> int | None:
        """How many people it is about; None if no column says whose a row is."""
        name = self.table.policy.individual
        return None if name is None else len(self.table.distinct[name].values)

    def left_out(self, received: Received) -> int:
        """Rows that are not in a bare table; less than 0: it has more than the original."""
        return self.rows - received.seen.table.height


def _with_all_rows(policy: Policy) -> Policy:
    """The same policy, under which a missing value is a category, and everybody has all their rows."""
    columns = {
        name: column.model_copy(update={"missing": "drop" if column.role == "individual" else None, "rows": "all"})
        for name, column in policy.columns.items()
    }
    return policy.model_copy(update={"columns": columns, "missing": "category"})
