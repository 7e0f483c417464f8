"""The words of (tau,l)-diversity."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from sfumato.policy.parameters import Count, Ratio, Ratios, Weights
from sfumato.policy.promise import Capping, Promise, promise

__all__ = ["TauL"]


@promise
class TauL(Promise):
    """The k most frequent values fill at most psi(k) of every group: tau for k = 1, all for l, evenly between."""

    tau: Annotated[Ratio, Field(gt=0, lt=1)]
    l: Annotated[Count, Field(ge=2)]
    weights: Weights = ()
    psi: Ratios = ()
    on: str | None = None
    name: ClassVar[str] = "tau-l"
    example: ClassVar[Mapping[str, Any]] = {"tau": "3/5", "l": 3}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tau * self.l < 1:
            raise ValueError("tau must be at least 1/l: the most frequent of l values cannot be rarer")
        if self.psi and (len(self.psi) != self.l - 1 or self.psi[0] != self.tau):
            raise ValueError("psi must list the bounds for 1 to l - 1 values, beginning with tau")
        if any(low > high for low, high in pairwise((*self.psi, Fraction(1)))) or Fraction(1) in self.psi:
            raise ValueError("psi must not descend, and stay below 1")
        return self

    @property
    def weighing(self) -> Weights:
        return self.weights

    @property
    def capping(self) -> Capping:
        return Capping(self.tau, self.l, self.psi)

    def with_slack(self, steps: int) -> Promise:
        return self if self.psi else dataclasses.replace(self, l=self.l + steps)
