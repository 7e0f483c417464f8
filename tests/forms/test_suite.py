"""Forms before the conformance suite, and cells of the matrix that have one of them."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.extend import Material, Published
from sfumato.forms import registry
from sfumato.forms.anatomized import AnatomizedPublisher
from sfumato.forms.permuted import PermutedPublisher
from sfumato.partition.contract import Partition
from sfumato.policy.forms import Form
from sfumato.testing import check_form, check_triple
from sfumato.testing import form as form_suite
from tests.support.conformance import check_shown
from tests.support.examples import examples, some

EXACT = ("permuted", "anatomized", "sliced")
SETTINGS: list[Form] = [
    sf.Permuted(insensitive=True),
    sf.Permuted(together=False),
    sf.Anatomized(insensitive=True),
    sf.Sliced(insensitive=True),
    sf.Sliced(width=1),
]


@pytest.mark.parametrize("form", some(SETTINGS, kind=attrgetter("publish")), ids=str)
def test_forms_pass(form: Form, monkeypatch: pytest.MonkeyPatch) -> None:
    check_shown(form, 40, monkeypatch)


@pytest.mark.parametrize("form", some(EXACT))
def test_cells_are_kept_or_refused(form: str) -> None:
    every = [cell for cell in sf.methods().cells if cell.form == form]
    cells = [
        every[place] for place in np.random.default_rng(4).permutation(len(every))[: examples(40, fewest=10)].tolist()
    ]
    ends = [check_triple(cell, seed=7, rounds=2) for cell in cells]
    assert sum(end.published for end in ends) > len(ends) / 4


def test_what_exact_quasi_identifiers_cannot_promise_is_refused_whatever_the_algorithm() -> None:
    for cell in sf.methods().cells:
        if cell.form in EXACT and cell.model in ("k-anonymity", "alpha-k"):
            assert cell.status == "refused" and "cannot be told apart" in cell.why


class InOrder(AnatomizedPublisher):
    """Row numbers in both tables."""

    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        tables = {name: table.with_columns(row=pl.Series(range(table.height))) for name, table in made.tables.items()}
        return replace(made, tables=tables)


class Miscounts(AnatomizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        wrong = made.tables["sensitive"].with_columns(pl.col("count") + 1)
        return replace(made, tables={**made.tables, "sensitive": wrong})


class Alone(PermutedPublisher):
    """As if every row were a group of its own."""

    def publish(self, material: Material) -> Published:
        alone = Partition.of_each(material.table, np.arange(material.table.rows))
        return super().publish(replace(material, partition=alone))


@pytest.mark.parametrize(("name", "liar"), [("anatomized", InOrder), ("anatomized", Miscounts), ("permuted", Alone)])
def test_a_form_that_goes_wrong_is_caught(name: str, liar: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.FORMS.homes, name, liar)
    monkeypatch.setattr(form_suite, "sampled_promises", lambda: (sf.DistinctL(2),))
    form = sf.Anatomized() if name == "anatomized" else sf.Permuted()
    with pytest.raises(AssertionError, match=r"the auditor confirms what is published|nothing else is raised"):
        check_form(form, rounds=10)
