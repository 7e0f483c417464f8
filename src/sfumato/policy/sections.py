"""What a form says of a release beside its tables: in public, in ``release.json``, and to the holder, in the manifest.

Each form has its own two sections, declared once and named by its settings (`Form.shown`, `Form.sealed`): who publishes
fills them, and who judges reads them. A third party's form brings its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sfumato.policy.taught import TaughtModel, in_short, names_of

__all__ = [
    "NOTHING",
    "BlockEntry",
    "BlocksSealed",
    "BoundsShown",
    "CountShown",
    "Nothing",
    "Number",
    "Part",
    "RetentionShown",
    "RingEntry",
    "RingsSealed",
    "Section",
    "SlicesShown",
    "Unread",
    "Weight",
    "moved",
]

Number = Annotated[int, Field(ge=0, lt=2**62, strict=True)]
Positive = Annotated[int, Field(ge=1, lt=2**62, strict=True)]
Weight = Annotated[str, Field(pattern=r"^[0-9]{1,400}(/[1-9][0-9]{0,399})?$")]


class Part(BaseModel, metaclass=TaughtModel):
    """A frozen part of a document that knows all its keys and repeats none of its values in an error."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True, json_schema_extra=in_short
    )

    def __dir__(self) -> list[str]:
        return names_of(self)


class Section(Part):
    """What one form says. Its fields are a closed list: a free text could tell anything about anybody."""

    def renamed(self, rename: Callable[[str], str]) -> Self:
        """With other names of columns, as where they are made safe for spreadsheets; for a section that has any."""
        return self

    def moved(self, places: Sequence[int]) -> Self:
        """For a table whose rows stand elsewhere: row i of it at ``places[i]``; for a section that tells of rows."""
        return self

    @property
    def own(self) -> Mapping[str, str]:
        """Published columns that no policy names, and the role of each in the data dictionary; the group id apart."""
        return {}

    @property
    def stands_for(self) -> Mapping[str, tuple[str, ...]]:
        """Columns of the policy that are shown by others, the first two of the same type, and by which."""
        return {}


class Nothing(Section):
    """Nothing more than every release says."""


NOTHING = Nothing.model_construct()  # there is nothing to check, and nothing is built for it


class Unread(Section):
    """A section as it was found, until it is known which form it is of."""

    model_config = ConfigDict(extra="allow")


class BoundsShown(Section):
    """Generalized: quasi-identifiers that are shown by two columns, lower and upper bound, and a third that says
    whether the value is missing, if any is."""

    bounds: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def renamed(self, rename: Callable[[str], str]) -> Self:
        named = {rename(name): tuple(map(rename, columns)) for name, columns in self.bounds.items()}
        return self.model_copy(update={"bounds": named})

    @property
    def stands_for(self) -> Mapping[str, tuple[str, ...]]:
        return self.bounds


class CountShown(Section):
    """Anatomized: the column that says how many rows an entry stands for."""

    count: str | None = None

    def renamed(self, rename: Callable[[str], str]) -> Self:
        return self.model_copy(update={"count": None if self.count is None else rename(self.count)})

    @property
    def own(self) -> Mapping[str, str]:
        return {} if self.count is None else {self.count: "count"}


class SlicesShown(Section):
    """Sliced: columns that stand together row by row."""

    slices: tuple[tuple[str, ...], ...] = ()

    def renamed(self, rename: Callable[[str], str]) -> Self:
        return self.model_copy(update={"slices": tuple(tuple(map(rename, part)) for part in self.slices)})


class RetentionShown(Section):
    """Randomized: the probability with which a sensitive value was kept."""

    retention: Weight | None = None


def moved(rows: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Where rows stand of which row i stands at ``places[i]``; one that there is not stays what it is.

    >>> moved((0, 2, 9), (5, 6, 7))
    (5, 7, 9)
    """
    return tuple(places[row] if row < len(places) else row for row in rows)


class RingEntry(Part):
    """Rows of the published table, from 0 on, in the order of a ring; each shows `width` of them, from itself on."""

    rows: tuple[Number, ...] = Field(min_length=1)
    width: Positive

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.width > len(self.rows):
            raise ValueError("the width must not be above the number of rows")
        return self


class RingsSealed(Section):
    """Ring: which rows follow which."""

    rings: tuple[RingEntry, ...] = ()

    def moved(self, places: Sequence[int]) -> Self:
        rings = (ring.model_copy(update={"rows": moved(ring.rows, places)}) for ring in self.rings)
        return self.model_copy(update={"rings": tuple(rings)})


class BlockEntry(Part):
    """What a group held before its values were changed: different combinations, and counts of values by column."""

    combinations: Positive
    counts: dict[str, tuple[Positive, ...]]


class BlocksSealed(Section):
    """Randomized: what groups held, by group id."""

    blocks: dict[str, BlockEntry] = Field(default_factory=dict)
