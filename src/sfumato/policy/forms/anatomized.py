"""The settings of two tables, Anatomy's form."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import CountShown, Section

__all__ = ["Anatomized"]


class Anatomized(Form):
    """Two tables: quasi-identifiers as they are, and how often each sensitive value occurs in every group.

    Exact for statistics, but rows can be found: what it hides is whose sensitive value is whose.

    >>> import sfumato as sf
    >>> sf.Anatomized()
    Anatomized()

    Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
    https://dl.acm.org/doi/10.5555/1182635.1164141
    """

    publish: Literal["anatomized"] = Field("anatomized", description="how a group is shown")
    insensitive: bool = Field(False, description="publish insensitive columns, beside the quasi-identifiers")
    names_groups: ClassVar[bool] = True
    tables: ClassVar[int] = 2
    shown: ClassVar[type[Section]] = CountShown
    phrases: ClassVar[Phrases] = Phrases(
        "counted by group", own={"count": "rows of the group with these values"}, tables=("quasi", "sensitive")
    )
