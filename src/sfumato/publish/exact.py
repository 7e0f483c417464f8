"""What forms have in common that show quasi-identifiers as they are and hide only whose sensitive value is whose.

Whoever knows all quasi-identifiers finds a person's row and so the group; within it, every assignment of the sensitive
values to the rows is equally likely, since the order of either side is random and independent of the other. So a
promise about the values of a group holds, and one about rows that cannot be told apart does not: it is refused.

Loss: quasi-identifiers lose nothing, so that a loss over their cells counts suppressed rows only. Discernibility and
average class size count groups, within which sensitive values are not told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Model, concerned
from sfumato.publish.contract import Material
from sfumato.publish.groups import free_name, plain, shown_groups
from sfumato.publish.secrets import set_technique, shown_secrets
from sfumato.randomness import Randomness

__all__ = ["NOTATION", "Exact", "fit_exact"]

Ints = NDArray[np.int64]

NOTATION: Mapping[str, str] = {"suppressed": "*", "missing": ""}


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

    group        of every row, -1 if it is not shown
    suppressed   the group of suppressed rows, if they are kept
    ids          a random number for every group
    randomness   bound to what is shown
    """

    material: Material
    group: Ints
    suppressed: int | None
    ids: Ints
    id_name: str
    randomness: Randomness

    @classmethod
    def of(cls, material: Material, form: str, settings: str) -> Exact:
        """Groups renumbered; `settings` are part of what is shown."""
        group, suppressed = shown_groups(material)
        content = f"{material.table.digest} {form} {settings} ".encode() + group.tobytes()
        randomness = material.randomness.bound_to(hashlib.sha256(content).digest())
        ids = randomness.shuffle(int(group.max(initial=-1)) + 1, "group numbers") + 1
        name = free_name("group", material.table.policy.columns)
        made = cls(material, group, suppressed, ids, name, randomness)
        made._require_plain()
        return made

    def _require_plain(self) -> None:
        """A reader would take '*' for suppressed."""
        for column in self.material.coded.quasi:
            if (column.values.cast(pl.String) == "*").any():
                raise TableError(f"column {column.name!r}: has the value '*', which a reader would take for suppressed")

    def order(self, purpose: str) -> Ints:
        """The shown rows, group by group, those of a group in a random order."""
        order = self.randomness.shuffle(len(self.group), purpose)
        rows = order[self.group[order] >= 0]
        return rows[np.argsort(self.group[rows], kind="stable")]

    def scattered(self, purpose: str) -> Ints:
        """A random order of the shown rows."""
        return self.randomness.shuffle(int((self.group >= 0).sum()), purpose)

    def shown(self, insensitive: bool) -> tuple[str, ...]:
        """Columns that are not sensitive and are published, pseudonyms left out."""
        roles = ("quasi", "insensitive") if insensitive else ("quasi",)
        return self.material.table.policy.with_role(*roles)

    def cells(self, names: Iterable[str], rows: Ints) -> list[pl.Series]:
        """Columns of some rows; quasi-identifiers of kept suppressed rows as `*`."""
        frame, quasi = shown_secrets(self.material), self.material.table.policy.quasi
        hidden = self.group[rows] == self.suppressed if self.suppressed is not None else None
        made = []
        for name in names:
            column = plain(frame[name])[rows]
            if hidden is not None and name in quasi:
                shown = pl.when(pl.Series(hidden)).then(pl.lit("*")).otherwise(column.cast(pl.String))
                column = pl.select(shown).to_series().alias(name)
            made.append(column)
        return made

    def pseudonyms(self) -> list[pl.Series]:
        """Random names, one per shown row."""
        count = int((self.group >= 0).sum())
        columns = self.material.table.policy.columns.items()
        return [
            pl.Series(name, self.randomness.names(count, f"pseudonyms of {name}"))
            for name, spec in columns
            if spec.role == "identifier" and spec.pseudonym
        ]

    def id_of(self, rows: Ints) -> pl.Series:
        """The published number of the group of every row."""
        return pl.Series(self.id_name, self.ids[self.group[rows]])

    def spans(self, rows: Ints) -> dict[str, tuple[Ints, Ints, Ints]]:
        """Every told row shows exactly its own codes."""
        told = rows[self.group[rows] != self.suppressed] if self.suppressed is not None else rows
        ones = np.ones(len(told), dtype=np.int64)
        codes = {column.name: column.codes[told].astype(np.int64) for column in self.material.coded.quasi}
        return {name: (each, each, ones) for name, each in codes.items()}

    @property
    def sizes(self) -> Ints:
        """Rows of every group that tells something."""
        counts = np.bincount(self.material.partition.labels[self.material.partition.labels >= 0])
        return counts[counts > 0].astype(np.int64)

    @property
    def blank(self) -> dict[str, int]:
        """Cells that say nothing: those of kept suppressed rows."""
        hidden = int((self.group == self.suppressed).sum()) if self.suppressed is not None else 0
        return {column.name: hidden for column in self.material.coded.quasi}

    def dictionary(self, names: Iterable[str], secret: str) -> dict[str, dict[str, Any]]:
        """What every published column is; `secret` says what was done to sensitive ones."""
        made: dict[str, dict[str, Any]] = {}
        for name in names:
            spec = self.material.table.policy.columns[name]
            binned = spec.bins is not None or spec.difference is not None
            if spec.role == "sensitive":
                technique = f"binned, {secret}" if binned else secret
            elif spec.role == "quasi-sensitive":
                technique = f"{set_technique(spec, name in self.material.partition.terms)}, {secret}"
            elif spec.role == "identifier":
                technique = "replaced by random names; each occurs once"
            else:
                technique = "published as it is"
            made[name] = {"role": spec.role, "technique": technique}
        made[self.id_name] = {"role": "group id", "technique": "random number; rows of one group share it"}
        return made
