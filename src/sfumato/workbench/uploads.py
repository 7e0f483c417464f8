"""What a form sends: fields, and a file that goes straight into the private folder, under a name of ours.

Nothing is held in memory, and nothing is put anywhere else. What is larger than allowed is not kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks
    from starlette.requests import Request

    from sfumato.workbench.folder import PrivateFolder

__all__ = ["SUFFIXES", "Garbled", "Sent", "TooLarge", "most_bytes", "sent"]

SUFFIXES = (".csv", ".csv.gz", ".parquet", ".xlsx", ".dta", ".sav", ".yaml", ".yml", ".json", ".toml", ".txt", ".zip")
"""Endings that files may have; any other is none."""

_FIELD = 100_000
"""Characters of all fields together."""


class TooLarge(Exception):
    """More was sent than is taken."""


class Garbled(Exception):
    """What was sent is no form."""


@dataclass
class Sent:
    """The fields of a form; its file, if it had one, and the name that it came with."""

    fields: dict[str, str] = field(default_factory=dict)
    file: Path | None = None
    name: str = ""


def most_bytes() -> int:
    """Bytes that a file may have; `SFUMATO_MAX_UPLOAD` says otherwise."""
    return int(os.environ.get("SFUMATO_MAX_UPLOAD", 512 * 2**20))


async def sent(request: Request, folder: PrivateFolder, most: int | None = None) -> Sent:
    """All that a form sends; `TooLarge` if that is more than is taken: of a file `most_bytes`, or as is said here."""
    kind, _, rest = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() == "multipart/form-data":
        return await _multipart(request, folder, rest, most or most_bytes())
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _FIELD:
            raise TooLarge
    return Sent(dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)))


async def _multipart(request: Request, folder: PrivateFolder, rest: str, most: int) -> Sent:
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    _, options = parse_options_header(f"multipart/form-data;{rest}")
    if not options.get(b"boundary"):
        raise Garbled
    with contextlib.ExitStack() as stack:
        form = _Form(folder, stack)
        parser = MultipartParser(options.get(b"boundary", b""), form.callbacks())
        try:
            async for part in _limited(request.stream(), most):
                parser.write(part)
            parser.finalize()
        except FormParserError:
            form.give_up()
            raise Garbled from None
        except BaseException:
            form.give_up()
            raise
    return form.sent


async def _limited(stream: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    """What is sent, as far as it is taken. A little more is read and dropped, so that the answer can be read."""
    size = 0
    async for part in stream:
        size += len(part)
        if size <= most + _FIELD:
            yield part
        elif size > 4 * most:
            break
    if size > most + _FIELD:
        raise TooLarge


class _Form:
    """Takes a form apart while it comes."""

    def __init__(self, folder: PrivateFolder, stack: contextlib.ExitStack) -> None:
        self.sent = Sent()
        self._folder, self._stack = folder, stack
        self._header, self._value = b"", b""
        self._headers: dict[bytes, bytes] = {}
        self._name, self._text = "", b""
        self._out: IO[bytes] | None = None

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._on_field,
            "on_header_value": self._on_value,
            "on_header_end": self._on_header,
            "on_headers_finished": self._on_headers,
            "on_part_data": self._on_data,
            "on_part_end": self._end,
        }

    def give_up(self) -> None:
        if self.sent.file is not None:
            self.sent.file.unlink(missing_ok=True)

    def _begin(self) -> None:
        self._headers, self._name, self._text, self._out = {}, "", b"", None

    def _on_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header(self) -> None:
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def _on_headers(self) -> None:
        from python_multipart.multipart import parse_options_header

        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" in options and self.sent.file is None:
            self.sent.name = _last(options[b"filename"].decode("utf-8", "replace"))
            suffix = next((each for each in sorted(SUFFIXES, key=len, reverse=True) if self._ends(each)), "")
            path = self._folder.new("sent", suffix)
            self._out = self._stack.enter_context(self._folder.writing(path))
            self.sent.file = path

    def _ends(self, suffix: str) -> bool:
        return self.sent.name.lower().endswith(suffix)

    def _on_data(self, data: bytes, start: int, end: int) -> None:
        if self._out is not None:
            self._out.write(data[start:end])
        elif len(self._text) + end - start <= _FIELD:
            self._text += data[start:end]
        else:
            raise TooLarge

    def _end(self) -> None:
        if self._out is None and self._name:
            self.sent.fields[self._name] = self._text.decode("utf-8", "replace")


def _last(name: str) -> str:
    """The last part of a name, whatever system it comes from, in printable characters."""
    plain = PurePosixPath(name.replace("\\", "/")).name
    return "".join(sign for sign in plain if sign.isprintable())[:120]
