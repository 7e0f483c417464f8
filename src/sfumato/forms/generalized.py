"""Generalized: one table in which all rows of a group show the same quasi-identifiers.

A column with a hierarchy shows the lowest node that covers the group, a number or date without one the interval from
the smallest to the largest value, text without one the set of values present. A value together with a missing one
shows `*`: nothing else lies between them. Sensitive and insensitive columns stay as they are. With `numbers: bounds`
numbers and dates are two columns, the lower and the upper end of what is shown.

Guarantee: rows of one group cannot be told apart by what is published of their quasi-identifiers. Groups that happen
to show the same values are one class to a recipient, so only promises that survive merging may rest on groups without
a published id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.fit import NATIVE, Fit, refused
from sfumato.forms.cells import cells_of, cells_shown, cells_size
from sfumato.forms.contract import CountedColumn, CountedTable, Material, Published
from sfumato.forms.covers import NOTATION, Gathered, ShownColumn, class_sizes, dictionary_of, spans_of
from sfumato.forms.rows import ShownRows
from sfumato.models.contract import Model, concerned
from sfumato.policy.columns import Column
from sfumato.policy.forms import Generalized as Options
from sfumato.policy.phrases import BOUNDS
from sfumato.policy.sections import NOTHING, BoundsShown
from sfumato.table.dictionaries import column_of
from sfumato.table.domain import Domain

if TYPE_CHECKING:
    from sfumato.forms.bounds import LowerUpper

__all__ = ["GeneralizedPublisher"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class GeneralizedPublisher:
    """The publisher of `form: {publish: generalized}`."""

    options: Options
    shows_recoding: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        if model.survives_merging or self.options.group_id:
            return NATIVE
        who = concerned(model, lambda part: not part.survives_merging, "needs", "need")
        return refused(f"{who} a published group id (form: group_id: true)")

    def fit_persons(self, model: Model) -> Fit:
        if not self.options.group_id:
            return refused(
                "groups that show the same are one to a reader, and two rows of one person could meet there; publish"
                " the group id (form: group_id: true)"
            )
        return self.fit(model)

    def publish(self, material: Material) -> Published:
        rows, policy = ShownRows.of(material), material.policy
        covers = _covers(material, rows)
        texts = json.dumps({name: cover.texts.to_list() for name, cover in covers.items()})
        randomness = material.bound("generalized", self.options.model_dump_json(), texts)
        order = randomness.shuffle(len(rows), "row order")
        at = rows.group[order]
        columns: list[pl.Series] = []
        bounds, carried = self._bounds(policy.columns, covers, at), rows.carried(order, randomness)
        for name in policy.columns:
            if name in bounds:
                columns.extend(side.gather(covers[name].shown[at]) for side in bounds[name].columns)
            elif name in covers:
                columns.append(column_of(name, covers[name].shown[at], covers[name].texts))
            elif name in carried:
                columns.append(carried[name])
        ids = rows.numbered(randomness) if self.options.group_id else None
        columns += [] if ids is None else [ids.gather(at)]
        group_id = None if ids is None else ids.name
        sizes = np.bincount(at, minlength=rows.count)
        told = sizes[: rows.suppressed]
        words = dictionary_of(rows, covers, Options.phrases, group_id)
        pairs = {name: tuple(side.name for side in pair.columns) for name, pair in bounds.items()}
        return Published(
            tables={"table": pl.DataFrame(columns)},
            group_id=group_id,
            dictionary=_explained(words, bounds),
            notation=NOTATION,
            spans=spans_of(covers, told),
            sizes=class_sizes(told, covers, group_id is not None),
            blank={name: int(sizes[cover.blank].sum()) for name, cover in covers.items()},
            public=BoundsShown(bounds=pairs) if pairs else NOTHING,
            people=rows.tuples[order],
        )

    def fit_blocks(self, quasi: Sequence[Domain]) -> Fit:
        if self.options.group_id:
            return refused("groups are numbered when all are known; leave form.group_id out")
        wide = [column.name for column in quasi if cells_size(column) is None]
        if wide:
            return refused(f"column {wide[0]!r} has too many values for sets of them; give it a hierarchy or an order")
        return NATIVE

    def counted(self, material: Material) -> CountedTable:
        """What parts of the partition show, and how many rows of each."""
        if self.options.numbers == "bounds":
            raise Refused("a table in parts shows numbers as intervals: leave form.numbers out, or give more memory")
        rows, policy = ShownRows.of(material), material.policy
        covers, told = _covers(material, rows), ("sensitive", "quasi-sensitive", "insensitive")
        parts = np.flatnonzero(rows.groups >= 0)
        group, times = rows.groups[parts], material.partition.counts[parts]
        columns: list[CountedColumn] = []
        drawn: dict[str, int] = {}
        for name, spec in policy.columns.items():
            if name in covers:
                columns.append(_quasi(material.table[name], covers[name], group))
            elif spec.role in told:
                carried = rows.carried_codes(name)
                columns.append(_column(name, carried.codes[parts].astype(np.int64), carried.values))
            elif spec.role == "identifier" and spec.pseudonym:
                drawn[name] = len(columns) + len(drawn)
        ids = rows.numbered(material.bound("group numbers")) if self.options.group_id else None
        columns += [] if ids is None else [_column(ids.name, group, ids)]
        sizes = np.zeros(rows.count, dtype=np.int64)
        np.add.at(sizes, group, times)
        group_id, shown = None if ids is None else ids.name, sizes[: rows.suppressed]
        empty = [pl.Series(each.name, [], each.shown(np.zeros(0, np.int64)).dtype) for each in columns]
        for name, place in drawn.items():
            empty.insert(place, pl.Series(name, [], pl.String))
        published = Published(
            tables={"table": pl.DataFrame(empty)},
            group_id=group_id,
            dictionary=dictionary_of(rows, covers, Options.phrases, group_id),
            notation=NOTATION,
            spans=spans_of(covers, shown),
            sizes=class_sizes(shown, covers, group_id is not None),
            blank={name: int(sizes[cover.blank].sum()) for name, cover in covers.items()},
            height=int(times.sum()),
        )
        return CountedTable(tuple(columns), times, published, drawn)

    def _bounds(
        self, columns: Mapping[str, Column], covers: Mapping[str, ShownColumn], shown: Ints
    ) -> dict[str, LowerUpper]:
        """The numbers and dates that are to be shown by their bounds."""
        if self.options.numbers != "bounds":
            return {}
        from sfumato.forms.bounds import LowerUpper

        wanted = {name: cover for name, cover in covers.items() if columns[name].kind != "text"}
        return {
            name: LowerUpper.of(columns[name], cover.texts, cover.shown[shown], set(columns))
            for name, cover in wanted.items()
        }


def _column(name: str, codes: Ints, values: pl.Series) -> CountedColumn:
    return CountedColumn(name, codes, max(len(values), 1), values.gather)


def _quasi(domain: Domain, cover: ShownColumn, group: Ints) -> CountedColumn:
    size = cells_size(domain)
    if size is None:  # told by the texts of these very groups
        return _column(domain.name, cover.shown[group], cover.texts)
    return CountedColumn(domain.name, cells_of(domain, cover)[group], size, cells_shown(domain))


def _explained(made: dict[str, dict[str, Any]], bounds: Mapping[str, LowerUpper]) -> dict[str, dict[str, Any]]:
    """The data dictionary, with what every bound is instead of what every interval means."""
    explained: dict[str, dict[str, Any]] = {}
    for name, entry in made.items():
        if name not in bounds:
            explained[name] = entry
            continue
        for side, words in zip(bounds[name].columns, BOUNDS, strict=False):
            explained[side.name] = {"role": entry["role"], "technique": words.format(name=name)}
    return explained


def _covers(material: Material, rows: ShownRows) -> dict[str, ShownColumn]:
    """How every quasi-identifier shows every group."""
    table, found = material.table, material.partition
    gathered, made = Gathered.of(rows.groups), {}
    for column in table.quasi:
        codes = table.codes[column.name][found.tuples]
        cover = ShownColumn.of(column, codes, material.policy.columns[column.name], gathered, found.recoding)
        if rows.suppressed is not None:
            cover = cover.hiding(np.arange(rows.count) == rows.suppressed, column)
        made[column.name] = cover
    return made
