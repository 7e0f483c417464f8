"""Things planted into written releases, after which no audit may hold.

Whoever plants knows the format: digests in the document are brought up to date wherever that hides something. What is
planted gives the auditor no reason to fail but itself.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["ANYWHERE", "CSV", "PARQUET", "Plant"]

Plant = Callable[[Path], bool]
"""Changes a release folder in place; False if it has no such place."""

NOTE = "Bob has gout"
_HIDDEN = {b"note": NOTE.encode()}


def _document(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    return found


def _save(folder: Path, document: Mapping[str, Any]) -> bool:
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    (folder / "release.json").write_bytes(text.encode())
    return True


def _digests(folder: Path) -> bool:
    """The document says what the files are now."""
    document = _document(folder)
    for entry in document["tables"]:
        entry["sha256"] = hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest()
    return _save(folder, document)


def _first(folder: Path) -> Path:
    return folder / str(_document(folder)["tables"][0]["file"])


def _edited(change: Callable[[dict[str, Any]], bool | None]) -> Plant:
    """A change of the document alone."""

    def plant(folder: Path) -> bool:
        document = _document(folder)
        return change(document) is not False and _save(folder, document)

    return plant


def _bytes(change: Callable[[bytes], bytes], *, told: bool = True, document: bool = False) -> Plant:
    """A change of the bytes of the first table, or of the document; `told`: digests follow."""

    def plant(folder: Path) -> bool:
        path = folder / "release.json" if document else _first(folder)
        before = path.read_bytes()
        after = change(before)
        path.write_bytes(after)
        return after != before and (document or not told or _digests(folder))

    return plant


def _key(place: str, value: Any) -> Plant:
    """Something under a key of the document: `place` is the path to it."""

    def change(document: dict[str, Any]) -> bool:
        *path, last = place.split(".")
        at: Any = document
        for step in path:
            at = at[int(step)] if isinstance(at, list) else at.get(step)
            if at is None:
                return False
        at[last] = value
        return True

    return _edited(change)


def _told_column(document: dict[str, Any], key: str, value: Any) -> bool:
    entry = next(iter(document["dictionary"].values()))
    entry[key] = value
    return True


def _renamed_table(folder: Path) -> bool:
    document = _document(folder)
    entry = document["tables"][0]
    old = folder / entry["file"]
    entry["file"] = f"{NOTE}{old.suffix}"
    old.rename(folder / entry["file"])
    return _save(folder, document)


def _renamed_group(folder: Path) -> bool:
    """The group id under another name, in all tables."""
    document = _document(folder)
    old = document["group_id"]
    if old is None or document["tables"][0]["kind"] != "csv":
        return False
    for entry in document["tables"]:
        path = folder / entry["file"]
        head, _, rest = path.read_text(encoding="utf-8").partition("\n")
        names = [NOTE if name == old else name for name in head.split(",")]
        path.write_text(",".join(names) + "\n" + rest, encoding="utf-8")
        entry["columns"] = names
    document["group_id"], document["dictionary"][NOTE] = NOTE, document["dictionary"].pop(old)
    slices = document["shown"].get("slices", [])
    if slices:
        document["shown"]["slices"] = [[NOTE if name == old else name for name in part] for part in slices]
    return _save(folder, document) and _digests(folder)


def _named_values(document: dict[str, Any]) -> bool:
    """A promise of the policy, with values that nobody asked about."""
    first = document["promise"][0]
    document["promise"] = [first, {"model": "pd-recursive", "c": 1, "l": 1, "disclosable": [NOTE], "on": "ill"}]
    return True


def _before(document: dict[str, Any]) -> bool:
    """As version 1 had it, with a count that is a note."""
    said = {"slices": [], "retention": None, "bounds": {}, **document.pop("shown"), "count": NOTE}
    document.update(version=1, **said)
    return True


def _weights(document: dict[str, Any]) -> bool:
    """One more base value, so that general ones seem to say less."""
    stated = document["weights"].get("ill")
    if not stated:
        return False
    stated["cold"] = "1"
    return True


def _linked(folder: Path) -> bool:
    real = folder / "release.json"
    moved = folder.with_name("elsewhere.json")
    real.rename(moved)
    real.symlink_to(moved)
    return True


def _linked_table(folder: Path) -> bool:
    real = _first(folder)
    moved = folder.with_name(f"elsewhere{real.suffix}")
    real.rename(moved)
    real.symlink_to(moved)
    return True


def _beside(name: str) -> Plant:
    def plant(folder: Path) -> bool:
        (folder / name).write_text(NOTE, encoding="utf-8")
        return True

    return plant


def _below(folder: Path) -> bool:
    (folder / "more").mkdir()
    return True


ANYWHERE: dict[str, Plant] = {
    "tool version": _key("sfumato", f"0.1 {NOTE}"),
    "table name": _key("tables.0.name", NOTE),
    "file name": _renamed_table,
    "group id name": _renamed_group,
    "unknown key": _key("remark", NOTE),
    "interval notation": _key("notation.interval", NOTE),
    "technique": _edited(lambda document: _told_column(document, "technique", NOTE)),
    "role": _edited(lambda document: _told_column(document, "role", NOTE)),
    "meaning": _edited(lambda document: _told_column(document, "values", {"x": NOTE})),
    "explained column": _key(f"dictionary.{NOTE}", {"role": "quasi", "technique": "generalized", "values": None}),
    "form setting": _key("form.remark", NOTE),
    "promised values": _edited(_named_values),
    "promised column": _key("promise.0.on", NOTE),
    "suppressed terms": _key("suppressed_terms", [NOTE]),
    "count name": _key("shown.count", NOTE),
    "retention": _key("shown.retention", "123456789/1234567890"),
    "section": _key("shown.remark", NOTE),
    "bounds of nothing": _key("shown.bounds", {NOTE: []}),
    "slices of nothing": _key("shown.slices", [[NOTE]]),
    "count name in version 1": _edited(_before),
    "weights of nobody": _key(f"weights.{NOTE}", {"a": "1"}),
    "weights of a value": _edited(_weights),
    "white space after": _bytes(lambda raw: raw + b" \t \t\t\n", document=True),
    "white space before": _bytes(lambda raw: b" \t\n" + raw, document=True),
    "white space inside": _bytes(lambda raw: raw.replace(b'": ', b'":  ', 3), document=True),
    "escapes": _bytes(lambda raw: raw.replace(b'"version"', b'"\\u0076ersion"'), document=True),
    "byte order mark": _bytes(lambda raw: b"\xef\xbb\xbf" + raw, document=True),
    "linked document": _linked,
    "linked table": _linked_table,
    "file beside": _beside("notes.txt"),
    "hidden file beside": _beside(".notes"),
    "folder below": _below,
    "one byte of the table": _bytes(lambda raw: raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:], told=False),
    "bytes after the table": _bytes(lambda raw: raw + b"\n", told=False),
}


def _cell(change: Callable[[list[str]], None]) -> Plant:
    """A change of the lines of a CSV table that digests follow."""

    def alter(raw: bytes) -> bytes:
        lines = raw.decode().split("\n")
        change(lines)
        return "\n".join(lines).encode()

    return _bytes(alter)


def _spaced(lines: list[str]) -> None:
    lines[1] = lines[1].replace(",", " ,", 1)


def _quoted(lines: list[str]) -> None:
    first, comma, rest = lines[2].partition(",")
    lines[2] = lines[2] if first.startswith('"') else f'"{first}"{comma}{rest}'


CSV: dict[str, Plant] = {
    "space in a cell": _cell(_spaced),
    "blank lines after": _bytes(lambda raw: raw + b"\n\n"),
    "quotes that nobody needs": _cell(_quoted),
    "line ends": _bytes(lambda raw: raw.replace(b"\n", b"\r\n", 2)),
    "byte order mark of the table": _bytes(lambda raw: b"\xef\xbb\xbf" + raw),
}


def _rewritten(write: Callable[[pa.Table, Path], None]) -> Plant:
    """The same table, written to Parquet by other hands."""

    def plant(folder: Path) -> bool:
        path = _first(folder)
        write(pq.read_table(path), path)
        return _digests(folder)

    return plant


def _in_field(table: pa.Table, path: Path) -> None:
    fields = [field.with_metadata(_HIDDEN if at == 0 else None) for at, field in enumerate(table.schema)]
    pq.write_table(table.cast(pa.schema(fields)), path)


def _in_arrow_schema(table: pa.Table, path: Path) -> None:
    """Metadata that stands only inside the serialized Arrow schema, where readers look it up."""
    schema = table.schema.remove_metadata()
    inside = base64.b64encode(schema.with_metadata(_HIDDEN).serialize().to_pybytes())
    pq.write_table(table.replace_schema_metadata({b"ARROW:schema": inside}), path, store_schema=False)


def _in_dictionary(table: pa.Table, path: Path) -> None:
    """A value that no row has, in the dictionary of the column."""
    column = table.column("town").combine_chunks().cast(pa.string())
    values = [*column.unique().to_pylist(), NOTE]
    codes = pa.array([values.index(value) for value in column.to_pylist()], pa.int32())
    coded = pa.DictionaryArray.from_arrays(codes, pa.array(values))
    place = table.schema.get_field_index("town")
    pq.write_table(table.set_column(place, "town", coded), path, store_schema=False)


def _between_groups(table: pa.Table, path: Path) -> None:
    """Bytes between two row groups, which no offset points to."""
    with pa.OSFile(str(path), "wb") as sink:
        writer = pq.ParquetWriter(sink, table.schema.remove_metadata(), store_schema=False)
        writer.write_table(table.slice(0, 6))
        sink.write(NOTE.encode())
        writer.write_table(table.slice(6))
        writer.close()


def _footer(raw: bytes) -> int:
    return len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")


def _before_footer(raw: bytes) -> bytes:
    return raw[: _footer(raw)] + NOTE.encode() + raw[_footer(raw) :]


def _after_magic(raw: bytes) -> bytes:
    """The creator's name in the footer, of the same length."""
    at = raw.find(b"parquet", _footer(raw))
    return raw if at < 0 else raw[:at] + b"GoutBob" + raw[at + 7 :]


def _statistics(raw: bytes) -> bytes:
    """Another smallest or largest value of a column, of the same length."""
    start = _footer(raw)
    for word in (b"Aarau", b"Basel", b"flu", b"gout", b"mumps", b"ulcer"):
        at = raw.find(word, start)
        if at >= 0:
            return raw[:at] + b"BobIsIll"[: len(word)] + raw[at + len(word) :]
    return raw


def _forged_statistics(folder: Path) -> bool:
    path = _first(folder)
    pq.write_table(pq.read_table(path), path, write_statistics=True, store_schema=False)
    before = path.read_bytes()
    path.write_bytes(_statistics(before))
    return path.read_bytes() != before and _digests(folder)


PARQUET: dict[str, Plant] = {
    "file metadata": _rewritten(lambda table, path: pq.write_table(table.replace_schema_metadata(_HIDDEN), path)),
    "field metadata": _rewritten(_in_field),
    "metadata inside the Arrow schema": _rewritten(_in_arrow_schema),
    "unused dictionary value": _rewritten(_in_dictionary),
    "bytes between row groups": _rewritten(_between_groups),
    "bytes before the footer": _bytes(_before_footer),
    "name of the writer": _bytes(_after_magic),
    "statistics": _bytes(_statistics),
    "statistics by another writer": _forged_statistics,
}
