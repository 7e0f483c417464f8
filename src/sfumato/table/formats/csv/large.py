"""CSV files that are too large to be held: read part by part, each cut where a record ends.

A part is the header and some records, and is read as a file of its own would be; messages count lines in the file.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw
from sfumato.table.formats.csv.grammar import fields_at, first_fault, quotes_at_edges
from sfumato.table.formats.csv.read import CsvFile
from sfumato.table.formats.text import as_utf8, line_at
from sfumato.table.origin import Origin

__all__ = ["LargeCsv"]

_BEGINNING = 1 << 20
LONGEST = (1 << 31) - 1
"""Bytes of a record, at most: Arrow reads none that is longer."""
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class LargeCsv:
    """A CSV file, perhaps packed with gzip, of which only the beginning was read.

    first    what was found there
    header   the bytes of its first record
    part     about how many bytes are read at a time
    """

    path: Path
    first: CsvFile = field(repr=False)
    header: bytes = field(repr=False)
    encoding: str
    part: int

    @classmethod
    def of(cls, path: Path, name: str, settings: Input, lists: Sequence[str] | None, part: int) -> LargeCsv:
        """`TableError` if it does not begin as a table does."""
        begun = next(_texts(path, name, settings.encoding, min(part, _BEGINNING)), b"")
        first = CsvFile.of(begun, name, settings.model_copy(update={"encoding": "utf-8"}), lists)
        found = fields_at(first.text, first.delimiter, 0)
        header = first.text if found is None else first.text[: found[1]]
        return cls(path, replace(first, text=b""), header, settings.encoding, part)

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def names(self) -> Sequence[str]:
        return self.first.names

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        by_line = True
        for part in self._files():
            for raw, origin in part.parts(wanted):
                by_line = by_line and origin.by_line
                yield raw, replace(origin, by_line=by_line)

    def frame(self) -> pl.DataFrame:
        """All columns, a text per row."""
        return pl.concat([part.frame() for part in self._files()])

    def _files(self) -> Iterator[CsvFile]:
        """The parts, each a file with the header; one at least."""
        headings = lines = line_at(self.header, len(self.header)) - 1
        records, begun = b"", False
        for number, text in enumerate(_texts(self.path, self.name, self.encoding, self.part)):
            records += text if number else text[len(self.header) :]
            if not _may_go_on(records, self.first.delimiter):
                yield self._file(records, lines - headings)
                lines, records, begun = lines + line_at(records, len(records)) - 1, b"", True
        if records or not begun:
            yield self._file(records, lines - headings)

    def _file(self, records: bytes, before: int) -> CsvFile:
        return replace(self.first, text=self.header + records, before=before)


def _may_go_on(text: bytes, delimiter: bytes) -> bool:
    """Whether the last record may not be whole: the line may end inside a quoted field.

    So may a text with a fault; what no record is as long as can only be one.
    """
    if b'"' not in text or quotes_at_edges(text, delimiter) or len(text) > LONGEST:
        return False
    return first_fault(text, delimiter) is not None


def _texts(path: Path, name: str, encoding: str, size: int) -> Iterator[bytes]:
    """The text of a file, unpacked, as UTF-8, block by block; a block ends with a line, the last as the file does."""
    as_utf8(b"", encoding, name)  # an encoding that nobody knows is told first
    codec = codecs.lookup(encoding)
    decoder = None if codec.name in ("utf-8", "utf-8-sig") else codec.incrementaldecoder()
    lines, held = 0, b""
    for block in _blocks(path, name, size):
        try:
            held += block if decoder is None else decoder.decode(block).encode()
        except UnicodeError as error:
            good = line_at(held, len(held)) + block[: getattr(error, "start", 0)].count(b"\n")
            raise TableError(
                f"{name}: line {lines + good} is not valid {encoding}; set input.encoding to what the file has"
            ) from None
        end = (held.rfind(b"\n") + 1) or (held.rfind(b"\r", 0, max(len(held) - 1, 0)) + 1)
        if end:
            yield as_utf8(held[:end], "utf-8", name, lines)
            lines, held = lines + line_at(held, end) - 1, held[end:]
    if held:
        yield as_utf8(held, "utf-8", name, lines)


def _blocks(path: Path, name: str, size: int) -> Iterator[bytes]:
    """The bytes of a file, unpacked."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(_GZIP)) == _GZIP
        with gzip.open(path) if packed else path.open("rb") as file:
            while block := file.read(size):
                yield block
    except EOFError:
        raise TableError(f"{name}: the gzip file is cut off; fetch or pack it again") from None
    except (gzip.BadGzipFile, zlib.error):
        raise TableError(f"{name}: the gzip file is damaged; fetch or pack it again") from None
    except OSError as error:
        raise TableError(f"{name}: cannot be read: {error.strerror or type(error).__name__}") from None
