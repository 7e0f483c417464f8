"""Bytes of a text file as UTF-8, checked: nothing is replaced or dropped but a leading byte order mark."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sfumato.errors import TableError

__all__ = ["as_utf8", "bytes_in", "line_at", "text_of_bytes"]

_BOM = codecs.BOM_UTF8
_BLOCK = 1 << 20
_LF = 0x0A


def line_at(text: bytes, offset: int) -> int:
    """The line, from 1, that an offset lies on; LF, CR LF and CR each end a line."""
    array = np.frombuffer(text, np.uint8, offset)
    ends = sum(int(np.count_nonzero(array[at : at + _BLOCK] == _LF)) for at in range(0, offset, _BLOCK))
    if text.find(b"\r", 0, offset) >= 0:
        ends += text.count(b"\r", 0, offset) - text.count(b"\r\n", 0, offset)
    return ends + 1


def bytes_in(path: Path, what: str, error: Callable[[str, int | None], Exception]) -> bytes:
    """All bytes of a file that is a `what`; what `error` makes of words and a line is raised if it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise error(f"no such {what}", None) from None
    except OSError as reason:
        raise error(f"cannot be read: {reason.strerror}", None) from None


def text_of_bytes(data: bytes, error: Callable[[str, int | None], Exception]) -> str:
    """UTF-8 as text, a leading byte order mark taken off, for files that have no encoding but this."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        line = line_at(data, data.startswith(_BOM) * len(_BOM) + reason.start)
        raise error("is not UTF-8 text; save it as UTF-8", line) from None


def as_utf8(data: bytes, encoding: str, name: str, lines: int = 0) -> bytes:
    """The text in UTF-8 without its byte order mark; `TableError` names the line of the first bad byte.

    So many lines stand before the data, which then is no beginning of a file.
    """
    try:
        codec = codecs.lookup(encoding).name
        text = data if codec in ("utf-8", "utf-8-sig") else data.decode(codec).encode()
    except UnicodeError as error:
        before = data[: getattr(error, "start", 0)].decode(encoding, "replace").encode("utf-8", "replace")
        line = lines + line_at(before, len(before))
        raise TableError(
            f"{name}: line {line} is not valid {encoding}; set input.encoding to what the file has"
        ) from None
    except (LookupError, ValueError):
        raise TableError(f"{name}: input.encoding {encoding!r} is not known; try utf-8 or cp1252") from None
    _require_utf8(text, name, lines)
    text = text if lines else text.removeprefix(_BOM)
    nul = text.find(b"\0")
    if nul >= 0:
        remedy = "remove it, or set input.encoding (utf-16?) if the file has another encoding"
        raise TableError(f"{name}: line {lines + line_at(text, nul)} holds a NUL byte; {remedy}")
    return text


def _require_utf8(text: bytes, name: str, lines: int) -> None:
    """Check block by block, so that a large file is never held twice."""
    if text.isascii():
        return
    if not lines and text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise TableError(f"{name}: line 1 begins with the mark of UTF-16; set input.encoding: utf-16")
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(text), _BLOCK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(text[start : start + _BLOCK], final=start + _BLOCK >= len(text))
        except UnicodeDecodeError as error:
            line = lines + line_at(text, start - pending + error.start)
            raise TableError(
                f"{name}: line {line} is not valid UTF-8; set input.encoding to what the file has, such as cp1252"
            ) from None
