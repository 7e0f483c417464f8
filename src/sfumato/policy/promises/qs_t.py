"""The words of QS t-closeness."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.parameters import OfTerms, Prior, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["QsT"]


@promise
class QsT(Promise):
    """Beliefs about labels, by the terms of every group, within distance t of what is believed beforehand.

    Terms that betray something only together, such as symptoms, are *quasi-sensitive*; what each goes with is told by
    the knowledge that the policy names for the column.

    >>> import sfumato as sf
    >>> print(sf.QsT("2/5"))
    qs-t (t=0.4)
    """

    t: Annotated[Ratio, Field(ge=0, description="the largest distance; smaller is stronger")]
    prior: Annotated[
        Prior,
        Field(description="what is believed beforehand: the table's, that of the knowledge, or shares by label"),
    ] = "table"
    distance: Annotated[
        Literal["euclidean", "emd", "hierarchical"],
        Field(description="how beliefs are compared; hierarchical: by the labels' hierarchy"),
    ] = "euclidean"
    on: OfTerms = None
    name: ClassVar[str] = "qs-t"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}
    about_values: ClassVar[bool] = False
    about_terms: ClassVar[bool] = True

    def weaker(self, times: int) -> Promise:
        return dataclasses.replace(self, t=self.t * times)
