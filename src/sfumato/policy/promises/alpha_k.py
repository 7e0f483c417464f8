"""The words of (alpha,k)-anonymity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["AlphaK"]


@promise
class AlphaK(Promise):
    """At least k rows in every group and no sensitive value in more than alpha of them.

    >>> import sfumato as sf
    >>> print(sf.AlphaK("1/2", 5, on="disease"))
    alpha-k (alpha=0.5, k=5, on=disease)

    Wong, Li, Fu, Wang: (α, k)-anonymity. KDD 2006. https://doi.org/10.1145/1150402.1150499
    """

    alpha: Annotated[
        Ratio, Field(gt=0, le=1, description="the largest share of a group that one value may have, above 0 to 1")
    ]
    k: Annotated[Count, Field(ge=1, description="the least rows of a group")]
    on: OfColumn = None
    name: ClassVar[str] = "alpha-k"
    example: ClassVar[Mapping[str, Any]] = {"alpha": "1/2", "k": 2}
