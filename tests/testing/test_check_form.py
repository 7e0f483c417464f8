"""The built-in form passes the conformance suite, and one that goes wrong does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.extend import Fit, Form, Material, Model, Published
from sfumato.forms import registry
from sfumato.forms.generalized import GeneralizedPublisher
from sfumato.partition.contract import Partition
from sfumato.policy import forms
from sfumato.testing import check_form, check_triple
from sfumato.testing import form as form_suite
from tests.support.conformance import check_shown
from tests.support.examples import examples


@pytest.mark.thorough
@pytest.mark.parametrize("group_id", [False, True])
def test_the_built_in_form_passes(group_id: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    check_shown(sf.Generalized(group_id=group_id), 300, monkeypatch)


class Named(Form):
    """A form of somebody else: groups always have an id."""

    publish: Literal["named"] = "named"
    group_id: Literal[True] = True
    numbers: Literal["intervals"] = "intervals"


@pytest.mark.thorough
def test_a_form_of_somebody_else_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(forms.FORMS.homes, "named", Named)
    monkeypatch.setitem(registry.FORMS.homes, "named", GeneralizedPublisher)
    monkeypatch.setattr(form_suite, "sampled_promises", lambda: (sf.DistinctL(2),))
    check_form(Named(), rounds=examples(4, fewest=2))
    cell = sf.methods().cell("distinct-l", "lattice", "named")
    assert check_triple(cell, rounds=4).published, "audited on disk as well"


def changed(made: Published, frame: pl.DataFrame) -> Published:
    return replace(made, tables={"table": frame})


class LosesARow(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return changed(made, made.tables["table"][1:])


class RepeatsARow(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        table = made.tables["table"].drop("name", strict=False)
        return changed(made, pl.concat([table, table[:1]]))


class ShowsEveryRow(GeneralizedPublisher):
    """As if every row were a group of its own."""

    def publish(self, material: Material) -> Published:
        alone = Partition.of_each(material.table, np.arange(material.table.rows))
        return super().publish(replace(material, partition=alone))


class ShowsTheNames(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        frame = made.tables["table"]
        return changed(made, frame.with_columns(name=pl.Series([f"person {row}" for row in frame["row"]])))


class ExplainsNothing(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return replace(made, dictionary={name: each for name, each in made.dictionary.items() if name != "row"})


class ForgetsAValue(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        quasi = {column.name for column in material.table.quasi}
        less: dict[str, Mapping[str, Any]] = {
            name: {**each, "values": {}} if name in quasi else each for name, each in made.dictionary.items()
        }
        return replace(made, dictionary=less)


class SaysLessThanItShows(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        less = {name: (low * 0, low * 0, low) for name, (low, _, _) in made.spans.of.items()}
        return replace(made, spans=replace(made.spans, of=less))


class MiscountsClasses(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return replace(made, sizes=made.sizes + 1)


class KeepsTheOrder(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return changed(made, made.tables["table"].sort("row"))


CALLS = count()


class NeverTheSame(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return changed(made, made.tables["table"].reverse()) if next(CALLS) % 2 else made


class ShowsNobody(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        return replace(super().publish(material), people=None)


class ShowsOthers(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return replace(made, people=None if made.people is None else made.people[::-1])


class ShowsSomebodyTwice(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        made = super().publish(material)
        return replace(made, people=None if made.people is None else made.people * 0)


class RefusesWithoutAWord(GeneralizedPublisher):
    def fit(self, model: Model) -> Fit:
        return Fit("refused")


class Breaks(GeneralizedPublisher):
    def publish(self, material: Material) -> Published:
        raise KeyError("of its own")


LIARS: list[tuple[type[GeneralizedPublisher], str]] = [
    (LosesARow, "the auditor confirms what is published"),
    (RepeatsARow, "the auditor confirms what is published"),
    (ShowsEveryRow, "the auditor confirms what is published"),
    (ShowsTheNames, "the auditor confirms what is published"),
    (ForgetsAValue, "the auditor confirms what is published"),
    (ExplainsNothing, "the data dictionary explains every column"),
    (SaysLessThanItShows, "covers what the rows were"),
    (MiscountsClasses, "sizes of classes add up"),
    (KeepsTheOrder, "rows do not stand in the order of the input"),
    (NeverTheSame, "covers what the row was|those that it shows|gives the same release"),
    (ShowsNobody, "says which row of the table each published one is"),
    (ShowsOthers, "the rows that a form says it shows are those that it shows"),
    (ShowsSomebodyTwice, "every published row is another row of the table"),
    (RefusesWithoutAWord, "fit says how it adapts, or why it refuses"),
    (Breaks, "nothing else is raised"),
]


@pytest.mark.parametrize(("liar", "message"), LIARS, ids=lambda given: getattr(given, "__name__", None))
def test_a_form_that_goes_wrong_is_caught(
    liar: type[GeneralizedPublisher], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.FORMS.homes, "generalized", liar)
    monkeypatch.setattr(form_suite, "sampled_promises", lambda: (sf.KAnonymity(2), sf.DistinctL(2)))
    with pytest.raises(AssertionError, match=message):
        check_form(sf.Generalized(), rounds=20)
