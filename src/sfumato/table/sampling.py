"""Sampling weights: how many people of the population a row of a survey stands for.

The weight of a row is one over the probability that its person was drawn, often adjusted since. So it is a number above
0 in every row. It may name people by itself, and is never published; only who measures risk asks for it.
"""

from __future__ import annotations

import numpy as np

from sfumato.errors import TableError
from sfumato.policy.document import Policy
from sfumato.table.distinct import Distincts
from sfumato.table.origin import Origin
from sfumato.table.words import counted

__all__ = ["require_weights"]


def require_weights(base: Distincts, policy: Policy, origin: Origin) -> None:
    """`TableError` if a row lacks its weight, or has one that is not above 0; nothing without such a column."""
    name = policy.weight
    if name is None:
        return
    found = base[name]
    low = np.append((found.values <= 0).to_numpy(), False)[found.codes]  # the last is a missing one
    wrong = {"missing": found.codes < 0, "not above 0": low}
    told = [
        f"{found.rows_where(rows)} {what}, the first in {origin.place(found.row_of(int(rows.argmax())))}"
        for what, rows in wrong.items()
        if rows.any()
    ]
    if told:
        rows = counted(found.rows_where(wrong["missing"] | low), "row")
        raise TableError(
            f"{origin.name}: column {name!r}: {rows} without a sampling weight ({'; '.join(told)}); a weight says how"
            " many people a row stands for: fill in or correct them, leave out rows that stand for nobody, or give the"
            " column the role drop"
        )
