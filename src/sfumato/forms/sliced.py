"""Sliced: columns in slices, every slice in a random order of its own within every group.

Guarantee: for whoever knows all quasi-identifiers and everybody's group, every value of a group is as likely as often
as it occurs there. Of quasi-identifiers, only those in one slice are seen side by side. A sensitive column stands
alone, or with other sensitive ones; a quasi-identifier may share its slice where every group has a single value of it.

Slices are those of the policy, a column that it leaves out alone. Without any, quasi-identifiers are paired by the
strength of their association (phi squared, numbers in ten bins of equal frequency), the strongest first, up to `width`
in a slice, and sensitive columns are one slice.

Deviations: the paper clusters columns with k-medoids and lets a sensitive column share a slice with quasi-identifiers,
which shows one with the other; here that is allowed only where it says nothing.

Reference: Li, Li, Zhang, Molloy: Slicing: a new approach for privacy preserving data publishing. TKDE 2012.
https://doi.org/10.1109/TKDE.2010.236
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.fit import Fit, refused
from sfumato.forms.contract import Material, Published
from sfumato.forms.exact_quasi import Exact, fit_exact
from sfumato.models.contract import Model, concerned, speaks_of_several
from sfumato.policy.forms import Sliced as Options
from sfumato.policy.sections import SlicesShown
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["SlicedPublisher", "association", "by_association"]

Slices = tuple[tuple[str, ...], ...]

_BINS = 10


@dataclass(frozen=True)
class SlicedPublisher:
    """The publisher of `form: {publish: sliced}`."""

    options: Options
    shows_missing: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        for columns in model.statistics:
            parts = [set(part) for part in self.options.slices or ()]
            named = set().union(*parts)
            if len(columns) > 1 and set(columns) & named and not any(set(columns) <= part for part in parts):
                who = concerned(model, speaks_of_several, "speaks", "speak")
                return refused(f"{who} of sensitive columns together; put them in one slice")
        return fit_exact(model, "sliced")

    def fit_persons(self, model: Model) -> Fit:
        return self.fit(model)

    def publish(self, material: Material) -> Published:
        exact = Exact.of(material, "sliced", self.options.model_dump_json())
        slices = self._slices(material, exact)
        columns: list[pl.Series] = []
        for place, part in enumerate(slices):
            columns += exact.cells(part, exact.order(f"slice {place}"))
        return replace(
            exact.published(columns, exact.order("rows"), Options.phrases),
            public=SlicesShown(slices=slices),
            aligned=False,
            notes=("quasi-identifiers are shown as they are, slice by slice",),
        )

    def _slices(self, material: Material, exact: Exact) -> Slices:
        """Every published column in exactly one slice."""
        secret = material.policy.secret
        given = self.options.slices
        if given is None:
            quasi = by_association(_told(material), self.options.width)
            made = (*quasi, secret) if secret else quasi
        else:
            made = tuple(part for part in given if part)
            rest = tuple(name for name in secret if not any(name in part for part in made))
            made = (*made, rest) if rest else made
        named = {name for part in made for name in part}
        made = (*made, *((name,) for name in exact.shown(self.options.insensitive) if name not in named))
        for part in made:
            if set(part) & set(secret):
                self._require_one_value(exact, [name for name in part if name not in secret])
        return made

    @staticmethod
    def _require_one_value(exact: Exact, beside: list[str]) -> None:
        """What shares a slice with a sensitive column must not tell its values apart."""
        if not beside:
            return
        rows = np.arange(len(exact.rows))
        shown = pl.DataFrame([exact.id_of(rows), *exact.cells(beside, rows)])
        for name in beside:
            several = shown.group_by(exact.id_name).agg(pl.col(name).n_unique()).filter(pl.col(name) > 1).height
            if several:
                raise NoneFound(
                    f"column {name!r} shares a slice with a sensitive column and has several values in {several}"
                    f" groups, so that it would tell values apart; give it another slice"
                )


def _told(material: Material) -> Tuples:
    """The quasi-identifiers of the rows that show them: others have no say in what stands together."""
    found, told = material.partition, material.partition.groups >= 0
    codes = {column.name: material.table.codes[column.name][found.tuples[told]] for column in material.table.quasi}
    return Tuples(found.counts[told], codes, material.table.quasi, ())


def by_association(table: Tuples, width: int) -> Slices:
    """Quasi-identifiers in slices of at most `width`, the strongest pairs joined first."""
    slices = [[column.name] for column in table.quasi]
    pairs = sorted(
        combinations(table.quasi, 2), key=lambda pair: (-association(table, *pair), pair[0].name, pair[1].name)
    )
    for one, other in pairs if width > 1 else ():
        mine, theirs = (next(part for part in slices if column.name in part) for column in (one, other))
        if mine is not theirs and len(mine) + len(theirs) <= width:
            mine += theirs
            slices = [part for part in slices if part is not theirs]
    return tuple(map(tuple, slices))


def association(table: Tuples, one: Domain, other: Domain) -> float:
    """Phi squared: 0 if two columns are independent, 1 if one follows from the other."""
    first, second = _binned(table, one), _binned(table, other)
    cells, place = np.unique(first * (int(second.max(initial=0)) + 1) + second, return_inverse=True)
    counts = np.bincount(place, weights=table.counts)
    alone = np.bincount(first, weights=table.counts), np.bincount(second, weights=table.counts)
    least = min(int((each > 0).sum()) for each in alone) - 1
    if least < 1:
        return 0.0
    rows, columns = np.divmod(cells, int(second.max()) + 1)
    return float((counts / alone[0][rows] * (counts / alone[1][columns])).sum() - 1) / least


def _binned(table: Tuples, column: Domain) -> NDArray[np.int64]:
    """Codes, or bins of equal frequency where there are many that have an order."""
    codes = table.codes[column.name].astype(np.int64)
    counts = np.bincount(codes, weights=table.counts, minlength=column.size).astype(np.int64)
    if not column.ordered or np.count_nonzero(counts) <= _BINS:
        return codes
    below = np.concatenate(([0], np.cumsum(counts)[:-1]))
    return np.asarray((below * _BINS // max(table.rows, 1))[codes])
