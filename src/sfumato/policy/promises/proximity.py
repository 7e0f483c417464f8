"""The words of proximity privacy."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from sfumato.policy.parameters import Ratio
from sfumato.policy.promise import Promise, promise

__all__ = ["Proximity"]


@promise
class Proximity(Promise):
    """Whatever number is guessed, at most 1/m of every group have a sensitive value within e of it."""

    e: Annotated[Ratio, Field(ge=0)]
    m: Annotated[Ratio, Field(ge=1)]
    neighbourhood: Literal["absolute", "relative"] = "absolute"
    on: str | None = None
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
