"""The words of (tau,l)-diversity."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from sfumato.policy.parameters import Count, OfColumn, Ratio, Ratios, Weights
from sfumato.policy.promise import Capping, Promise, promise

__all__ = ["TauL"]


@promise
class TauL(Promise):
    """The k most frequent values fill at most psi(k) of every group: tau for k = 1, all for l, evenly between.

    Works where some sensitive values are shown by labels of a hierarchy: a label counts for the values below it.

    >>> import sfumato as sf
    >>> print(sf.TauL("3/5", 3))
    tau-l (tau=0.6, l=3)

    Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011.
    https://doi.org/10.1016/j.datak.2010.09.001
    """

    tau: Annotated[
        Ratio, Field(gt=0, lt=1, description="the largest share of the most frequent value, from 1/l to below 1")
    ]
    l: Annotated[Count, Field(ge=2, description="so many values may fill a group alone, and no fewer")]
    weights: Annotated[
        Weights, Field(description="how a label counts for the values below it: each alike, by the table, or as given")
    ] = ()
    psi: Annotated[Ratios, Field(description="bounds for 1 to l - 1 values instead of those evenly between")] = ()
    on: OfColumn = None
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
