"""The words of k-anonymity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import ColumnSets, Count
from sfumato.policy.promise import Promise, promise

__all__ = ["KAnonymity", "groups_of"]


@promise
class KAnonymity(Promise):
    """At least k rows in every group; with `of`, at least k that agree in each of these sets of quasi-identifiers."""

    k: Annotated[Count, Field(ge=1)]
    of: ColumnSets = ()
    name: ClassVar[str] = "k-anonymity"
    example: ClassVar[Mapping[str, Any]] = {"k": 2}
    about_values: ClassVar[bool] = False

    @property
    def knowing(self) -> tuple[tuple[str, ...], ...]:
        return self.of


def groups_of(rows: int) -> KAnonymity:
    """At least so many rows in every group; with 1, nothing that a group could break."""
    return KAnonymity(rows)
