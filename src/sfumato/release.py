"""The two documents that go with a release: words only, shared by who writes them and who judges them.

`ReleaseDocument` (``release.json``) is public: what a recipient needs to read the tables. `Manifest` stays with the
holder: what would help an adversary, and what an audit of t-closeness or delta-disclosure needs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from sfumato.errors import InputError
from sfumato.table.formats import FORMATS, either

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "JOURNAL",
    "MANIFEST_FORMAT",
    "RELEASE_FORMAT",
    "VERSION",
    "BlockEntry",
    "ColumnEntry",
    "Distribution",
    "Held",
    "InMemory",
    "InputFacts",
    "LeftOut",
    "LevelEntry",
    "Manifest",
    "Notation",
    "Persons",
    "ReleaseDocument",
    "RingEntry",
    "RowCounts",
    "TableEntry",
    "is_plain",
    "read_manifest",
    "read_release_document",
    "release_schema",
    "staging_names",
    "to_bytes",
]

RELEASE_FORMAT = "sfumato-release"
MANIFEST_FORMAT = "sfumato-manifest"
VERSION = 1
JOURNAL = "journal.json"
"""In a staging folder: the moves by which its files get to their places, from when they begin until they are made."""

Number = Annotated[int, Field(ge=0, lt=2**62, strict=True)]
Weight = Annotated[str, Field(pattern=r"^[0-9]{1,400}(/[1-9][0-9]{0,399})?$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _known(kind: str) -> str:
    if kind not in FORMATS:
        raise PydanticCustomError(
            "kind", "the kind of a table file must be {kinds}", {"kinds": either(map(repr, FORMATS))}
        )
    return kind


def _kinds(schema: dict[str, Any]) -> None:
    schema["enum"] = [*FORMATS]


Kind = Annotated[str, AfterValidator(_known), Field(json_schema_extra=_kinds)]
"""A kind of table file that is known here."""


class _Document(BaseModel):
    """A frozen part of a document that knows all its keys and repeats none of its values in an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class TableEntry(_Document):
    """One published table and the bytes it consists of; no `sha256` as long as it is only in memory."""

    name: str
    file: str = Field(pattern=r"^[^/\\:]+$")
    kind: Kind
    rows: Number
    columns: tuple[str, ...]
    sha256: Digest | None = None


class RowCounts(_Document):
    """What became of the rows: `suppressed` stand in the table only if `kept`; `dropped` fell to the missing rule."""

    published: Number
    suppressed: Number = 0
    kept: bool = False
    dropped: Number = 0

    @property
    def left_out(self) -> int:
        """Suppressed rows that the table does not show."""
        return 0 if self.kept else self.suppressed


class Notation(_Document):
    """How published values are written."""

    suppressed: Literal["*"] = "*"
    missing: Literal[""] = ""
    interval: str = ""
    set: str = ""


class ColumnEntry(_Document):
    """What a published column is; `values` explains every text of a generalized one, missing left out.

    `type` is that of its values before, where the policy leaves it to the data.
    """

    role: str
    type: Literal["text", "integer", "number", "date"] | None = None
    technique: str = ""
    values: dict[str, str] | None = None


class LevelEntry(_Document):
    """The level of its hierarchy that a column shows in every row: 0 as it is, `height` nothing."""

    level: Number
    height: Number

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.level > self.height:
            raise ValueError("the level must not be above the height")
        return self


class RingEntry(_Document):
    """Rows of the published table, from 0 on, in the order of a ring; each shows `width` of them, from itself on."""

    rows: tuple[Number, ...] = Field(min_length=1)
    width: Annotated[int, Field(ge=1, lt=2**62, strict=True)]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.width > len(self.rows):
            raise ValueError("the width must not be above the number of rows")
        return self


class BlockEntry(_Document):
    """What a group held before its values were changed: different combinations, and counts of values by column."""

    combinations: Annotated[int, Field(ge=1, lt=2**62, strict=True)]
    counts: dict[str, tuple[Annotated[int, Field(ge=1, lt=2**62, strict=True)], ...]]


class ReleaseDocument(_Document):
    """``release.json``: public, next to the tables.

    count      the column that says how many rows an entry stands for, in a form that counts
    slices     columns that stand together row by row, in a form that takes others apart
    retention  the probability with which a sensitive value was kept, in a form that changes them
    bounds     quasi-identifiers that are shown by two columns, lower and upper bound, and a third that says whether the
               value is missing, if any is
    suppressed_terms   quasi-sensitive columns of which terms of the published rows are not shown; how many would tell
                       who knows the algorithm which
    """

    format: Literal["sfumato-release"] = "sfumato-release"
    version: Literal[1] = 1
    sfumato: str
    form: dict[str, Any]
    tables: tuple[TableEntry, ...] = Field(min_length=1)
    group_id: str | None = None
    count: str | None = None
    slices: tuple[tuple[str, ...], ...] = ()
    retention: Weight | None = None
    bounds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    rows: RowCounts
    promise: tuple[dict[str, Any], ...] = ()
    notation: Notation = Notation()
    dictionary: dict[str, ColumnEntry] = Field(default_factory=dict)
    weights: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    suppressed_terms: tuple[str, ...] = ()

    def weights_of(self, column: str) -> dict[str, Fraction] | None:
        """The weights of a sensitive column's base values, if they are stated; "" is a missing value."""
        stated = self.weights.get(column)
        return None if stated is None else {value: Fraction(weight) for value, weight in stated.items()}


class InputFacts(_Document):
    """The table that the release was made from, with the names of its columns.

    `repeated` of its rows were left out when it was read, since another row of their person stays.
    """

    rows: Number
    sha256: str
    columns: tuple[str, ...] = ()
    repeated: Number = 0


class Distribution(_Document):
    """Rows per value of a sensitive column in the original table, as published texts; null is a missing value."""

    values: tuple[str | None, ...]
    counts: tuple[Number, ...]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.values) != len(self.counts):
            raise ValueError("must have as many counts as values")
        if len(set(self.values)) != len(self.values):
            raise ValueError("must name every value once")
        return self


class Persons(_Document):
    """Which published rows are of one person, as places in the first table, from 0; all others have one row each."""

    column: str
    rows: tuple[tuple[Number, ...], ...]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        places = [row for rows in self.rows for row in rows]
        if len(set(places)) < len(places):
            raise ValueError("must name every row once")
        return self


class Held(_Document):
    """What so many rows hold in the columns that are told: published texts, terms joined; null is a missing value."""

    values: tuple[str | None, ...]
    rows: Annotated[Number, Field(ge=1)]


class LeftOut(_Document):
    """What the rows hold that are not in the table, where its form shows who is missing.

    columns      the sensitive and quasi-sensitive columns, in the order of the policy
    suppressed   rows that were left out because no group could take them
    dropped      rows that were left out by the missing rule
    most         the most of both that are one person's
    """

    columns: tuple[str, ...]
    suppressed: tuple[Held, ...] = ()
    dropped: tuple[Held, ...] = ()
    most: Number = 0

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if any(len(held.values) != len(self.columns) for held in (*self.suppressed, *self.dropped)):
            raise ValueError("must have a value for every column")
        return self


class Manifest(_Document):
    """The internal manifest: for the holder's eyes, never published.

    `recoding` gives the level that all rows of a column show, `mapping` what every value of it became, where that is
    the same in all rows. Levels are not public: how high a hierarchy is may depend on rows that were suppressed.
    `persons` tells whose published rows are, by number and not by name, where the policy has a column for it.
    `rings` and `blocks` (by group id) are what only the holder may know of forms that draw who has which value.
    `priors` are how likely labels are by the terms of the original table, where a promise is compared with that.
    `suppressed_terms` is, per quasi-sensitive column, how many terms of the published rows are not shown.
    `left_out` is what the rows hold that are missing from a form that shows who is.
    `categories` are the different values of quasi-identifiers and sensitive columns of text, for comparison with the
    table of another night.
    """

    format: Literal["sfumato-manifest"] = "sfumato-manifest"
    version: Literal[1] = 1
    release_sha256: Digest
    input: InputFacts
    policy_sha256: Digest
    key_id: str
    sensitive: dict[str, Distribution]
    recoding: dict[str, LevelEntry] = Field(default_factory=dict)
    mapping: dict[str, dict[str, str]] = Field(default_factory=dict)
    persons: Persons | None = None
    rings: tuple[RingEntry, ...] = ()
    blocks: dict[str, BlockEntry] = Field(default_factory=dict)
    priors: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    suppressed_terms: dict[str, Number] = Field(default_factory=dict)
    left_out: LeftOut | None = None
    categories: dict[str, tuple[str, ...]] = Field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class InMemory:
    """A release that is not written yet: its document and its tables, by name."""

    document: ReleaseDocument
    tables: Mapping[str, pl.DataFrame]


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


def staging_names(target: str) -> str:
    """How the names of staging folders begin that lie beside a target of this name."""
    return f".{target}.sfumato-"


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
