"""What a view is: the tables of a release as rows that can be counted, as a recipient of that form sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from sfumato.errors import InputError
from sfumato.policy.document import Policy
from sfumato.release.classes import Classes, Ints
from sfumato.release.opening import Opened

__all__ = ["Seen", "View", "only_table", "shown_id"]


@dataclass(frozen=True, eq=False)
class Seen:
    """A release as it is judged.

    table      a row per published person: sensitive columns, and what rows are told apart by
    exact      quasi-identifiers are shown as they are, so that only the group id says who shares a group
    beside     in an exact form, columns that tell sensitive values of a group apart
    pieces     sensitive columns that are shown in one row for one person; None: all of them
    singled    where equal values say nothing of who shares a group, quasi-identifiers that stand side by side
    needs      what the form keeps secret and a judgement needs, if it is not known
    windows    rows of the table that a person may be, window by window, and the number of the window of each
    beliefs    per sensitive column, how likely its values may become in every group, as classes; values have no meaning
    changed    sensitive values were changed at random, so that they cannot be compared with the original ones
    retention  with which probability each was kept, if that is so
    parts      in an exact form, what stands side by side of one person, with the group id: a frame for each part that
               has an order of its own; what was changed at random is in none of them. Others: the table itself
    people     in an exact form, quasi-identifiers with the group id, a row per person; those that do not stand side by
               side in frames of their own
    problems   what contradicts the form
    notes      whom the judgement protects from
    """

    table: pl.DataFrame
    exact: bool = False
    beside: tuple[str, ...] = ()
    pieces: tuple[frozenset[str], ...] | None = None
    singled: tuple[pl.DataFrame, ...] = ()
    needs: str = ""
    windows: tuple[Ints, Ints] | None = None
    beliefs: Mapping[str, Classes] | None = None
    changed: bool = False
    retention: Fraction | None = None
    parts: tuple[pl.DataFrame, ...] = ()
    people: tuple[pl.DataFrame, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def linked(self, columns: frozenset[str]) -> bool:
        """Whether the release says which values of these sensitive columns belong to one person."""
        return len(columns) < 2 or self.pieces is None or any(columns <= piece for piece in self.pieces)

    @property
    def smallest(self) -> int:
        """Rows that have the same quasi-identifiers, at the least."""
        frames = (frame.select(pl.struct(frame.columns).alias("row")) for frame in self.singled if frame.height)
        return min((int(str(frame["row"].value_counts()["count"].min())) for frame in frames), default=0)


View = Callable[[Opened, Policy], Seen]
"""Given an opened release, with what the form says of it: `Opened.shown`, and `Opened.sealed` if there is a manifest.

`InputError` if it cannot be of that form.
"""


def only_table(tables: Mapping[str, pl.DataFrame], form: str) -> pl.DataFrame:
    """The one table of a form that has no more."""
    if len(tables) != 1:
        raise InputError(f"release.json: a release of the form {form} has one table; it names {len(tables)}")
    return next(iter(tables.values()))


def shown_id(opened: Opened, table: pl.DataFrame) -> list[str]:
    """The group id of a table, if it has one."""
    return [] if opened.group_id is None or opened.group_id not in table.columns else [opened.group_id]
