"""The documents of a release as bytes: written one way, and read from files or mappings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from sfumato.errors import InputError
from sfumato.release.documents import Manifest, ReleaseDocument

__all__ = ["is_plain", "read_manifest", "read_release_document", "release_schema", "to_bytes"]

RELEASE_FORMAT = "sfumato-release"
MANIFEST_FORMAT = "sfumato-manifest"
VERSION = 1

D = TypeVar("D", ReleaseDocument, Manifest)


def to_bytes(document: ReleaseDocument | Manifest) -> bytes:
    """The document as it is written: indented UTF-8 JSON, the same bytes every time."""
    return (json.dumps(document.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n").encode()


def is_plain(document: ReleaseDocument, sha256: str) -> bool:
    """Whether bytes with that SHA-256 are what the document is written as, settings that it leaves out apart."""
    given = document.model_dump(mode="json", exclude_unset=True)
    try:
        written = (json.dumps(given, ensure_ascii=False, indent=1) + "\n").encode()
    except UnicodeEncodeError:  # half a character, as only an escape can write it
        return False
    return hashlib.sha256(written).hexdigest() == sha256


def release_schema() -> dict[str, Any]:
    """JSON Schema of ``release.json``."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **ReleaseDocument.model_json_schema()}


def read_release_document(path: Path) -> tuple[ReleaseDocument, str]:
    """The document in a ``release.json``, and the SHA-256 of its bytes."""
    raw = _bytes(path, "release document")
    return _document(_json(raw, str(path)), ReleaseDocument, RELEASE_FORMAT, str(path)), hashlib.sha256(raw).hexdigest()


def read_manifest(given: Manifest | Mapping[str, Any] | str | Path) -> Manifest:
    """The internal manifest in a file, a mapping, or itself."""
    if isinstance(given, Manifest):
        return given
    if isinstance(given, Mapping):
        return _document(given, Manifest, MANIFEST_FORMAT, "manifest")
    path = Path(given)
    return _document(_json(_bytes(path, "manifest"), str(path)), Manifest, MANIFEST_FORMAT, str(path))


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
        return cls.model_validate(dict(raw))
    except ValidationError as error:
        # Only the first names of a path are ours; deeper ones may be values of the data.
        places = sorted(
            {".".join(str(part) for part in item["loc"][:2]) + ": " + item["msg"] for item in error.errors()}
        )
        raise InputError(f"{source}: is not a valid {name!r} document\n  " + "\n  ".join(places)) from None
