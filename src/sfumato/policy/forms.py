"""How a group is shown: the vocabulary of `form:`.

With its settings a form declares what it says of a release: its sections of ``release.json`` and of the manifest, and
its phrases. A third party's form brings all of it through the entry-point group ``sfumato.form_settings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, PlainSerializer

from sfumato.extension import registered
from sfumato.policy.parameters import Ratio
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import (
    BlocksSealed,
    BoundsShown,
    CountShown,
    Nothing,
    RetentionShown,
    RingsSealed,
    Section,
    SlicesShown,
)
from sfumato.policy.settings import Varied, read_settings, written

__all__ = [
    "FORMS",
    "Anatomized",
    "AnyForm",
    "Form",
    "Generalized",
    "Permuted",
    "Randomized",
    "Ring",
    "Sliced",
    "form_class",
    "read_form",
]


class Form(Varied):
    """Settings of a form of publication.

    names_groups   it publishes a group id whatever its settings
    tables         how many tables a release has
    shown          what it says in ``release.json``
    sealed         what it says to the holder, in the manifest
    phrases        its words in the data dictionary; None: they are not a closed list, and nobody checks them
    """

    publish: str = Field(description="which form")
    names_groups: ClassVar[bool] = False
    tables: ClassVar[int] = 1
    shown: ClassVar[type[Section]] = Nothing
    sealed: ClassVar[type[Section]] = Nothing
    phrases: ClassVar[Phrases | None] = None


class Generalized(Form):
    """One table: quasi-identifiers generalized group by group, everything else as it is."""

    publish: Literal["generalized"] = Field("generalized", description="how a group is shown")
    group_id: bool = Field(False, description="publish a column that names the group of each row")
    numbers: Literal["intervals", "bounds"] = Field(
        "intervals",
        description="numbers and dates as texts such as [23, 37], or as two columns: lower and upper, both included",
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = ({"group_id": True},)
    shown: ClassVar[type[Section]] = BoundsShown
    phrases: ClassVar[Phrases] = Phrases()


class Permuted(Form):
    """One table: quasi-identifiers as they are, sensitive values in a random order within every group."""

    publish: Literal["permuted"] = Field("permuted", description="how a group is shown")
    together: bool = Field(True, description="sensitive values of one person stay in one row; else each column apart")
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    phrases: ClassVar[Phrases] = Phrases("in a random order within the group")


class Anatomized(Form):
    """Two tables: quasi-identifiers as they are, and how often each sensitive value occurs in every group."""

    publish: Literal["anatomized"] = Field("anatomized", description="how a group is shown")
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    tables: ClassVar[int] = 2
    shown: ClassVar[type[Section]] = CountShown
    phrases: ClassVar[Phrases] = Phrases(
        "counted by group", own={"count": "rows of the group with these values"}, tables=("quasi", "sensitive")
    )


class Sliced(Form):
    """One table: columns in slices, each in a random order of its own within every group."""

    publish: Literal["sliced"] = Field("sliced", description="how a group is shown")
    slices: tuple[tuple[str, ...], ...] | None = Field(
        None, description="columns that stay together; default: quasi-identifiers by correlation, sensitive ones apart"
    )
    width: int = Field(2, ge=1, description="the most quasi-identifiers in a slice that correlation makes")
    insensitive: bool = Field(False, description="publish insensitive columns, each in a slice of its own")
    names_groups: ClassVar[bool] = True
    shown: ClassVar[type[Section]] = SlicesShown
    phrases: ClassVar[Phrases] = Phrases("in a random order within the group")


class Ring(Form):
    """One table: every row shows quasi-identifiers that cover several people, and the sensitive values of one."""

    publish: Literal["ring"] = Field("ring", description="how a group is shown")
    draw: Literal["matching", "rotation"] = Field(
        "matching",
        description="who carries whose values: by a random matching in small rings, or by one rotation of the group",
    )
    sealed: ClassVar[type[Section]] = RingsSealed
    phrases: ClassVar[Phrases] = Phrases("of one of the people whom the row covers")


class Randomized(Form):
    """One table: quasi-identifiers as they are, sensitive values kept by chance, else drawn from those of the group."""

    publish: Literal["randomized"] = Field("randomized", description="how a group is shown")
    known: Literal["counts", "shares"] = Field(
        "counts",
        description="what the adversary knows of a group: how often each value occurs, or only how likely each is",
    )
    retention: Annotated[Ratio, Field(gt=0, lt=1)] | None = Field(
        None, description="the probability to keep a value; default: the largest hundredth that the promise allows"
    )
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    shown: ClassVar[type[Section]] = RetentionShown
    sealed: ClassVar[type[Section]] = BlocksSealed
    phrases: ClassVar[Phrases] = Phrases(
        "kept with the probability `retention`, else drawn from the combinations of values in the group"
    )


FORMS: dict[str, type[Form]] = {
    "generalized": Generalized,
    "permuted": Permuted,
    "anatomized": Anatomized,
    "sliced": Sliced,
    "ring": Ring,
    "randomized": Randomized,
}


def read_form(given: object) -> Form:
    """The settings that a policy's `form:` stands for; `ValueError` if nothing installed knows them."""
    return read_settings(given, "publish", "generalized", FORMS, "sfumato.form_settings")


def form_class(given: Mapping[str, Any]) -> type[Form] | None:
    """The kind of settings that a policy's `form:` names; None if nothing installed knows them."""
    name = given.get("publish", "generalized")
    return registered(FORMS, "sfumato.form_settings", name) if isinstance(name, str) else None


AnyForm = Annotated[Form, BeforeValidator(read_form), PlainSerializer(written)]
