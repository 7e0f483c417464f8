"""Looking around in the lattice of full-domain recodings before choosing one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.engine.prepared import prepared
from sfumato.engine.task import task_of
from sfumato.errors import InputError, Refused, one_line
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.lattice.lattice import LatticePartitioner as Partitioner
from sfumato.partition.lattice.levels import Node
from sfumato.partition.lattice.mapping import mapped
from sfumato.partition.lattice.search import Judged, LatticeSearch
from sfumato.policy.forms import Generalized
from sfumato.policy.load import PolicyLike
from sfumato.policy.methods import Lattice
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent
from sfumato.randomness import Randomness
from sfumato.table.persons import Several
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.notebook.plots import LatticePlots
from sfumato.displayed import Displayed

__all__ = ["LatticeMap", "lattice"]

_MOST = 100_000


def lattice(
    data: object,
    promise: Promise | Mapping[str, Any] | None = None,
    *,
    policy: PolicyLike | None = None,
    partition: Lattice | Mapping[str, Any] | None = None,
    progress: Progress = silent,
) -> LatticeMap:
    """The lattice of a table's recodings: which keep the promise, at what loss.

    data       a `Table` from `sfumato.read`, or a path or frame together with `policy`
    promise    instead of the policy's `privacy:`
    policy     what each column is, and what is promised
    partition  lowest and highest levels, and slack; by default those of the policy, if its method is lattice, else all
               levels and its slack
    progress   called with (stage, done, in all)

    Nothing is published, and nothing is secret about the answer: it is for the holder's eyes.

    >>> import polars as pl
    >>> import sfumato as sf
    >>> columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    >>> privacy = [{"model": "k-anonymity", "k": 2}]
    >>> policy = {"columns": columns, "privacy": privacy, "partition": {"method": "mondrian"}}
    >>> people = pl.DataFrame({"age": [31, 33, 52, 58], "disease": ["flu", "gout", "gout", "flu"]})
    >>> sf.lattice(people, policy=policy)
    <LatticeMap: 2 recodings; levels of age 0..1>
    >>> sf.lattice(people, policy=policy).best
    {'age': 1}
    """
    table = prepared(data, policy, promise, partition, None)
    own = table.policy.partition
    if partition is not None and not isinstance(own, Lattice):
        raise InputError(f"sf.lattice looks at recodings: its partition must have the method lattice, not {own.method}")
    options = own if isinstance(own, Lattice) else Lattice(slack=own.slack)
    coded = table.encode()
    several = Several.of(coded, table.policy.individual)
    if several is not None:
        raise Refused(f"{several}: a recoding would put rows of one person into a class; there is none to look at")
    model = bind(options.searched(table.policy.promise), Facts.of(coded))
    partitioner = Partitioner(options)
    fit = partitioner.fit(model)
    if fit.status == "refused":
        raise InputError(fit.why)
    task = task_of(table.policy, coded, model, publisher(Generalized()), Randomness.fixed(0), progress)
    return LatticeMap(partitioner.search(task))


@dataclass(frozen=True, eq=False)
class LatticeMap(Displayed):
    """Every recoding of a table. A node gives each quasi-identifier a level: 0 as it is, the highest `*`."""

    _search: LatticeSearch = field(repr=False)

    def __repr__(self) -> str:
        tops = ", ".join(f"{one_line(name)} 0..{top}" for name, top in self.top.items())
        return f"<LatticeMap: {counted(self.count, 'recoding')}; levels of {tops}>"

    @property
    def plot(self) -> LatticePlots:
        """Its picture: `nodes()`, which shows itself and can be saved."""
        from sfumato.notebook.plots import LatticePlots

        return LatticePlots(self)

    @property
    def count(self) -> int:
        """How many nodes there are, within the lowest and highest levels allowed."""
        return self._search.grid.count

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of a node."""
        return tuple(column.name for column in self._search.task.table.quasi)

    @property
    def top(self) -> Mapping[str, int]:
        """The highest level of every column."""
        return self._named(self._search.frequencies.ladders.top)

    @property
    def bounds(self) -> Mapping[str, tuple[int, int]]:
        """The lowest and the highest level of every column that the policy allows."""
        grid = self._search.grid
        return dict(zip(self.columns, zip(grid.low, grid.high, strict=True), strict=True))

    @cached_property
    def best(self) -> Mapping[str, int] | None:
        """The node of least loss within the suppression limit; None if there is none."""
        found = self._search.best()
        return None if found is None else self._named(found.node)

    @cached_property
    def minimal(self) -> list[Mapping[str, int]]:
        """Every node that keeps the promise without suppression while none below it does."""
        return [self._named(node) for node in self._search.minimal()]

    @cached_property
    def nodes(self) -> pl.DataFrame:
        """Every node: its levels, height, whether it keeps the promise, what would be suppressed, classes and loss.

        passes      without suppression
        allowed     with the suppression that the policy allows; `loss` counts suppressed rows as lost
        minimal     passes while no node below does

        A quasi-identifier that is named like one of these facts has its levels under `level of NAME`.
        """
        grid = self._search.grid
        if grid.count > _MOST:
            raise InputError(
                f"the lattice has {grid.count} nodes, too many to list (more than {_MOST}); set minimum and maximum"
                " levels, or ask for best or minimal"
            )
        least = set(self._search.minimal())
        judged = [self._search.judged(grid.node(place)) for place in range(grid.count)]
        facts: dict[str, list[Any]] = {
            "height": [sum(each.node) for each in judged],
            "passes": [each.suppressed == 0 for each in judged],
            "allowed": [each.allowed for each in judged],
            "minimal": [each.node in least for each in judged],
            "suppressed": [each.suppressed for each in judged],
            "classes": [each.classes for each in judged],
            "loss": [each.loss for each in judged],
        }
        levels: dict[str, list[Any]] = {}
        for axis, name in enumerate(self.columns):
            while name in facts or name in levels or (name != self.columns[axis] and name in self.columns):
                name = f"level of {name}"
            levels[name] = [each.node[axis] for each in judged]
        return pl.DataFrame({**levels, **facts})

    def at(self, levels: Mapping[str, int]) -> Judged:
        """One node, by the levels of its columns; those not named at 0."""
        given = dict(levels) if isinstance(levels, Mapping) else {"": 0}
        node = tuple(given.get(name, 0) for name in self.columns)
        known = set(given) <= set(self.columns) and all(type(level) is int for level in node)
        if not known or any(not 0 <= level <= self.top[name] for name, level in zip(self.columns, node, strict=True)):
            bounds = ", ".join(f"{one_line(name)} 0..{height}" for name, height in self.top.items())
            raise InputError(f"there is no such node; the columns and their levels, whole numbers, are: {bounds}")
        return self._search.judged(node)

    def levels(self, column: str) -> pl.DataFrame:
        """What every value of the data would become at each level of a column."""
        if column not in self.columns:
            raise InputError(
                f"column {column!r} is not a quasi-identifier; there are: {', '.join(map(one_line, self.columns))}"
            )
        coded = self._search.task.table[column]
        height = self.top[column]
        shown = [mapped(coded, level, height) for level in range(height + 1)]
        return pl.DataFrame(
            {"value": list(shown[0]), **{f"level {level}": list(each.values()) for level, each in enumerate(shown)}}
        )

    def _named(self, node: Node) -> Mapping[str, int]:
        return dict(zip(self.columns, node, strict=True))
