"""iDistance: rows in the order of the reference point that is nearest, and of how far they are from it.

Every row is a point as for the Hilbert curve, each column spread over the same length. Reference points are rows that
lie far from one another: the first is where the curve begins, each next one the farthest from all before it. They stand
in the order of the curve, so that areas follow upon near ones; within an area, rows follow by their distance. Rows that
are as far as one another from their point may lie on opposite sides of it: the curve, which keeps neighbours together
in all directions, mostly loses less.

Deviation: the paper leaves open how reference points are chosen, and how many; 64 are taken here.

Complexity: O(64 · n · columns).

Reference: Jagadish, Ooi, Tan, Yu, Zhang: iDistance: An adaptive B+-tree based indexing method for nearest neighbor
search. ACM TODS 30(2), 2005. https://doi.org/10.1145/1071610.1071612
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["REFERENCES", "by_distance"]

REFERENCES = 64
"""Reference points, at most."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def by_distance(points: Floats, references: int = REFERENCES) -> Ints:
    """The place of every point, which are different ones in the order of the curve: equal places only for one point.

    >>> by_distance(np.array([[0.0], [0.2], [0.5], [1.0], [0.8]]), references=2)
    array([0, 1, 2, 3, 4])
    """
    nearest, area = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.int64)
    chosen = 0
    for _ in range(min(references, len(points))):
        away = ((points - points[chosen]) ** 2).sum(axis=1)
        closer = (away < nearest) | ((away == nearest) & (chosen < area))
        nearest, area = np.where(closer, away, nearest), np.where(closer, chosen, area)
        chosen = int(nearest.argmax())
    places = np.empty(len(points), dtype=np.int64)
    places[np.lexsort((np.arange(len(points)), nearest, area))] = np.arange(len(points))
    return places
