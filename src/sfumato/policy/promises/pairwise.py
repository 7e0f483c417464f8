"""The words of pairwise l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfColumn
from sfumato.policy.promise import Promise, promise

__all__ = ["PairwiseL"]


@promise
class PairwiseL(Promise):
    """All sensitive values of a group different, and at least l of them. Needs a published group id.

    Every value of a group is equally likely, with probability at most 1/l.

    >>> import sfumato as sf
    >>> sf.PairwiseL(3)
    PairwiseL(l=3)

    Ye, Liu, Lv, Feng: BSGI: An Effective Algorithm towards Stronger l-Diversity. DEXA 2008.
    https://doi.org/10.1007/978-3-540-85654-2_3
    """

    l: Annotated[Count, Field(ge=1, description="the least rows of a group")]
    on: OfColumn = None
    name: ClassVar[str] = "pairwise-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
    needs_group_id: ClassVar[bool] = True
