"""The settings of generalized values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.form import Form
from sfumato.policy.phrases import Phrases
from sfumato.policy.sections import BoundsShown, Section

__all__ = ["Generalized"]


class Generalized(Form):
    """One table: quasi-identifiers generalized group by group, everything else as it is.

    The usual form, and the one that can promise k-anonymity: who knows somebody's quasi-identifiers finds a group.

    >>> import sfumato as sf
    >>> sf.Generalized(group_id=True)
    Generalized(group_id=True)
    """

    publish: Literal["generalized"] = Field("generalized", description="how a group is shown")
    group_id: bool = Field(False, description="publish a column that names the group of each row")
    numbers: Literal["intervals", "bounds"] = Field(
        "intervals",
        description="numbers and dates as texts such as [23, 37], or as two columns: lower and upper, both included",
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = ({"group_id": True},)
    shown: ClassVar[type[Section]] = BoundsShown
    phrases: ClassVar[Phrases] = Phrases()
