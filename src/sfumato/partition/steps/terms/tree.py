"""The paper's searches for a removal of terms, to compare with: adaptive, and depth first in the given order.

The paper's listing is lost; this follows its text, with ties of l' broken by the smaller largest belief. It counts the
same work as `suppress`, is given the same ready-made links, and judges every node anew, since removing a term may
create a link or break a promise. What it returns is exact; whether it is the cheapest it knows only if it got to the
end of the tree.

P. Shi, L. Xiong and B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010, section 3.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.knowledge.belief import LabelPromise
from sfumato.knowledge.linking import TermSets, Unknown
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import WORK, Cheapest, made
from sfumato.partition.steps.terms.costs import Cost, InverseCost
from sfumato.partition.steps.terms.group import TermGroup
from sfumato.partition.steps.terms.loops.tree import Removable, option_table, search_tree

__all__ = ["LONGEST_ROW", "suppress_as_in_the_paper"]

Ints = NDArray[np.int64]
LONGEST_ROW = 16


def suppress_as_in_the_paper(
    knowledge: Knowledge,
    sets: TermSets,
    promise: LabelPromise,
    cost: Cost | None = None,
    *,
    adaptive: bool = True,
    unknown: Unknown = "drop",
    lengths: Ints | None = None,
    work: int = WORK,
) -> Cheapest:
    """The best removal that the paper's search finds with so much work; `adaptive=False` is its baseline."""
    if len(sets) and int(sets.lengths.max()) > LONGEST_ROW:
        raise InputError(f"the paper's search takes rows of at most {LONGEST_ROW} terms; use the optimal one")
    group = TermGroup.of(knowledge, sets, promise, cost or InverseCost(), unknown, lengths)
    start = group.choices.rows[:-1]
    if promise.holds(group.mass(start)):
        return made(group, "kept", start, Fraction(0), 0)
    terms = _terms(group, unknown)
    full = (np.int64(1) << group.sets.lengths) - 1
    desk = group.desk()
    found, units, masks, whole = search_tree(group.aim, group.choices, terms, full, desk, adaptive, work)
    used = int(desk.counters[0])
    if not found:
        return made(group, "infeasible" if whole and group.complete else "unresolved", start, None, used)
    chosen = terms.table[terms.begins[:-1] + masks].astype(np.int64)
    keep = [(masks[row] >> np.arange(width) & 1).astype(np.bool_) for row, width in enumerate(group.sets.lengths)]
    if not promise.holds(group.mass(chosen)):
        return made(group, "unresolved", start, None, used)
    proven = whole and group.complete and group.coarse == 1
    price = group.prices.normal(units * group.coarse)
    return made(group, "optimal" if proven else "bounded", chosen, price, used, 0, keep)


def _terms(group: TermGroup, unknown: Unknown) -> Removable:
    """Every term of the group, with its price, and what rows become."""
    tables, rows, bits, by_term = [], list[int](), list[int](), list[int]()
    sizes, widths = np.diff(group.links.begins), group.sets.lengths
    by_count = np.zeros((group.rows, int(widths.max(initial=0)) + 1), np.int64)
    for row, width in enumerate(widths.tolist()):
        first, stop = int(group.choices.rows[row]), int(group.choices.rows[row + 1])
        known = sum(1 << bit for bit, code in enumerate(group.sets[row]) if code >= 0)
        tables.append(option_table(group.kept[first:stop], sizes[first:stop], first, width, known, unknown == "drop"))
        rows += [row] * width
        bits += range(width)
        by_term += [price // group.coarse for price in group.prices.by_term[row]]
        by_count[row, : width + 1] = [price // group.coarse for price in group.prices.by_count[row]]
    begins = np.concatenate([[0], np.cumsum([len(table) for table in tables])]).astype(np.int64)
    every = np.concatenate([np.empty(0, np.int32), *tables])
    return Removable(
        np.array(rows, np.int64), np.array(bits, np.int64), by_count, np.array(by_term, np.int64), begins, every
    )
