"""The words in which the data dictionary says what was done to columns: a closed list, declared once.

Who publishes takes them from here, and who judges allows no others: free text beside a release could tell anything
about anybody. What every form may say stands here; what only one of them says is in its `Phrases`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sfumato.policy.columns import Column

__all__ = [
    "AS_IT_IS",
    "BINNED",
    "BOUNDS",
    "COMMON",
    "GENERALIZED",
    "NODES",
    "NUMBERED",
    "RENAMED",
    "Phrases",
    "of_terms",
]

AS_IT_IS = "published as it is"
BINNED = "binned"
GENERALIZED = "generalized"
NODES = "some values generalized to nodes of the hierarchy"
RENAMED = "replaced by random names; each occurs once"
NUMBERED = "random number; rows of one group share it"
COMMON = frozenset(("", AS_IT_IS, BINNED, GENERALIZED, NODES, RENAMED, NUMBERED))
"""What may be said of a column in any form, sets of terms apart."""

BOUNDS = ("lower bound of {name!r}, included", "upper bound of {name!r}, included", "whether {name!r} is missing")
"""What is said of the columns that show a number or date by its bounds."""


def of_terms(column: Column, suppressed: bool) -> str:
    """How the cells of a quasi-sensitive column are to be read."""
    shown = f"set of terms in order: a list, or a text parted by {column.separator or '|'!r}; empty: none"
    if not suppressed:
        return shown
    return f"{shown}; some terms suppressed" + (", each shown as *" if column.lengths == "known" else "")


@dataclass(frozen=True)
class Phrases:
    """The words of one form.

    secret   what was done to sensitive values and sets of terms; "" if they stay as they are
    own      what is said of columns of its own, by their role
    tables   what its tables are called
    """

    secret: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = ("table",)

    def of_secret(self, column: Column) -> str:
        """What is said of a sensitive column."""
        binned = [BINNED] if column.bins is not None or column.difference is not None else []
        return ", ".join([*binned, *([self.secret] if self.secret else [])]) or AS_IT_IS

    def of_terms(self, column: Column, suppressed: bool) -> str:
        """What is said of a quasi-sensitive column."""
        return of_terms(column, suppressed) + (f", {self.secret}" if self.secret else "")

    def allowed(self, column: Column | None) -> frozenset[str]:
        """All that may be said of a column; of one that is the form's own, if the policy has none."""
        if column is not None and column.role == "quasi-sensitive":
            return frozenset(say(column, lost) for say in (of_terms, self.of_terms) for lost in (False, True))
        done = (self.secret, f"{BINNED}, {self.secret}") if self.secret else ()
        return COMMON.union(done, self.own.values())
