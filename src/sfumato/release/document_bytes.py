"""The documents of a release as bytes: written one way, and read from files or mappings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from sfumato.errors import InputError
from sfumato.extension import installed
from sfumato.policy.forms import FORMS
from sfumato.policy.sections import Section, Unread
from sfumato.release.documents import Manifest, ReleaseDocument
from sfumato.release.upgrade import MANIFEST, RELEASE, VERSION, as_written_before, upgraded

__all__ = [
    "is_plain",
    "read_manifest",
    "read_release_document",
    "read_section",
    "release_document",
    "release_schema",
    "to_bytes",
]

D = TypeVar("D", ReleaseDocument, Manifest)
S = TypeVar("S", bound=Section)


def to_bytes(document: ReleaseDocument | Manifest) -> bytes:
    """The document as it is written: indented UTF-8 JSON, the same bytes every time."""
    return _dumped(document.model_dump(mode="json"))


def is_plain(document: ReleaseDocument, raw: bytes, source: str) -> bool:
    """Whether bytes are what their document is written as, left out settings apart."""
    given, sha256 = document.model_dump(mode="json", exclude_unset=True), hashlib.sha256(raw).hexdigest()
    if _digest(given) == sha256:
        return True
    before = as_written_before(given, _json(raw, source))
    return before is not None and _digest(before) == sha256


def _digest(given: Mapping[str, Any]) -> str | None:
    try:
        return hashlib.sha256(_dumped(given)).hexdigest()
    except UnicodeEncodeError:  # half a character, as only an escape can write it
        return None


def _dumped(given: Mapping[str, Any]) -> bytes:
    return (json.dumps(given, ensure_ascii=False, indent=1) + "\n").encode()


def release_schema() -> dict[str, Any]:
    """JSON Schema of ``release.json``, with the sections of all forms that are installed."""
    made = ReleaseDocument.model_json_schema()
    parts, sections = made["$defs"], []
    del parts["Section"]
    for kind in dict.fromkeys(form.shown for form in installed(FORMS, "sfumato.form_settings").values()):
        section = kind.model_json_schema(ref_template="#/$defs/{model}")
        parts |= section.pop("$defs", {})
        parts[kind.__name__] = section
        sections.append({"$ref": f"#/$defs/{kind.__name__}"})
    made["properties"]["shown"] = {"anyOf": sections, "default": {}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def read_release_document(path: Path) -> tuple[ReleaseDocument, str]:
    """The document in a ``release.json``, and the SHA-256 of its bytes."""
    return release_document(_bytes(path, "release document"), str(path))


def release_document(raw: bytes, source: str) -> tuple[ReleaseDocument, str]:
    """The document in some bytes, and their SHA-256; `source` is what messages call them."""
    return _document(_json(raw, source), ReleaseDocument, RELEASE, source), hashlib.sha256(raw).hexdigest()


def read_manifest(given: Manifest | Mapping[str, Any] | str | Path) -> Manifest:
    """The internal manifest in a file, a mapping, or itself."""
    if isinstance(given, Manifest):
        return given
    if isinstance(given, Mapping):
        return _document(given, Manifest, MANIFEST, "manifest")
    path = Path(given)
    return _document(_json(_bytes(path, "manifest"), str(path)), Manifest, MANIFEST, str(path))


def _bytes(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such {what}") from None
    except OSError as error:
        raise InputError(f"{path}: the {what} cannot be read: {error.__class__.__name__}") from None


def _json(raw: bytes, source: str) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise InputError(f"{source}: is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{source}: is not valid JSON (line {error.lineno}, column {error.colno})") from None
    except (ValueError, RecursionError):
        raise InputError(f"{source}: is not valid JSON: a key stands twice, or it is nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError
    return made


def _document(raw: Any, cls: type[D], name: str, source: str) -> D:
    if not isinstance(raw, Mapping) or raw.get("format") != name:
        raise InputError(f"{source}: is not a document of the format {name!r}")
    version = raw.get("version")
    if isinstance(version, int) and version > VERSION:
        raise InputError(
            f"{source}: version {version} of {name!r} is newer than this sfumato reads (up to {VERSION}); upgrade it"
        )
    try:
        return cls.model_validate(upgraded(raw, name))
    except ValidationError as error:
        raise _invalid(error, name, source, 2) from None


def read_section(section: Section, kind: type[S], key: str, name: str, source: str) -> S:
    """A form's section of a document of that format, as the form declares it."""
    if isinstance(section, kind):
        return section
    said = section.model_extra if isinstance(section, Unread) else section.model_dump(exclude_unset=True)
    try:
        return kind.model_validate(said)
    except ValidationError as error:
        raise _invalid(error, name, source, 0, key) from None


def _invalid(error: ValidationError, name: str, source: str, ours: int, *within: str) -> InputError:
    """Only the first names of a path are ours; deeper ones may be values of the data."""
    places = sorted(
        {".".join(map(str, (*within, *item["loc"][:ours]))) + ": " + item["msg"] for item in error.errors()}
    )
    return InputError(f"{source}: is not a valid {name!r} document\n  " + "\n  ".join(places))
