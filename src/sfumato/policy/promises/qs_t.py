"""The words of QS t-closeness."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.parameters import Prior, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["QsT"]


@promise
class QsT(Promise):
    """Beliefs about labels, by the terms of every group, within distance t of what is believed beforehand."""

    t: Annotated[Ratio, Field(ge=0)]
    prior: Prior = "table"
    distance: Literal["euclidean", "emd", "hierarchical"] = "euclidean"
    on: str | None = None
    name: ClassVar[str] = "qs-t"
    example: ClassVar[Mapping[str, Any]] = {"t": "2/5"}
    about_values: ClassVar[bool] = False
    about_terms: ClassVar[bool] = True

    def weaker(self, times: int) -> Promise:
        return dataclasses.replace(self, t=self.t * times)
