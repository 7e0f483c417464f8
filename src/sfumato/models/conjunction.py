"""Several promises at once.

Attainability is the conjunction of the parts', which is exact as long as all survive merging. With a part that does
not, it is necessary only: each part may be attainable by another grouping. The audit is the judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.models.gauge import Gauge, joined
from sfumato.policy import promises

__all__ = ["Conjunction"]


@dataclass(frozen=True)
class Conjunction(Model):
    """Every part holds."""

    promise: promises.AllOf
    parts: tuple[Model, ...]
    survives_merging: bool
    uniform_exactly: bool
    counts_rows: bool
    shape: bool
    prefers_even: bool
    decides: bool

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        from sfumato.models.registry import bind  # the registry lists this model too

        parts = tuple(bind(part, facts) for part in promise.promises)
        merging = all(part.survives_merging for part in parts)
        exactly = any(part.uniform_exactly for part in parts)
        return cls(
            promise,
            parts,
            survives_merging=merging,
            uniform_exactly=exactly,
            counts_rows=any(part.counts_rows for part in parts),
            shape=all(part.shape for part in parts),
            prefers_even=all(part.prefers_even for part in parts),
            decides=merging or (len(parts) == 1 and parts[0].decides),
        )

    @property
    def conjuncts(self) -> tuple[Model, ...]:
        return tuple(each for part in self.parts for each in part.conjuncts)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        return tuple(dict.fromkeys(columns for part in self.parts for columns in part.statistics))

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return _all(groups.sizes > 0, *(part.holds(groups) for part in self.parts))

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """1 where the group keeps all parts, else 0."""
        return self.holds(groups).astype(np.float64)

    def distinct_l(self) -> int:
        return max((part.distinct_l() for part in self.parts), default=1)

    def least_rows(self) -> int:
        return max((part.least_rows() for part in self.parts), default=1)

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        hopeless: NDArray[np.bool_] = np.logical_or.reduce([part.hopeless(groups) for part in self.parts])
        return hopeless

    def gauge(self) -> Gauge | None:
        return joined(tuple(part.gauge() for part in self.parts))

    def uniform_l(self) -> int | None:
        """The largest of the parts'; None if a part has none, or wants exactly another number."""
        sizes = [part.uniform_l() for part in self.parts]
        known = [size for size in sizes if size is not None]
        largest = max(known, default=1)
        exact = [part.uniform_l() for part in self.parts if part.uniform_exactly]
        return largest if len(known) == len(sizes) and all(size == largest for size in exact) else None

    def uniform_nearest(self, most: int, whole: Groups) -> promises.Promise | None:
        return self.parts[0].uniform_nearest(most, whole) if len(self.parts) == 1 else None

    def relaxed(self) -> promises.AllOf | None:
        if self.survives_merging:
            return None
        relaxed = [part.promise if part.survives_merging else part.relaxed() for part in self.parts]
        return promises.all_of(*(part for part in relaxed if part is not None))

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        return _all(groups.sizes > 0, *(part.attainable(groups) for part in self.parts))

    def nearest(self, whole: Groups) -> promises.AllOf | None:
        """The parts that are attainable as they are, the others weakened."""
        near = [part.promise if part.attainable(whole)[0] else part.nearest(whole) for part in self.parts]
        known = [part for part in near if part is not None]
        return promises.all_of(*known) if len(known) == len(near) else None

    def obstacle(self, whole: Groups) -> str:
        if len(self.parts) == 1:  # whoever asks names the promise already
            return self.parts[0].obstacle(whole)
        failing = [part for part in self.parts if not part.attainable(whole)[0]]
        return "; ".join(f"{part.promise}: {part.obstacle(whole)}" for part in failing) or super().obstacle(whole)


def _all(*flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    every: NDArray[np.bool_] = np.logical_and.reduce(flags)
    return every
