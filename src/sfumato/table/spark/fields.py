"""What the columns of a Spark frame are: which can be used, and how each is counted without two values becoming one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.errors import TableError
from sfumato.table.frames import refusal, require_names

__all__ = ["Field", "fields_of"]

_WHOLE = {"boolean", "byte", "short", "integer", "long", "decimal", "void"}
_TIMES = {"date", "time", "timestamp", "timestamp_ntz"}
_FLOATS = {"float", "double"}
_TEXTS = {"string", "char", "varchar"}
_BYTES = "UTF8_BINARY"


@dataclass(frozen=True)
class Field:
    """A column of a frame.

    name       as the frame has it
    alias      what it is called while it is counted: Spark takes "Age" and "age" for one, and a dot for a part
    kind       Spark's word for its type, or "list" for one of texts
    collated   whether Spark takes some of its texts for equal that are not
    """

    name: str
    alias: str
    kind: str
    collated: bool = False

    @property
    def chosen(self) -> str:
        """The column as rows are grouped by it: texts by their bytes."""
        if not self.collated:
            return self.alias
        if self.kind == "list":
            return f"transform({self.alias}, x -> collate(x, '{_BYTES}')) AS {self.alias}"
        return f"collate({self.alias}, '{_BYTES}') AS {self.alias}"

    @property
    def sign(self) -> str | None:
        """Of a number whose sign groups would lose, as that of -0.0: what keeps it; else None."""
        return f"startswith(CAST({self.alias} AS STRING), '-') AS {self.signed}" if self.kind in _FLOATS else None

    @property
    def signed(self) -> str:
        """What the sign is called."""
        return f"{self.alias}_sign"

    @property
    def size(self) -> str | None:
        """The bytes of the texts in a cell, as Spark says it; None: cells are numbers."""
        if self.kind in _TEXTS:
            return f"octet_length({self.alias})"
        if self.kind == "list":
            return f"octet_length(array_join({self.alias}, '', '')) + 8 * size({self.alias})"
        return None


def fields_of(schema: Any, name: str, lists: Sequence[str] | None) -> tuple[Field, ...]:
    """The columns of a frame; `lists` are those that may hold lists of texts, None: any.

    `TableError` names columns whose cells are not single values, and names that are none.
    """
    require_names([field.name for field in schema.fields], name)
    made = [_field(at, each, lists is None or each.name in lists) for at, each in enumerate(schema.fields)]
    refused = [
        f"{each.name!r} ({each.dataType.simpleString()})"
        for each, field in zip(schema.fields, made, strict=True)
        if field is None
    ]
    if refused:
        raise TableError(f"{name}: {refusal(refused)}")
    return tuple(field for field in made if field is not None)


def _field(at: int, given: Any, listed: bool) -> Field | None:
    """A column by its type; None: its cells are not single values."""
    kind, texts = given.dataType.typeName(), given.dataType
    if kind == "array" and listed and texts.elementType.typeName() in _TEXTS:
        kind, texts = "list", texts.elementType
    elif kind not in _WHOLE | _TIMES | _FLOATS | _TEXTS:
        return None
    return Field(given.name, f"c{at}", kind, getattr(texts, "collation", _BYTES) != _BYTES)
