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
    """At least k rows in every group; with `of`, at least k that agree in each of these sets of quasi-identifiers.

    Says nothing of sensitive values: if all of a group have the same, it is known of each. Join it with a promise that
    does.

    >>> import sfumato as sf
    >>> print(sf.KAnonymity(5) & sf.EntropyL(3, on="disease"))
    k-anonymity (k=5) and entropy-l (l=3, on=disease)

    Sweeney: k-anonymity: a model for protecting privacy. IJUFKS 10(5), 2002. https://doi.org/10.1142/S0218488502001648
    """

    k: Annotated[Count, Field(ge=1, description="the least rows that look alike")]
    of: Annotated[
        ColumnSets,
        Field(description="sets of quasi-identifiers of which somebody knows one and no more; none: all at once"),
    ] = ()
    name: ClassVar[str] = "k-anonymity"
    example: ClassVar[Mapping[str, Any]] = {"k": 2}
    about_values: ClassVar[bool] = False

    @property
    def knowing(self) -> tuple[tuple[str, ...], ...]:
        return self.of


def groups_of(rows: int) -> KAnonymity:
    """At least so many rows in every group; with 1, nothing that a group could break."""
    return KAnonymity(rows)
