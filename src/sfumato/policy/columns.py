"""Columns of a policy: role, type, order, missing rule, hierarchy, outside knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    SerializerFunctionWrapHandler,
    Tag,
    ValidationError,
    WithJsonSchema,
    model_serializer,
)

from sfumato.errors import PolicyError
from sfumato.exact import as_text
from sfumato.policy.parameters import Count, Ratio
from sfumato.policy.problems import problems_of
from sfumato.policy.taught import TaughtModel, in_short, names_of, teach

__all__ = [
    "SAME",
    "Balanced",
    "BalancedHierarchy",
    "Bins",
    "Column",
    "DatesHierarchy",
    "FileHierarchy",
    "Grown",
    "Hierarchy",
    "IntervalsHierarchy",
    "KnowledgeFile",
    "KnowledgeInline",
    "MaskHierarchy",
    "Missing",
    "PrefixHierarchy",
    "ReadyHierarchy",
    "Role",
    "Strict",
    "TreeHierarchy",
    "Type",
]

Role = Literal["identifier", "individual", "quasi", "sensitive", "quasi-sensitive", "insensitive", "weight", "drop"]
Missing = Literal["category", "error", "drop"]
Type = Literal["text", "integer", "number", "date"]


class Strict(BaseModel, metaclass=TaughtModel):
    """A frozen part of the policy that knows all its settings."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True, json_schema_extra=in_short
    )

    def __init__(self, **settings: Any) -> None:
        """Checked when made: every mistake at once, as in a policy."""
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise PolicyError(problems_of(error), type(self).__name__) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # a document is checked without it, as a whole

    @classmethod
    def __pydantic_init_subclass__(cls, **given: Any) -> None:
        teach(cls)

    def __dir__(self) -> list[str]:
        return names_of(self)

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """What is not the default."""
        for name, info in type(self).model_fields.items():
            value, usual = getattr(self, name), info.get_default(call_default_factory=True, validated_data={})
            if value != usual and str(value) != str(usual):  # 1/2 may be the text of a default
                yield name, as_text(value) if isinstance(value, Fraction) else value

    def __str__(self) -> str:
        return repr(self)


class Grown(Strict):
    """Settings to which some were added after documents had been written and hashed.

    later    those; they stand in a document only where they are not the default, so that digests stay what they were
    """

    later: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _as_ever(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        usual = (
            name for name in self.later if getattr(self, name) == fields[name].get_default(call_default_factory=True)
        )
        plain: dict[str, Any] = handler(self)
        for name in usual:
            plain.pop(name, None)
        return plain


class FileHierarchy(Strict):
    """A hierarchy file. CSV: one line per value, from the value to the most general; or Amnesia text, YAML, JSON."""

    file: str = Field(description="its name, from the folder of the policy")
    header: bool | None = Field(None, description="whether a CSV file has a header line; must be said if unclear")
    format: Literal["arx", "csv", "amnesia", "yaml"] | None = Field(None, description="default: by the file's look")
    public: bool = Field(
        False, description="whether everybody may know its values: then the data dictionary lists what a label covers"
    )


class IntervalsHierarchy(Strict):
    """Intervals of growing width, each width a multiple of the one before; the root above them."""

    intervals: Annotated[tuple[Annotated[Ratio, Field(gt=0)], ...], Field(min_length=1)] = Field(
        description="the widths, narrowest first"
    )
    origin: Ratio = Field(default=0, validate_default=True, description="where an interval begins")


class MaskHierarchy(Strict):
    """Digits masked one by one, from the right (81***) or from the left."""

    mask: Literal["left", "right"] = Field(description="the side that is masked first")


class PrefixHierarchy(Strict):
    """Codes by how they begin (250*), for codes of unequal length."""

    prefix: Annotated[tuple[Annotated[Count, Field(ge=1)], ...], Field(min_length=1)] = Field(
        description="how many characters are kept, most first; a shorter code stands for itself"
    )


class ReadyHierarchy(Strict):
    """A hierarchy that comes with the package."""

    ready: Literal["ages", "incomes", "dates", "countries", "icd9", "icd10"] = Field(description="which one")
    unknown: Literal["error", "other"] = Field(
        "error", description="what values are that it does not know: an error, or one group, called other"
    )


class DatesHierarchy(Strict):
    """Calendar units, each coarser than the one before: day, month, quarter, year, decade."""

    dates: Annotated[tuple[Literal["day", "month", "quarter", "year", "decade"], ...], Field(min_length=1)] = Field(
        description="the units, finest first"
    )


class TreeHierarchy(Strict):
    """A tree written in the policy: nested mappings down to lists of values."""

    tree: dict[str, Any] = Field(description="label to labels below it, down to lists of values")


class Balanced(Strict):
    """Settings of a hierarchy made from the data."""

    fanout: Annotated[Count, Field(ge=2)] = Field(2, description="children of a node")


class BalancedHierarchy(Strict):
    """A tree made from the data: quantiles of numbers, or categories in groups of equal frequency."""

    balanced: Balanced


_KINDS = {
    "file": FileHierarchy,
    "intervals": IntervalsHierarchy,
    "mask": MaskHierarchy,
    "prefix": PrefixHierarchy,
    "dates": DatesHierarchy,
    "tree": TreeHierarchy,
    "ready": ReadyHierarchy,
    "balanced": BalancedHierarchy,
}


def _kind(given: Any) -> str | None:
    if given == "flat":
        return "flat"
    for kind, cls in _KINDS.items():
        if isinstance(given, cls) or (isinstance(given, dict) and kind in given):
            return kind
    return None


Hierarchy = Annotated[
    Annotated[Literal["flat"], Tag("flat")]
    | Annotated[FileHierarchy, Tag("file")]
    | Annotated[IntervalsHierarchy, Tag("intervals")]
    | Annotated[MaskHierarchy, Tag("mask")]
    | Annotated[PrefixHierarchy, Tag("prefix")]
    | Annotated[DatesHierarchy, Tag("dates")]
    | Annotated[TreeHierarchy, Tag("tree")]
    | Annotated[ReadyHierarchy, Tag("ready")]
    | Annotated[BalancedHierarchy, Tag("balanced")],
    Discriminator(
        _kind,
        custom_error_type="hierarchy",
        custom_error_message=f"must be 'flat' or a mapping with one of: {', '.join(_KINDS)}",
    ),
]


class KnowledgeFile(Strict):
    """A table of labels and the terms that go with each: CSV, Parquet, YAML or JSON."""

    file: str = Field(description="its name, from the folder of the policy")
    layout: Literal["long", "wide", "cell", "binary"] | None = Field(
        None, description="a term per row, per column, all in one cell, or a column of 0 and 1; default: by its look"
    )
    label: str | None = Field(None, description="the column of labels; default: the first")
    term: str | None = Field(None, description="the column of terms; default: the next")
    separator: str | None = Field(None, min_length=1, description="what parts the terms of one cell")
    probability: str | None = Field(None, description="the column of P(term | label)")
    way: str | None = Field(None, description="the column that tells several sets of one label apart")
    prior: str | None = Field(None, description="the column of the labels' priors")
    delimiter: str | None = Field(None, min_length=1, max_length=1, description="CSV; default: the only one that fits")


class KnowledgeInline(Strict):
    """Labels with their terms, written in the policy."""

    labels: dict[str, Any] = Field(min_length=1, description="label to a list of terms, or of such lists")
    priors: dict[str, Any] | None = Field(None, description="label to how likely it is, in any unit")


def _source(given: Any) -> str | None:
    for kind, cls in {"file": KnowledgeFile, "labels": KnowledgeInline}.items():
        if isinstance(given, cls) or (isinstance(given, dict) and kind in given):
            return kind
    return None


Knowledge = Annotated[
    Annotated[KnowledgeFile, Tag("file")] | Annotated[KnowledgeInline, Tag("labels")],
    Discriminator(
        _source,
        custom_error_type="knowledge",
        custom_error_message="must be a mapping with one of: file, labels",
    ),
]


class Bins(Strict):
    """Bins of equal width for a sensitive number."""

    width: Annotated[Ratio, Field(gt=0)] = Field(description="of every bin")
    origin: Ratio = Field(default=0, validate_default=True, description="where a bin begins")


SAME = ("case", "space")
"""What spellings of one value may differ in; `space` stands for invisible characters and Unicode form as well."""


Same = Literal["none"] | tuple[Literal["case", "space"], ...]


def _ways(given: Any) -> Any:
    """One way or several as several; or `none`."""
    ways = (given,) if given in SAME else tuple(given) if isinstance(given, (list, tuple)) else given
    if given == "none" or (isinstance(ways, tuple) and ways and all(way in SAME for way in ways)):
        return given if given == "none" else tuple(way for way in SAME if way in ways)
    raise ValueError("must be case, space, [case, space] or none")


_SAME: dict[str, Any] = {
    "anyOf": [
        {"enum": [*SAME, "none"]},
        {"type": "array", "items": {"enum": list(SAME)}, "minItems": 1},
        {"type": "null"},
    ]
}


def _texts(values: Any) -> Any:
    return tuple(str(value) for value in values) if isinstance(values, (list, tuple)) else values


class Column(Grown):
    """One column of the data."""

    later: ClassVar[frozenset[str]] = frozenset({"unique"})

    role: Role = Field(description="what the column tells about a person; never guessed")
    type: Type | None = Field(None, description="not given: that of the frame or file; in CSV, text")
    order: Annotated[tuple[str, ...], BeforeValidator(_texts)] | None = Field(
        None, description="the values from smallest to largest, for text that has an order"
    )
    hierarchy: Hierarchy | None = Field(
        None, description="how values are generalized; none: intervals or sets. Of a quasi-sensitive column: its labels"
    )
    missing: Missing | None = Field(None, description="overrides the policy's missing rule")
    rows: Literal["all", "one", "one-per-value"] = Field(
        "all", description="individual only: all rows of a person, one of them, or one for each sensitive value"
    )
    pseudonym: bool = Field(False, description="identifier only: a random name instead of dropping the column")
    bins: Annotated[tuple[Ratio, ...], Field(min_length=2)] | Bins | None = Field(
        None, description="sensitive numbers only: edges, or {width}; values of one bin are one secret"
    )
    difference: Annotated[Ratio, Field(gt=0)] | None = Field(
        None, description="sensitive numbers only: values no further apart than this are one secret"
    )
    same: Annotated[Same, BeforeValidator(_ways), WithJsonSchema(_SAME)] | None = Field(
        None,
        description="(quasi-)sensitive text: spellings that differ only in `case`, in `space` (invisible characters and"
        " Unicode form too) or in either are one value; `none`: they differ",
    )
    unique: Literal["accepted"] | None = Field(
        None, description="insensitive only: publish it even if half of the rows, or more, have a value of their own"
    )
    separator: str | None = Field(
        None, min_length=1, description="quasi-sensitive only: what parts the terms of a cell; also how they are shown"
    )
    binary: Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        None, description="quasi-sensitive only: columns of 0 and 1 that together are this one; each is a term"
    )
    wide: Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        None, description="quasi-sensitive only: columns that each hold a term, and together are this one"
    )
    knowledge: Knowledge | None = Field(None, description="quasi-sensitive only: which terms go with which label")
    unknown: Literal["drop", "strict"] = Field(
        "drop", description="quasi-sensitive only: a term without any label is ignored, or leaves the row no label"
    )
    lengths: Literal["hidden", "known"] = Field(
        "hidden", description="quasi-sensitive only: whether it may be known how many terms a row had"
    )

    @property
    def merged(self) -> tuple[str, ...]:
        """In what spellings of one value may differ."""
        return self.same if isinstance(self.same, tuple) else ()

    @property
    def kind(self) -> Type:
        """The type, once the data has been read; text if nothing says otherwise."""
        return self.type or "text"

    @property
    def parts(self) -> tuple[str, ...]:
        """Columns of the data that together are this one, if it is made of several."""
        return self.binary or self.wide or ()
