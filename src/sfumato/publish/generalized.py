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

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Model, concerned
from sfumato.policy.columns import Column
from sfumato.publish.bounds import Bounds
from sfumato.publish.boxes import NOTATION, Gathered, View, class_sizes, dictionary_of
from sfumato.publish.contract import Material, Published
from sfumato.publish.groups import free_name, plain, shown_groups
from sfumato.publish.secrets import shown_secrets

if TYPE_CHECKING:
    from sfumato.policy.forms import Generalized as Options

__all__ = ["Generalized"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Generalized:
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
        group, suppressed = shown_groups(material)
        groups = Gathered.of(group)
        policy = material.table.policy
        recoding = material.partition.recoding
        views = {
            column.name: View.of(column, policy.columns[column.name], groups, recoding)
            for column in material.coded.quasi
        }
        if suppressed is not None:
            last = np.arange(len(groups.starts) - 1) == suppressed
            views = {column.name: views[column.name].hiding(last, column) for column in material.coded.quasi}
        randomness = material.randomness.bound_to(_content(material.table.digest, group, views))
        order = randomness.shuffle(len(group), "row order")
        rows = order[group[order] >= 0]
        frame = shown_secrets(material)[rows]
        columns: list[pl.Series] = []
        bounds = self._bounds(policy.columns, views, group[rows])
        for name, spec in policy.columns.items():
            if name in bounds:
                columns.extend(side.gather(group[rows]) for side in bounds[name].columns)
            elif name in views:
                columns.append(views[name].texts.gather(group[rows]).alias(name))
            elif spec.role == "identifier" and spec.pseudonym:
                columns.append(pl.Series(name, randomness.names(len(rows), f"pseudonyms of {name}")))
            elif spec.role in ("sensitive", "quasi-sensitive", "insensitive"):
                columns.append(plain(frame[name]))
        group_id = None
        if self.options.group_id:
            group_id = free_name("group", policy.columns)
            numbers = randomness.shuffle(len(groups.starts) - 1, "group numbers") + 1
            columns.append(pl.Series(group_id, numbers[group[rows]]))
        at = group[rows]
        told = at[at != suppressed] if suppressed is not None else at
        return Published(
            tables={"table": pl.DataFrame(columns)},
            group_id=group_id,
            dictionary=_explained(dictionary_of(policy.columns, views, group_id, material.partition), bounds),
            notation=NOTATION,
            spans={name: (view.low[told], view.high[told], view.values[told]) for name, view in views.items()},
            sizes=class_sizes(told, views, group_id is not None),
            blank={name: int(view.blank[at].sum()) for name, view in views.items()},
            bounds={name: tuple(side.name for side in pair.columns) for name, pair in bounds.items()},
            people=rows,
        )

    def _bounds(self, columns: Mapping[str, Column], views: Mapping[str, View], shown: Ints) -> dict[str, Bounds]:
        """The numbers and dates that are to be shown by their bounds."""
        if self.options.numbers != "bounds":
            return {}
        wanted = {name: view for name, view in views.items() if columns[name].kind != "text"}
        return {name: Bounds.of(columns[name], view.texts, shown, set(columns)) for name, view in wanted.items()}


def _explained(made: dict[str, dict[str, Any]], bounds: Mapping[str, Bounds]) -> dict[str, dict[str, Any]]:
    """The data dictionary, with what every bound is instead of what every interval means."""
    explained: dict[str, dict[str, Any]] = {}
    for name, entry in made.items():
        if name not in bounds:
            explained[name] = entry
            continue
        words = (f"lower bound of {name!r}, included", f"upper bound of {name!r}, included")
        for side, technique in zip(bounds[name].columns, (*words, f"whether {name!r} is missing"), strict=False):
            explained[side.name] = {"role": entry["role"], "technique": technique}
    return explained


def _content(source: str, group: Ints, views: Mapping[str, View]) -> bytes:
    """A digest of the input, which rows share a group and what is shown of it."""
    digest = hashlib.sha256(source.encode() + group.tobytes())
    for name, view in views.items():
        digest.update(json.dumps([name, view.texts.to_list()]).encode())
    return digest.digest()
