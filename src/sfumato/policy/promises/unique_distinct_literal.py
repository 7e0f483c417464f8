"""The words of unique distinct l-diversity by the letter of its paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn
from sfumato.policy.promise import Promise, promise

__all__ = ["UniqueDistinctLiteral"]


@promise
class UniqueDistinctLiteral(Promise):
    """Exactly l different sensitive values, however often each occurs: the paper's letter, which bounds nothing.

    For comparison with what the paper prints; `UniqueDistinctL` is what it means.

    >>> import sfumato as sf
    >>> sf.UniqueDistinctLiteral(3)
    UniqueDistinctLiteral(l=3)

    Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
    https://doi.org/10.1007/978-3-540-85654-2_3
    """

    l: Annotated[Count, Field(ge=1, description="the different values of every group")]
    on: OfColumn = None
    name: ClassVar[str] = "unique-distinct-literal"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True

    def with_slack(self, steps: int) -> Promise:
        return self  # exactly l: a larger l is another promise, not a stronger one
