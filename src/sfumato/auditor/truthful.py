"""What an audit says of a release beside its original table: names of columns and counts."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.policy.sections import Part
from sfumato.table.words import counted

__all__ = ["Truthfulness"]


class Truthfulness(Part):
    """A release beside the original table.

    original   rows of the original table
    left_out   of these, rows that are not published
    starred    published rows that say nothing of who they are, of a bare table
    more       published rows beyond the number of original ones
    untrue     published rows that no original row accounts for, at least
    cells      per column, published cells that fit no value of the original column
    unread     per column, those of them that cannot be read
    hidden     per sensitive column, published cells that are empty where the original misses nothing: no value
    exact      whether no assignment of rows accounts for more; otherwise only what `checked` says was looked at
    """

    original: int
    left_out: int
    starred: int
    more: int
    untrue: int
    cells: dict[str, int]
    unread: dict[str, int]
    hidden: dict[str, int]
    exact: bool
    checked: str

    @property
    def holds(self) -> bool:
        return not (self.untrue or self.more or self.cells or self.hidden)

    @property
    def suppressed(self) -> int:
        return self.left_out + self.starred

    def problems(self) -> Iterator[str]:
        """What keeps the release from being true."""
        if self.more:
            yield f"the table has {counted(self.more, 'row')} more than the original table"
        for name, cells in self.cells.items():
            unread = self.unread.get(name, 0)
            told = f", of which cannot be read: {unread}" if unread else ""
            yield f"column {name!r}: cells that fit no value of the original table: {cells}{told}"
        for name, cells in self.hidden.items():
            yield f"column {name!r}: sensitive cells that are empty, where the original misses nothing: {cells}"
        if self.untrue:
            least = "" if self.exact else ", at least"
            yield f"rows that no row of the original table accounts for: {self.untrue}{least}"

    @property
    def note(self) -> str:
        """What was looked at."""
        return f"compared with the original table of {counted(self.original, 'row')}: {self.checked}"
