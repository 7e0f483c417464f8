"""The two documents that go with a release: words only, shared by who writes them and who judges them.

`ReleaseDocument` (``release.json``) is public: what a recipient needs to read the tables. `Manifest` stays with the
holder: what would help an adversary, and what an audit of t-closeness or delta-disclosure needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from sfumato.policy.sections import NOTHING, Number, Part, Section, Unread, Weight, moved
from sfumato.table.databases import DATABASES
from sfumato.table.formats import FORMATS, either
from sfumato.table.labels import Labels, LabelsOf

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "ColumnEntry",
    "ColumnLost",
    "Distribution",
    "EarlierEntry",
    "Held",
    "InMemory",
    "InputFacts",
    "LeftOut",
    "LevelEntry",
    "LossEntry",
    "Manifest",
    "Notation",
    "PartEntry",
    "Persons",
    "ReleaseDocument",
    "RowCounts",
    "TableEntry",
    "ValueLabel",
]

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _known(kind: str) -> str:
    if kind not in (*FORMATS, *DATABASES):
        kinds = either(map(repr, (*FORMATS, *DATABASES)))
        raise PydanticCustomError("kind", "the kind of a table must be {kinds}", {"kinds": kinds})
    return kind


def _kinds(schema: dict[str, Any]) -> None:
    schema["enum"] = [*FORMATS, *DATABASES]


Kind = Annotated[str, AfterValidator(_known), Field(json_schema_extra=_kinds)]
"""A kind of table file, or of database, that is known here."""


FileName = Annotated[str, Field(pattern=r"^[^/\\:]+$")]


class PartEntry(Part):
    """One of the files that a table stands in: its rows, and its bytes."""

    file: FileName
    rows: Number
    sha256: Digest


class TableEntry(Part):
    """One published table: a file and its bytes, or a table of a database, `file` its name there, and its cells; no
    `sha256` as long as it is only in memory. A table in several files has `parts`, in the order of its rows, and no
    bytes of its own; `file` is what it would be called as one."""

    name: str
    file: FileName
    kind: Kind
    rows: Number
    columns: tuple[str, ...]
    sha256: Digest | None = None
    parts: tuple[PartEntry, ...] = ()

    @property
    def files(self) -> tuple[tuple[str, str | None], ...]:
        """What its files are called, and the SHA-256 of each."""
        return tuple((part.file, part.sha256) for part in self.parts) or ((self.file, self.sha256),)

    @model_serializer(mode="wrap")
    def _whole(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in handler(self).items() if value or key != "parts"}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.parts and self.sha256 is not None:
            raise ValueError("must have the SHA-256 of its parts, or of its one file")
        if len({part.file for part in self.parts}) < len(self.parts):
            raise ValueError("must name every part once")
        if self.parts and sum(part.rows for part in self.parts) != self.rows:
            raise ValueError("must have as many rows as its parts together")
        return self


class RowCounts(Part):
    """What became of the rows: `suppressed` stand in the table only if `kept`; `dropped` fell to the missing rule."""

    published: Number
    suppressed: Number = 0
    kept: bool = False
    dropped: Number = 0

    @property
    def left_out(self) -> int:
        """Suppressed rows that the table does not show."""
        return 0 if self.kept else self.suppressed


class Notation(Part):
    """How published values are written."""

    suppressed: Literal["*"] = "*"
    missing: Literal[""] = ""
    interval: str = ""
    set: str = ""


class ValueLabel(Part):
    """What a value is called, and the code that it was stored as."""

    code: StrictInt | StrictFloat | StrictStr
    label: str


class ColumnEntry(Part):
    """What a published column is; `values` explains every text of a generalized one, missing left out.

    `type` is that of its values before, where the policy leaves it to the data. `label` is what the file of a
    statistics package calls the column, and `labels` are those of values that are shown; without any, neither is there.
    """

    role: str
    type: Literal["text", "integer", "number", "date"] | None = None
    technique: str = ""
    values: dict[str, str] | None = None
    label: str = ""
    labels: tuple[ValueLabel, ...] = ()

    @model_serializer(mode="wrap")
    def _short(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in handler(self).items() if value or key not in ("label", "labels")}


class LevelEntry(Part):
    """The level of its hierarchy that a column shows in every row: 0 as it is, `height` nothing."""

    level: Number
    height: Number

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.level > self.height:
            raise ValueError("the level must not be above the height")
        return self


def _section(given: object) -> object:
    """A section that was read: which form it is of is told beside it."""
    return Unread.model_validate(dict(given)) if isinstance(given, Mapping) else given


FormSection = Annotated[SerializeAsAny[Section], BeforeValidator(_section)]


class ReleaseDocument(Part):
    """``release.json``: public, next to the tables.

    form       how groups are shown, and with which settings
    shown      what that form says of this release, in a section of its own
    suppressed_terms   quasi-sensitive columns of which terms of the published rows are not shown; how many would tell
                       who knows the algorithm which
    """

    format: Literal["sfumato-release"] = "sfumato-release"
    version: Literal[2] = 2
    sfumato: str
    form: dict[str, Any]
    tables: tuple[TableEntry, ...] = Field(min_length=1)
    group_id: str | None = None
    shown: FormSection = NOTHING
    rows: RowCounts
    promise: tuple[dict[str, Any], ...] = ()
    notation: Notation = Notation.model_construct()
    dictionary: dict[str, ColumnEntry] = Field(default_factory=dict)
    weights: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    suppressed_terms: tuple[str, ...] = ()

    @property
    def labels(self) -> LabelsOf:
        """What columns and values are called beside, by column."""
        told = {
            name: Labels(entry.label, tuple((each.code, each.label) for each in entry.labels))
            for name, entry in self.dictionary.items()
        }
        return {name: labels for name, labels in told.items() if labels}

    def weights_of(self, column: str) -> dict[str, Fraction] | None:
        """The weights of a sensitive column's base values, if they are stated; "" is a missing value."""
        stated = self.weights.get(column)
        return None if stated is None else {value: Fraction(weight) for value, weight in stated.items()}


class InputFacts(Part):
    """The table that the release was made from, with the names of its columns.

    `repeated` of its rows were left out when it was read, since another row of their person stays.
    """

    rows: Number
    sha256: str
    columns: tuple[str, ...] = ()
    repeated: Number = 0


class Distribution(Part):
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


class Persons(Part):
    """Which published rows are of one person, as places in the first table, from 0; all others have one row each."""

    column: str
    rows: tuple[tuple[Number, ...], ...]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        places = [row for rows in self.rows for row in rows]
        if len(set(places)) < len(places):
            raise ValueError("must name every row once")
        return self

    def moved(self, places: Sequence[int]) -> Self:
        """For a table whose row i stands at ``places[i]``."""
        return self.model_copy(update={"rows": tuple(moved(rows, places) for rows in self.rows)})


class Held(Part):
    """What so many rows hold in the columns that are told: published texts, terms joined; null is a missing value."""

    values: tuple[str | None, ...]
    rows: Annotated[Number, Field(ge=1)]


class LeftOut(Part):
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


class ColumnLost(Part):
    """The mean loss of a column's cells, and how many rows say nothing of it, suppressed ones included."""

    loss: float
    says_nothing: Number
    generalized: Number = 0


class LossEntry(Part):
    """What a release lost by the policy's metric, in all and column by column, and what it hardly says anything of.

    `correspondence` is GLP where a form hides whose value is whose, `protection` the excessive protection under a
    promise that caps shares, `terms` the cost T of the terms of every quasi-sensitive column that are not shown.
    """

    metric: str
    value: float
    columns: dict[str, ColumnLost] = Field(default_factory=dict)
    sensitive: dict[str, ColumnLost] = Field(default_factory=dict)
    correspondence: float | None = None
    protection: float | None = None
    terms: dict[str, float] = Field(default_factory=dict)
    worthless: tuple[str, ...] = ()


class EarlierEntry(Part):
    """A release that was published before: its ``release.json``, its table if that is known, and how many rows of the
    new table may be in it."""

    release_sha256: Digest
    input_sha256: str | None = None
    people: Number = 0


class Manifest(Part):
    """The internal manifest: for the holder's eyes, never published.

    `recoding` gives the level that all rows of a column show, `mapping` what every value of it became, where that is
    the same in all rows. Levels are not public: how high a hierarchy is may depend on rows that were suppressed.
    `persons` tells whose published rows are, by number and not by name, where the policy has a column for it.
    `sealed` is what only the holder may know of the form, such as who has which value where that is drawn.
    `priors` are how likely labels are by the terms of the original table, where a promise is compared with that.
    `suppressed_terms` is, per quasi-sensitive column, how many terms of the published rows are not shown.
    `left_out` is what the rows hold that are missing from a form that shows who is.
    `categories` are the different values of quasi-identifiers and sensitive columns of text, for comparison with the
    table of another night. `loss` is what was lost: it depends on rows that are not shown. `before` are the releases
    that this one was compared with before it was published.
    """

    format: Literal["sfumato-manifest"] = "sfumato-manifest"
    version: Literal[2] = 2
    release_sha256: Digest
    input: InputFacts
    policy_sha256: Digest
    key_id: str
    sensitive: dict[str, Distribution]
    recoding: dict[str, LevelEntry] = Field(default_factory=dict)
    mapping: dict[str, dict[str, str]] = Field(default_factory=dict)
    persons: Persons | None = None
    sealed: FormSection = NOTHING
    priors: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    suppressed_terms: dict[str, Number] = Field(default_factory=dict)
    left_out: LeftOut | None = None
    categories: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    loss: LossEntry | None = None
    before: tuple[EarlierEntry, ...] = ()

    def moved(self, places: Sequence[int]) -> Self:
        """The manifest of a first table whose row i stands at ``places[i]``."""
        persons = None if self.persons is None else self.persons.moved(places)
        return self.model_copy(update={"persons": persons, "sealed": self.sealed.moved(places)})


@dataclass(frozen=True, eq=False)
class InMemory:
    """A release that is not written yet: its document and its tables, by name."""

    document: ReleaseDocument
    tables: Mapping[str, pl.DataFrame]
