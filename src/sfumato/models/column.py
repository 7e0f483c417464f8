"""What models of one sensitive column have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Columns, Facts, Groups, Histogram, Model
from sfumato.models.runs import maxima

__all__ = ["OfColumn"]


@dataclass(frozen=True)
class OfColumn(Model):
    """A model that judges the histogram of one sensitive column, the one that its promise names with `on`."""

    promise: Any
    column: str

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        return cls(promise, facts.column(promise.on).name)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        return ((self.column,),)

    def histogram(self, groups: Groups) -> Histogram:
        """The counts that it judges."""
        return groups[(self.column,)]

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        starts = self.histogram(groups).starts
        return starts[1:] - starts[:-1] < self.distinct_l()

    def obstacle(self, whole: Groups) -> str:
        top, rows = int(maxima(self.histogram(whole))[0]), int(whole.sizes[0])
        return f"in column {self.column!r} the most frequent value fills {top} of {rows} rows"
