"""The words of proximity privacy."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from sfumato.policy.parameters import OfColumn, Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["Proximity"]


@promise
class Proximity(Promise):
    """Whatever number is guessed, at most 1/m of every group have a sensitive value within e of it.

    For numbers: 40,000 and 40,001 are two values and one secret.

    >>> import sfumato as sf
    >>> print(sf.Proximity(1000, 3, on="salary"))
    proximity (e=1000, m=3, on=salary)

    Li, Tao, Xiao: Preservation of proximity privacy in publishing numerical sensitive data. SIGMOD 2008.
    https://doi.org/10.1145/1376616.1376666
    """

    e: Annotated[Ratio, Field(ge=0, description="how near is the same")]
    m: Annotated[Ratio, Field(ge=1, description="at most one in so many of a group is that near; larger is stronger")]
    neighbourhood: Annotated[
        Literal["absolute", "relative"],
        Field(description="whether e is a difference (absolute) or a share of the guess (relative)"),
    ] = "absolute"
    on: OfColumn = None
    name: ClassVar[str] = "proximity"
    example: ClassVar[Mapping[str, Any]] = {"e": "1/2", "m": 2}
    needs_order: ClassVar[bool] = True

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.neighbourhood == "relative" and self.e >= 1:
            raise ValueError(
                "e must be below 1 where it is relative: all that has the sign of a guess would be near it"
            )
        return self

    def with_slack(self, steps: int) -> Promise:
        return dataclasses.replace(self, m=self.m + steps)
