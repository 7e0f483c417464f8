"""Whether a table file of a release holds nothing but its cells."""

from __future__ import annotations

from pathlib import Path

from sfumato.table.formats.contract import Reread
from sfumato.table.formats.places import hidden_places, more_than_cells

__all__ = ["more_than_a_table"]


def more_than_a_table(table: Path, kind: str, read: Reread, vouched: bool) -> list[str]:
    """What is wrong with a file apart from its cells; its bytes are compared with them if nothing is seen before."""
    return [*hidden_places(table, kind)] or [*more_than_cells(table, kind, read, vouched)]
