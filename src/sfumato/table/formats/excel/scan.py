"""What the parts of a workbook say of a sheet that its reader does not: cells without a result, and what is hidden."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from xml.etree import ElementTree

from sfumato.errors import TableError

__all__ = ["Marks", "marks", "require_workbook"]

_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}sheet"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}sheet"
_STRICT_ID = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?)(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3}[0-9]{1,7})"')
_VALUE = re.compile(rb"<(?:\w+:)?v\b[^>]*>[^<]")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
_HIDDEN = re.compile(rb'<(?:\w+:)?(row|col)\b[^>]*\bhidden="(?:1|true)"')


@dataclass(frozen=True)
class Marks:
    """Places of a sheet.

    errors      cells that show an error, such as #N/A
    unsolved    formulas whose result was not stored
    hidden      how many rows, and groups of columns, do not show
    """

    errors: tuple[str, ...] = ()
    unsolved: tuple[str, ...] = ()
    hidden: tuple[int, int] = (0, 0)


def require_workbook(data: bytes, name: str) -> None:
    """`TableError` if an archive is no workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise TableError(f"{name}: the Excel file is damaged or cut off; fetch or save it again") from None
    if "xl/workbook.xml" not in names:
        what = "an OpenDocument file: save it as .xlsx" if "content.xml" in names else "a ZIP archive: unpack it"
        if "xl/workbook.bin" in names:
            what = "a binary workbook: save it as .xlsx"
        raise TableError(f"{name}: is no Excel workbook; it looks like {what}, or save the table as CSV")


def marks(data: bytes, sheet: str) -> Marks:
    """What the XML of a sheet says; nothing if the sheet is not found, which its reader would have said."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        part = _part(archive, sheet)
        text = b"" if part is None else archive.read(part)
    hidden = [found[1] for found in _HIDDEN.finditer(text)] if b"hidden" in text else []
    counts = hidden.count(b"row"), hidden.count(b"col")
    if _FORMULA.search(text) is None and b't="e"' not in text:
        return Marks(hidden=counts)
    errors, unsolved = [], []
    for found in _CELL.finditer(text):
        given, inner = found[1], found[2] or b""
        place = _PLACE.search(given)
        where = place[1].decode() if place else "?"
        if b't="e"' in given:
            errors.append(where)
        elif _FORMULA.search(inner) and b't="str"' not in given and not _VALUE.search(inner):
            unsolved.append(where)
    return Marks(tuple(errors), tuple(unsolved), counts)


def _part(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Where the XML of a sheet lies in the archive."""
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))  # noqa: S314 (expat bounds what entities grow to)
    links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314
    targets = {each.get("Id"): each.get("Target", "") for each in links}
    for tag, key in ((_SHEETS, _ID), (_STRICT, _STRICT_ID)):
        for each in book.iter(tag):
            if each.get("name") == sheet and each.get(key) in targets:
                target = targets[each.get(key)]
                return target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
    return None
