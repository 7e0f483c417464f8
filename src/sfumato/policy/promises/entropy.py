"""The words of entropy l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["EntropyL"]


@promise
class EntropyL(Promise):
    """Entropy of the sensitive values of every group at least log l; l may be any real number from 1.

    >>> import sfumato as sf
    >>> print(sf.EntropyL("5/2", on="disease"))
    entropy-l (l=2.5, on=disease)

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
    https://doi.org/10.1145/1217299.1217302
    """

    l: Annotated[
        Ratio,
        Field(
            ge=1,
            description="so many equally likely values would be as uncertain as each group is, such as 3, 2.5 or '5/2'",
        ),
    ]
    on: OfColumn = None
    name: ClassVar[str] = "entropy-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
