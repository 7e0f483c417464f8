"""Anatomized: a table with exact quasi-identifiers and group ids, and one that counts sensitive values by group.

Guarantee: for whoever knows all quasi-identifiers, every value of a group is as likely as often as it occurs there.
Several sensitive columns are counted together. Insensitive columns are left out unless asked for.

Both tables are shuffled apart from each other, equal entries are counted as one, and group ids are random numbers:
in the order of selection, the i-th row of a group would have the i-th value.

Reference: Xiao, Tao: Anatomy: simple and effective privacy preservation. VLDB 2006.
https://dl.acm.org/doi/10.5555/1182635.1164141
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.fit import Fit
from sfumato.forms.contract import Material, Published
from sfumato.forms.exact_quasi import Exact, fit_exact
from sfumato.forms.rows import free_name
from sfumato.models.contract import Model
from sfumato.policy.forms import Anatomized as Options
from sfumato.policy.sections import CountShown

__all__ = ["AnatomizedPublisher"]


@dataclass(frozen=True)
class AnatomizedPublisher:
    """The publisher of `form: {publish: anatomized}`."""

    options: Options
    shows_missing: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        return fit_exact(model, "anatomized")

    def fit_persons(self, model: Model) -> Fit:
        return self.fit(model)

    def publish(self, material: Material) -> Published:
        exact = Exact.of(material, "anatomized", self.options.model_dump_json())
        policy = material.policy
        people, rows = exact.scattered("row order"), np.arange(len(exact.rows))
        columns = [*exact.pseudonyms(), *exact.cells(exact.shown(self.options.insensitive), people)]
        quasi = exact.table(columns, people)
        count = free_name("count", policy.columns)
        counted = (
            pl.DataFrame([exact.id_of(rows), *exact.cells(policy.secret, rows)])
            .group_by(exact.id_name, *policy.secret, maintain_order=True)
            .len(count)
            .with_columns(pl.col(count).cast(pl.Int64))
        )
        entries = counted[exact.randomness.shuffle(counted.height, "order of entries")]
        names, words = [*quasi.columns[:-1], *policy.secret], Options.phrases
        made = exact.of_tables({"quasi": quasi, "sensitive": entries}, names, people, words)
        return replace(
            made,
            dictionary={**made.dictionary, count: {"role": "count", "technique": words.own["count"]}},
            public=CountShown(count=count),
            notes=("quasi-identifiers are shown as they are: whoever knows them finds a person's group",),
        )
