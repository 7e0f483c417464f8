"""Whether prices are fair, judged apart from how they were found; and the same prices, lowered where they are not.

Prices are fair if no choice of rows that could keep the promise is asked for more than a box over them costs, whatever
box it is. Then they add up to no more than any release costs: every class of it is such a choice, and pays what its box
costs.

Lower prices are as fair or fairer for every other box, so that one look at all of them is enough. Everything is counted
in whole numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.boxes.items import BoxItems

__all__ = ["fair", "unfair"]

Ints = NDArray[np.int64]


def fair(items: BoxItems, prices: Ints) -> Ints:
    """The same prices; of boxes that they are not fair for, the dearest are lowered, no more than it takes."""
    return _judged(items, prices)[0]


def unfair(items: BoxItems, prices: Ints) -> int:
    """How many boxes prices are not fair for, each judged after those before it were lowered: none if all are fair."""
    return _judged(items, prices)[1]


def _judged(items: BoxItems, prices: Ints) -> tuple[Ints, int]:
    from sfumato.partition.boxes.loops.fair import RowPrices, judge

    order, heights = np.argsort(-prices, kind="stable"), items.heights
    given = prices[order]
    asked = RowPrices(
        given.copy(), given, items.rows[order], items.values[order], (items.needs.rows, items.needs.values)
    )
    found = judge(np.ascontiguousarray(items.codes[:, order]), heights.node, heights.cost, heights.depths, asked)
    made = np.empty_like(prices)
    made[order] = asked.price
    return made, int(found)
