"""The words of simple l-diversity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["SimpleL"]


@promise
class SimpleL(Promise):
    """No sensitive value in more than 1/l of a group; l may be any real number from 1.

    Who knows the group guesses nobody's value with more than probability 1/l.

    >>> import sfumato as sf
    >>> print(sf.SimpleL(2.5))
    simple-l (l=2.5)

    Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
    https://dl.acm.org/doi/10.5555/1182635.1164141
    """

    l: Annotated[Ratio, Field(ge=1, description="one over the largest share that a value may have")]
    on: OfColumn = None
    name: ClassVar[str] = "simple-l"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}
