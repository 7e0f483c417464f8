"""What every form does with groups: which rows it shows, how they become tables of codes, and in what words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.forms.contract import Material
from sfumato.forms.secrets import Shown, shown_secrets
from sfumato.policy.phrases import NODES, NUMBERED, RENAMED, Phrases
from sfumato.randomness import Randomness
from sfumato.table.dictionaries import column_of

__all__ = ["ShownRows", "free_name"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ShownRows:
    """The rows that are shown, one by one, in an order that follows from what they hold.

    part         the part of the partition that each belongs to
    groups       the group of every part; that of kept suppressed rows is the last, that of others -1
    suppressed   the group of kept suppressed rows, if there are any
    """

    material: Material
    part: NDArray[np.int32]
    groups: Ints
    suppressed: int | None

    @classmethod
    def of(cls, material: Material) -> ShownRows:
        found, keep = material.partition, material.keep_suppressed
        hidden = found.groups < 0
        suppressed = int(found.groups.max()) + 1 if keep and hidden.any() else None
        groups = found.groups if suppressed is None else np.where(hidden, suppressed, found.groups)
        shown = np.flatnonzero(groups >= 0).astype(np.int32)
        return cls(material, np.repeat(shown, found.counts[shown]), groups, suppressed)

    def __len__(self) -> int:
        return len(self.part)

    @cached_property
    def group(self) -> Ints:
        """The group of every row."""
        return self.groups[self.part]

    @cached_property
    def tuples(self) -> Ints:
        """The tuple of every row."""
        return self.material.partition.tuples[self.part]

    @property
    def count(self) -> int:
        """How many groups there are."""
        return int(self.groups.max(initial=-1)) + 1

    @cached_property
    def _secrets(self) -> dict[str, Shown]:
        return shown_secrets(self.material)

    def column(self, name: str, rows: Ints, hidden: NDArray[np.bool_] | None = None) -> pl.Series:
        """A column of some rows as it is published where the form does not change it; `*` where it is hidden.

        `TableError` if a quasi-identifier has the value `*`, which a reader would take for suppressed.
        """
        if name in self.material.policy.quasi and (self.material.table[name].values.cast(pl.String) == "*").any():
            raise TableError(f"column {name!r}: has the value '*', which a reader would take for suppressed")
        found = self.carried_codes(name)
        codes, values = found.codes[self.part[rows]], found.values
        if hidden is not None and hidden.any():
            values = pl.concat([values.cast(pl.String), pl.Series(["*"])])
            codes = np.where(hidden, np.int32(len(values) - 1), codes)
        return column_of(name, codes, values)

    def carried_codes(self, name: str) -> Shown:
        """What every part of the partition shows of a column that the form does not change."""
        found = self._secrets.get(name)
        if found is not None:
            return found
        return Shown(
            self.material.table[name].published, self.material.table.codes[name][self.material.partition.tuples]
        )

    def carried(self, rows: Ints, randomness: Randomness) -> dict[str, pl.Series]:
        """All that is published of some rows beside quasi-identifiers: pseudonyms, secrets and insensitive columns."""
        columns = self.material.policy.columns
        told = ("sensitive", "quasi-sensitive", "insensitive")
        made = {name: self.column(name, rows) for name, spec in columns.items() if spec.role in told}
        return {**made, **self.pseudonyms(randomness)}

    def pseudonyms(self, randomness: Randomness) -> dict[str, pl.Series]:
        """Random names, one per row, for every identifier that the policy replaces by them."""
        return {
            name: pl.Series(name, randomness.names(len(self), f"pseudonyms of {name}"))
            for name, spec in self.material.policy.columns.items()
            if spec.role == "identifier" and spec.pseudonym
        }

    def numbered(self, randomness: Randomness) -> pl.Series:
        """A random number for every group, under a name that no column has."""
        numbers = randomness.shuffle(self.count, "group numbers") + 1
        return pl.Series(free_name("group", self.material.policy.columns), numbers)

    def explained(self, words: Phrases, group_id: str | None = None) -> dict[str, dict[str, Any]]:
        """What the data dictionary says of carried columns and of the group id, in the words of the form."""
        found, made = self.material.partition, {}
        for name, spec in self.material.policy.columns.items():
            if spec.role == "quasi-sensitive":
                made[name] = words.of_terms(spec, name in found.terms)
            elif spec.role in ("sensitive", "insensitive"):
                made[name] = NODES if name in found.edits and not words.secret else words.of_secret(spec)
            elif spec.role == "identifier" and spec.pseudonym:
                made[name] = RENAMED
        roles = {name: self.material.policy.columns[name].role for name in made}
        told: dict[str, dict[str, Any]] = {name: {"role": roles[name], "technique": made[name]} for name in made}
        return told if group_id is None else {**told, group_id: {"role": "group id", "technique": NUMBERED}}


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has."""
    while wanted in taken:
        wanted += "_"
    return wanted
