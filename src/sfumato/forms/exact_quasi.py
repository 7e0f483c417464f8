"""What forms have in common that show quasi-identifiers as they are and hide only whose sensitive value is whose.

Whoever knows all quasi-identifiers finds a person's row and so the group; within it, every assignment of the sensitive
values to the rows is equally likely, since the order of either side is random and independent of the other. So a
promise about the values of a group holds, and one about rows that cannot be told apart does not: it is refused.

Loss: quasi-identifiers lose nothing, so that a loss over their cells counts suppressed rows only. Discernibility and
average class size count groups, within which sensitive values are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, refused
from sfumato.forms.contract import Material, Published, Spans
from sfumato.forms.rows import ShownRows
from sfumato.models.contract import Model, concerned
from sfumato.policy.phrases import AS_IT_IS, Phrases
from sfumato.randomness import Randomness

__all__ = ["Exact", "fit_exact"]

Ints = NDArray[np.int64]

_NOTATION: Mapping[str, str] = {"suppressed": "*", "missing": ""}


def fit_exact(model: Model, form: str) -> Fit:
    """Any promise about sensitive values; none about rows."""
    if model.counts_rows:
        who = concerned(model, lambda part: part.counts_rows, "speaks", "speak")
        return refused(
            f"{who} of rows that cannot be told apart, and {form} shows quasi-identifiers as they are; generalize, or"
            " promise diversity alone"
        )
    return NATIVE


@dataclass(frozen=True, eq=False)
class Exact:
    """Groups that will be shown with exact quasi-identifiers.

    rows         that are shown
    ids          a random number for every group, and what they are called
    randomness   bound to what is shown
    """

    material: Material
    rows: ShownRows
    ids: pl.Series
    randomness: Randomness

    @classmethod
    def of(cls, material: Material, form: str, settings: str) -> Exact:
        """Groups renumbered; `settings` are part of what is shown."""
        rows, randomness = ShownRows.of(material), material.bound(form, settings)
        return cls(material, rows, rows.numbered(randomness), randomness)

    @property
    def id_name(self) -> str:
        """The column that names groups."""
        return self.ids.name

    def order(self, purpose: str) -> Ints:
        """The rows, group by group, those of a group in a random order."""
        order = self.randomness.shuffle(len(self.rows), purpose)
        return order[np.argsort(self.rows.group[order], kind="stable")]

    def scattered(self, purpose: str) -> Ints:
        """A random order of the rows."""
        return self.randomness.shuffle(len(self.rows), purpose)

    def shown(self, insensitive: bool) -> tuple[str, ...]:
        """Columns that are not sensitive and are published, pseudonyms left out."""
        roles = ("quasi", "insensitive") if insensitive else ("quasi",)
        return self.material.policy.with_role(*roles)

    def cells(self, names: Iterable[str], rows: Ints) -> list[pl.Series]:
        """Columns of some rows; quasi-identifiers of kept suppressed rows as `*`."""
        hidden = None if self.rows.suppressed is None else self.rows.group[rows] == self.rows.suppressed
        quasi = self.material.policy.quasi
        return [self.rows.column(name, rows, hidden if name in quasi else None) for name in names]

    def pseudonyms(self) -> list[pl.Series]:
        """Random names, one per shown row."""
        return list(self.rows.pseudonyms(self.randomness).values())

    def id_of(self, rows: Ints) -> pl.Series:
        """The published number of the group of every row."""
        return self.ids.gather(self.rows.group[rows])

    def table(self, columns: Iterable[pl.Series], people: Ints) -> pl.DataFrame:
        """Columns in the policy's order, and the group id of the people that they are about."""
        by_name = {column.name: column for column in columns}
        names = [name for name in self.material.policy.columns if name in by_name]
        return pl.DataFrame([*(by_name[name] for name in names), self.id_of(people)])

    def published(self, columns: Iterable[pl.Series], people: Ints, words: Phrases) -> Published:
        """One table of all rows in a random order; `people` are the rows that quasi-identifiers are of."""
        table, order = self.table(columns, people), self.scattered("row order")
        return self.of_tables({"table": table[order]}, table.columns[:-1], people[order], words)

    def of_tables(
        self, tables: Mapping[str, pl.DataFrame], names: Iterable[str], people: Ints, words: Phrases
    ) -> Published:
        """Tables, the first of which has a row for each of the people, and the columns of the policy in them."""
        return Published(
            tables=tables,
            group_id=self.id_name,
            dictionary=self.dictionary(names, words),
            notation=_NOTATION,
            spans=self.spans,
            sizes=self.sizes,
            blank=self.blank,
            recoded=False,
            people=self.rows.tuples[people],
        )

    @property
    def spans(self) -> Spans:
        """Every told row shows exactly its own codes."""
        found, table = self.material.partition, self.material.table
        told = found.groups >= 0
        ones = np.ones(int(told.sum()), dtype=np.int64)
        codes = {column.name: table.codes[column.name][found.tuples[told]].astype(np.int64) for column in table.quasi}
        return Spans({name: (each, each, ones) for name, each in codes.items()}, found.counts[told])

    @property
    def sizes(self) -> Ints:
        """Rows of every group that tells something."""
        counts = np.bincount(self.rows.group, minlength=self.rows.count)[: self.rows.suppressed]
        return counts[counts > 0].astype(np.int64)

    @property
    def blank(self) -> dict[str, int]:
        """Cells that say nothing: those of kept suppressed rows."""
        hidden = self.material.partition.suppressed if self.rows.suppressed is not None else 0
        return {column.name: hidden for column in self.material.table.quasi}

    def dictionary(self, names: Iterable[str], words: Phrases) -> dict[str, dict[str, Any]]:
        """What every published column is, in the words of the form."""
        told = self.rows.explained(words, self.id_name)
        plain = self.material.policy.with_role("quasi", "insensitive")
        roles = {name: self.material.policy.columns[name].role for name in plain}
        told |= {name: {"role": roles[name], "technique": AS_IT_IS} for name in plain}
        return {name: told[name] for name in (*names, self.id_name)}
