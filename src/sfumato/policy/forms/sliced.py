"""The settings of slices."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import Section, SlicesShown

__all__ = ["Sliced"]


class Sliced(Form):
    """One table: columns in slices, each in a random order of its own within every group.

    What stands in one slice can be studied together; which slices belong to one person is hidden.

    >>> import sfumato as sf
    >>> sf.Sliced(slices=(("age", "sex"), ("disease",)))
    Sliced(slices=(('age', 'sex'), ('disease',)))

    Li, Li, Zhang, Molloy: Slicing: a new approach for privacy preserving data publishing. TKDE 2012.
    https://doi.org/10.1109/TKDE.2010.236
    """

    publish: Literal["sliced"] = Field("sliced", description="how a group is shown")
    slices: tuple[tuple[str, ...], ...] | None = Field(
        None, description="columns that stay together; default: quasi-identifiers by correlation, sensitive ones apart"
    )
    width: int = Field(2, ge=1, description="the most quasi-identifiers in a slice that correlation makes")
    insensitive: bool = Field(False, description="publish insensitive columns, each in a slice of its own")
    names_groups: ClassVar[bool] = True
    shown: ClassVar[type[Section]] = SlicesShown
    phrases: ClassVar[Phrases] = Phrases("in a random order within the group")
