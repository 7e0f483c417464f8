"""The words of QS (c,l)-diversity."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sfumato.policy.parameters import Count, OfTerms, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["QsCL"]


@promise
class QsCL(Promise):
    """Of the labels that a group's terms may stand for, the likeliest is at most c times those from the l-th on.

    Terms that betray something only together, such as symptoms, are *quasi-sensitive*; what each goes with is told by
    the knowledge that the policy names for the column.

    >>> import sfumato as sf
    >>> print(sf.QsCL(2, 3))
    qs-cl (c=2, l=3)
    """

    c: Annotated[Ratio, Field(gt=0, description="how many times as likely; larger is weaker")]
    l: Annotated[Count, Field(ge=1, description="the labels from the l-th on are set against the likeliest one")]
    on: OfTerms = None
    name: ClassVar[str] = "qs-cl"
    example: ClassVar[Mapping[str, Any]] = {"c": 1, "l": 2}
    about_values: ClassVar[bool] = False
    about_terms: ClassVar[bool] = True

    def weaker(self, times: int) -> Promise:
        return dataclasses.replace(self, l=max(self.l // times, 1), c=max(self.c, Fraction(1)))
