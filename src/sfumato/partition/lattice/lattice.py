"""Lattice: full-domain recoding, every column at one level of its hierarchy for all rows, with the least loss there is.

Exact: of all nodes between the minimum and maximum levels that keep the promise with no more rows suppressed than the
policy allows, the one of least loss under the policy's metric; `choose: random` takes any of them by secret chance.

Guarantee: every group keeps the promise, for any model that survives merging.

Deviations from the full-domain searches in the literature: with a suppression limit l-diversity is not monotone, so
nodes are left out only by a bound on their loss, never by what held or failed elsewhere; rows are suppressed group by
group and cost 1. What `suppression.columns` limits is never shown as `*` in all rows.

Complexity: one count of the distinct rows, then a roll-up per node visited, usually a few percent of the lattice.

References: Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001.
https://doi.org/10.1109/69.971193
Wong, Fu, Wang, Pei: Minimality attack in privacy preserving data publishing. VLDB 2007, for `choose` and `slack`.
https://dl.acm.org/doi/10.5555/1325851.1325914
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import InputError, one_line
from sfumato.fit import Fit, refused
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Task
from sfumato.partition.lattice.frequency import Frequencies
from sfumato.partition.lattice.full_domain import by_chance, fit_if_merging, none_found, partition_at
from sfumato.partition.lattice.grid import Grid
from sfumato.partition.lattice.levels import Ladders, Node
from sfumato.partition.lattice.search import LatticeSearch

if TYPE_CHECKING:
    from sfumato.policy.methods import Lattice as Options

__all__ = ["LatticePartitioner"]


@dataclass(frozen=True)
class LatticePartitioner:
    """The partitioner of `partition: {method: lattice}`."""

    options: Options
    counts_sets: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        return fit_if_merging("the lattice", model)

    def fit_blocks(self) -> Fit:
        return refused("one recoding is chosen for all rows, which are then looked at together")

    def partition(self, task: Task) -> Partition:
        search = self.search(task)
        random = self.options.choose == "random"
        if random:
            allowed = search.allowed()
            chosen = by_chance(search, allowed) if allowed else None
        else:
            best = search.best()
            chosen = None if best is None else best.node
        if chosen is None:
            raise none_found(search)
        return partition_at(search, chosen, guarded=random or self.options.slack > 0)

    def search(self, task: Task) -> LatticeSearch:
        """The search over the levels that the options allow."""
        frequencies = Frequencies.of(task)
        ladders = frequencies.ladders
        low = _levels(ladders, self.options.minimum, (0,) * len(ladders), "minimum")
        high = _levels(ladders, self.options.maximum, ladders.top, "maximum")
        told = ladders.told(task.blank)
        for ladder, least, most, highest in zip(ladders.each, low, high, told, strict=True):
            name = ladder.column.name
            if least > most:
                raise InputError(f"partition: column {name!r}: the minimum level {least} is above the maximum {most}")
            if least > highest:
                raise InputError(
                    f"partition: column {name!r}: at the minimum level {least} every row shows '*', which"
                    f" suppression.columns.{one_line(name)} does not allow"
                )
        return LatticeSearch(task, frequencies, Grid(low, tuple(map(min, high, told))))


def _levels(ladders: Ladders, given: Mapping[str, int], default: Node, setting: str) -> Node:
    """The level of every column, where the policy gives one."""
    for ladder in ladders.each:
        level = given.get(ladder.column.name, 0)
        if level > ladder.height:
            raise InputError(
                f"partition.{setting}.{ladder.column.name}: there is no level {level}; the column has the levels 0"
                f" (as it is) to {ladder.height} ('*')"
            )
    return tuple(given.get(ladder.column.name, level) for ladder, level in zip(ladders.each, default, strict=True))
