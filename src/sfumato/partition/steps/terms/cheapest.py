"""The cheapest removal of terms that makes one group keep its promise.

Which terms a row keeps decides which labels it is linked to, and what it costs; the promise ties the rows together.
Removing may create a link or break a promise that was kept, so nothing rests on "more removed is safer": every result
is judged exactly, and only bounds that hold for any completion cut the search short (see `knowledge.loops.margin` and
`loops.bounds`). Nothing depends on the order of rows.

Two rules say which removals there are. A row that is linked stays linked: to leave it terms that fit no label would
take it out of what the promise speaks of, where the promise speaks of what can be believed of it. A row that is not
linked stays as it is, or ends with at least two labels: to leave it terms of one label would tell what it did not tell
before. Where a removal that breaks a rule costs less, it is not taken.

Guarantee: an `optimal` result is the cheapest of all removals under these rules; a `bounded` one keeps the promise and
costs at most `cost - lower` too much. `infeasible` means that no removal under the rules keeps the promise: merge the
group with another, or withhold it. `unresolved` means that the work ran out before anything was found.

>>> from sfumato.knowledge.belief import LabelCL
>>> ill = Knowledge.of([("A", "ax"), ("B", "bx"), ("C", "cx"), ("AB", "abx")])
>>> found = suppress(ill, TermSets.of(ill, ["ax", "ab"]), LabelCL(1, 3))
>>> found.outcome, found.cost, [keep.tolist() for keep in found.keep]
('optimal', Fraction(2, 3), [[False, True], [False, False]])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.belief import LabelPromise
from sfumato.knowledge.judge import judge
from sfumato.knowledge.linking import TermSets, Unknown, link
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.costs import Cost, InverseCost
from sfumato.partition.steps.terms.group import TermGroup
from sfumato.partition.steps.terms.threads import side_by_side

__all__ = ["WORK", "Cheapest", "Outcome", "made", "suppress", "suppress_groups"]

Ints = NDArray[np.int64]
Outcome = Literal["kept", "optimal", "bounded", "infeasible", "unresolved"]
WORK = 400_000_000
_FIRST = 20_000_000
_AGAIN = 50_000  # what beginning anew is worth


@dataclass(frozen=True, eq=False)
class Cheapest:
    """What to remove: `keep[i][j]` says whether the j-th term of row i stays.

    `cost` is a share of removing everything (None if nothing was found), `lower` what any removal costs at least.
    """

    outcome: Outcome
    keep: tuple[NDArray[np.bool_], ...]
    cost: Fraction | None
    lower: Fraction
    work: int

    @property
    def proven(self) -> bool:
        return self.outcome in ("kept", "optimal", "infeasible")


def suppress(
    knowledge: Knowledge,
    sets: TermSets,
    promise: LabelPromise,
    cost: Cost | None = None,
    *,
    unknown: Unknown = "drop",
    lengths: Ints | None = None,
    work: int = WORK,
    besides: Sequence[LabelPromise] = (),
) -> Cheapest:
    """The cheapest removal for a group with these rows.

    `lengths` are the rows' original numbers of terms if an adversary knows them. `work` counts masses added and values
    compared, so the same group ends the same way on any machine. `besides` must be kept too: bounds follow the promise
    alone, and what breaks one of these is set aside.
    """
    if not len(sets):
        return Cheapest("kept", (), Fraction(0), Fraction(0), 0)
    group = TermGroup.of(knowledge, sets, promise, cost or InverseCost(), unknown, lengths)
    start = group.choices.rows[:-1]
    promises = (promise, *besides)
    if _keeps(group, promises, start):
        return made(group, "kept", start, Fraction(0), 0)
    return _search(group, promises, work)


def suppress_groups(
    knowledge: Knowledge,
    sets: TermSets,
    ends: Ints,
    members: Ints,
    promise: LabelPromise,
    cost: Cost | None = None,
    *,
    unknown: Unknown = "drop",
    lengths: Ints | None = None,
    work: int = WORK,
    threads: int = 1,
    progress: Callable[[Cheapest], None] | None = None,
) -> list[Cheapest]:
    """The cheapest removal for each of several groups: group g has the sets `members[ends[g]:ends[g + 1]]`.

    Groups that keep the promise are found at once and left as they are. The result does not depend on the number of
    threads. `progress` is told every result, in order.
    """

    holds = judge(promise, knowledge, sets, link(knowledge, sets, unknown, lengths), ends, members).holds

    def one(group: int) -> Cheapest:
        rows = members[ends[group] : ends[group + 1]]
        if holds[group]:
            keep = tuple(np.ones(length, np.bool_) for length in sets.lengths[rows])
            return Cheapest("kept", keep, Fraction(0), Fraction(0), 0)
        known = None if lengths is None else lengths[rows]
        return suppress(knowledge, sets.take(rows), promise, cost, unknown=unknown, lengths=known, work=work)

    found = []
    with side_by_side(threads) as pool:
        for result in pool.map(one, range(len(ends) - 1)):
            found.append(result)
            if progress is not None:
                progress(result)
    return found


def _keeps(group: TermGroup, promises: Sequence[LabelPromise], chosen: Ints) -> bool:
    mass = group.mass(chosen)
    return all(promise.holds(mass) for promise in promises)


def _search(group: TermGroup, promises: Sequence[LabelPromise], work: int) -> Cheapest:
    """Look for the optimum at once; if that takes long, find something first, then look on below its cost."""
    from sfumato.partition.steps.terms.loops.best import FOUND, NONE
    from sfumato.partition.steps.terms.loops.bounds import FAR
    from sfumato.partition.steps.terms.loops.greedy import greedy

    nothing = group.choices.rows[:-1]
    status, lower, chosen, used = _best(group, promises, int(FAR), min(work // 2, _FIRST))
    if status == FOUND:
        return _found(group, chosen, lower, used)
    if status == NONE:
        outcome: Outcome = "infeasible" if group.complete else "unresolved"
        return made(group, outcome, nothing, None, used, 0)
    desk = group.desk()
    some, first = greedy(group.aim, group.choices, desk, work // 2)
    some = some and _keeps(group, promises, first)
    upper, before = int(group.choices.costs[first].sum()) if some else int(FAR), used
    used += int(desk.counters[0])
    # A second search pays only if it gets further than the first.
    if work - used > before:
        status, further, chosen, spent = _best(group, promises, upper, work - used)
        lower, used = max(lower, further), used + spent
        if status == FOUND:
            return _found(group, chosen, lower, used)
        if status == NONE and not some:
            return made(group, "infeasible" if group.complete else "unresolved", nothing, None, used, 0)
    if not some:
        return made(group, "unresolved", nothing, None, used, lower if group.complete else 0)
    return _found(group, first, lower, used)


def _best(group: TermGroup, promises: Sequence[LabelPromise], upper: int, work: int) -> tuple[int, int, Ints, int]:
    """Best-first search; what only seemed to keep the promise by rounding, or breaks another, is set aside."""
    from sfumato.partition.steps.terms.loops.best import FOUND, best_first

    banned, used = np.empty((0, group.rows), np.int64), 0
    while True:
        desk = group.desk()
        status, lower, chosen = best_first(group.aim, group.choices, group.classes, desk, upper, work - used, banned)
        used += int(desk.counters[0])
        if status != FOUND or _keeps(group, promises, chosen):
            return status, int(lower), chosen, used
        banned = np.concatenate([banned, chosen[None, :]])
        used += _AGAIN


def _found(group: TermGroup, chosen: Ints, lower: int, work: int) -> Cheapest:
    proven = group.complete and group.coarse == 1 and lower >= int(group.choices.costs[chosen].sum())
    cost = group.prices.normal(group.units(chosen))
    return made(group, "optimal" if proven else "bounded", chosen, cost, work, lower if group.complete else 0)


def made(
    group: TermGroup,
    outcome: Outcome,
    chosen: Ints,
    cost: Fraction | None,
    work: int,
    lower: int | None = None,
    stay: Sequence[NDArray[np.bool_]] | None = None,
) -> Cheapest:
    """The result in terms of the rows as they were given; `stay` says what stays where an option does not."""
    keep: list[NDArray[np.bool_]] = [np.ones(0, np.bool_)] * group.rows
    for row, option in enumerate(chosen):
        stays = np.empty(len(group.places[row]), np.bool_)
        stays[group.places[row]] = group.stays(row, int(option)) if stay is None else stay[row]
        keep[group.order[row]] = stays
    bound = cost or Fraction(0) if lower is None or outcome == "optimal" else group.prices.normal(lower * group.coarse)
    return Cheapest(outcome, tuple(keep), cost, bound, work)
