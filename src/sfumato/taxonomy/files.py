"""Hierarchy files: which format a file has, reading and writing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from sfumato.errors import InputError
from sfumato.table.formats.text import bytes_in, text_of_bytes
from sfumato.taxonomy.amnesia import looks_like_amnesia, read_amnesia
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.level_files import read_levels, write_levels
from sfumato.taxonomy.tree import Taxonomy
from sfumato.taxonomy.written import WrittenTree

__all__ = ["Format", "read_file", "write_file"]

Format = Literal["arx", "csv", "amnesia", "yaml"]


def read_file(
    path: Path, header: bool | None = None, format: Format | None = None, column: str | None = None
) -> WrittenTree:
    """The checked tree in a file; the format is told by the file's name and look when not given."""
    source = Source(column, path)
    text = text_of_bytes(bytes_in(path, "hierarchy file", source.error), source.error)
    match format or _format(path, text):
        case "yaml":
            from sfumato.taxonomy.nested import read_nested  # with the library for it

            return read_nested(text, source)
        case "amnesia":
            return read_amnesia(text, source)
        case "arx":
            return read_levels(text, source, bool(header), ";")
        case _:
            return read_levels(text, source, header)


def _format(path: Path, text: str) -> Format:
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return "yaml"
    return "amnesia" if looks_like_amnesia(text) else "csv"


def write_file(taxonomy: Taxonomy, path: Path, format: Literal["arx", "csv"] = "arx") -> None:
    """Write the tree as CSV, whole or not at all."""
    text = write_levels(taxonomy, ";", header=False) if format == "arx" else write_levels(taxonomy, ",", header=True)
    draft = path.with_name(f".{path.name}.tmp")
    try:
        try:
            # It may list every value of a column, so it is the owner's alone.
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
                file.write(text.encode("utf-8"))
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
