"""The matrix is complete, comes from declarations, and ranks what pieces say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar, Literal

import pytest

import sfumato as sf
from sfumato.auditor.rules import RULES
from sfumato.engine.plan import Plan, plan
from sfumato.engine.probe import probe
from sfumato.extend import (
    NATIVE,
    Fit,
    Form,
    Material,
    Method,
    Model,
    Partition,
    Promise,
    Published,
    Task,
    adapted,
    promise,
    refused,
)
from sfumato.fit import Status
from sfumato.forms import registry
from sfumato.forms.generalized import GeneralizedPublisher
from sfumato.models import distinct
from sfumato.models.contract import Facts
from sfumato.models.registry import MODELS, bind
from sfumato.partition.registry import PARTITIONERS
from sfumato.policy.forms import FORMS
from sfumato.policy.methods import METHODS
from sfumato.policy.promises import PROMISES
from tests.support.command import Cli
from tests.support.installed import install


def test_every_combination_stands_there_once() -> None:
    matrix = sf.methods()
    cells = Counter((cell.model, cell.method, cell.form) for cell in matrix.cells)
    assert cells == Counter(product(PROMISES, METHODS, FORMS))
    assert (list(matrix.models), list(matrix.methods), list(matrix.forms)) == (
        list(PROMISES),
        list(METHODS),
        list(FORMS),
    )
    assert all([*matrix.models.values(), *matrix.methods.values(), *matrix.forms.values()])
    for cell in matrix.cells:
        assert bool(cell.why) == (cell.status != "native")
        assert matrix.cell(cell.model, cell.method, cell.form) is cell
        assert (cell.promise.name, cell.partition.method, cell.publication.publish) == (
            cell.model,
            cell.method,
            cell.form,
        )
    assert matrix.as_dict()["matrix"] == [cell.as_dict() for cell in matrix.cells]


def test_known_combinations() -> None:
    """By the definitions: full-domain recoding and Mondrian merge groups, and three promises do not survive that.

    Two of them ask for different values, which refinement makes.
    """
    fragile: dict[str, Status] = {
        "pairwise-l": "adapted",
        "unique-distinct-l": "adapted",
        "unique-distinct-literal": "refused",
    }
    for cell in sf.methods().cells:
        if cell.method in ("mondrian", "lattice", "incognito") and cell.form == "generalized":
            assert cell.status == fragile.get(cell.model, "native")
            assert cell.status != "refused" or cell.model in cell.why
            assert cell.status != "adapted" or cell.why == "with refine: true, group_id: true"


class Free(Method):
    """Serves promises that do not survive merging, and adapts to k."""

    method: Literal["free"] = "free"


@dataclass(frozen=True)
class FreePartitioner:
    options: Free

    def fit(self, model: Model) -> Fit:
        if model.promise.name == "entropy-l":
            return refused("no entropy here")
        return adapted("counts twice") if model.promise.name == "k-anonymity" else NATIVE

    def partition(self, task: Task) -> Partition:
        raise NotImplementedError


class Shown(Form):
    """A form that refuses unless it may."""

    publish: Literal["shown"] = "shown"
    style: Literal["plain", "rich"] = "plain"
    others: ClassVar[tuple[Mapping[str, Any], ...]] = ({"style": "rich"},)


@dataclass(frozen=True)
class ShownPublisher:
    options: Shown

    def fit(self, model: Model) -> Fit:
        rich = model.promise.name == "simple-l"
        return refused("too rich") if rich and self.options.style == "plain" else NATIVE

    def publish(self, material: Material) -> Published:
        raise NotImplementedError


@promise
class Various(Promise):
    """At least two different values."""

    on: str | None = None
    name: ClassVar[str] = "various"


class VariousModel(distinct.DistinctLModel):
    def hopeless(self, groups: Any) -> Any:
        return groups.sizes < 2

    def uniform_l(self) -> int:
        return 2

    def distinct_l(self) -> int:
        return 2


def test_what_is_added_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sf.methods()
    monkeypatch.setitem(METHODS.homes, "free", Free)
    monkeypatch.setitem(PARTITIONERS.homes, "free", FreePartitioner)
    monkeypatch.setitem(FORMS.homes, "shown", Shown)
    monkeypatch.setitem(registry.FORMS.homes, "shown", ShownPublisher)
    monkeypatch.setitem(PROMISES.homes, "various", Various)
    monkeypatch.setitem(MODELS.homes, "various", VariousModel)
    monkeypatch.setitem(RULES.homes, "various", RULES["distinct-l"])
    matrix = sf.methods()
    assert matrix.models["various"] == "At least two different values."
    assert matrix.methods["free"] == "Serves promises that do not survive merging, and adapts to k."
    assert len(matrix.cells) == len(PROMISES) * len(METHODS) * len(FORMS)
    assert [  # auto serves what any method does, the new one too
        cell
        for cell in matrix.cells
        if {cell.method, cell.form, cell.model}.isdisjoint(("free", "shown", "various", "auto"))
    ] == [cell for cell in before.cells if cell.method != "auto"]
    for cell in before.cells:
        if cell.method == "auto" and cell.status == "native":
            assert matrix.cell(cell.model, "auto", cell.form) == cell

    def told(model: str, method: str, form: str) -> tuple[Status, str]:
        cell = matrix.cell(model, method, form)
        return cell.status, cell.why

    assert told("distinct-l", "free", "shown") == ("native", "")
    assert told("various", "free", "generalized") == ("native", "")
    assert told("k-anonymity", "free", "generalized") == ("adapted", "counts twice")
    assert told("entropy-l", "free", "shown") == ("refused", "no entropy here")
    assert told("pairwise-l", "free", "generalized") == ("adapted", "with group_id: true")
    assert told("simple-l", "free", "shown") == ("adapted", "with style: rich")
    assert matrix.cell("simple-l", "free", "shown").publication == Shown(style="rich")


@promise
class Bare(Promise):
    """Without an example."""

    share: int
    on: str | None = None
    name: ClassVar[str] = "bare"


def test_a_promise_that_cannot_be_shown_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sf.methods()
    monkeypatch.setitem(PROMISES.homes, "bare", Bare)
    found = sf.methods()
    assert replace(found, broken={}) == before
    assert "`example` cannot be asked for" in found.broken["bare"]


UNLOADABLE = ImportError("no module named 'missing_part'\nsecond line")


@pytest.mark.parametrize(
    "group", ["sfumato.promises", "sfumato.partition_settings", "sfumato.form_settings", "sfumato.losses"]
)
def test_a_package_that_cannot_be_loaded_is_listed_as_broken(
    monkeypatch: pytest.MonkeyPatch, cli: Cli, group: str
) -> None:
    before = sf.methods()
    install(monkeypatch, "rotten", {group: UNLOADABLE})
    found = sf.methods()
    assert replace(found, broken={}) == before
    reason = "ImportError: no module named 'missing_part'"
    if group != "sfumato.losses":  # no axis of the matrix
        assert found.broken == {"rotten": reason}
        assert f"broken: rotten: {reason}" in cli("methods").out
    key, name = {
        "sfumato.promises": ("privacy", [{"model": "rotten"}]),
        "sfumato.partition_settings": ("partition", {"method": "rotten"}),
        "sfumato.form_settings": ("form", {"publish": "rotten"}),
        "sfumato.losses": ("loss", {"metric": "rotten"}),
    }[group]
    document = {"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}], key: name}
    with pytest.raises(sf.PolicyError, match="installed but broken"):
        sf.read_policy(document)


def test_an_algorithm_whose_settings_load_but_not_itself_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sf.methods()
    install(monkeypatch, "rotten", {"sfumato.partition_settings": Rotten, "sfumato.partitioners": UNLOADABLE})
    found = sf.methods()
    assert replace(found, broken={}) == before
    assert "missing_part" in found.broken["rotten"]


class Rotten(Method):
    """Settings of an algorithm that cannot be loaded."""

    method: Literal["rotten"] = "rotten"


def test_what_is_installed_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "free", {"sfumato.partition_settings": Free, "sfumato.partitioners": FreePartitioner})
    assert sf.methods().cell("k-anonymity", "free", "generalized").status == "adapted"


STATUSES: tuple[Status, ...] = ("native", "adapted", "refused")


@dataclass(frozen=True)
class Piece:
    """A partitioner and a publisher that only answer."""

    answer: Fit

    def fit(self, model: Model) -> Fit:
        return self.answer

    def partition(self, task: Task) -> Partition:
        raise NotImplementedError

    def publish(self, material: Material) -> Published:
        raise NotImplementedError


@pytest.mark.parametrize(("first", "second"), list(product(STATUSES, repeat=2)))
def test_a_plan_is_the_worse_of_two_answers_with_its_reasons(first: Status, second: Status) -> None:
    model = bind(sf.KAnonymity(2), Facts.of(probe(sf.KAnonymity(2))))
    pieces = [
        Piece(Fit(status, "" if status == "native" else f"{place} says {status}"))
        for place, status in enumerate((first, second))
    ]
    answer = plan(model, *pieces)
    worse = max(first, second, key=STATUSES.index)
    said = tuple(piece.answer.why for piece in pieces if piece.answer.status == worse and piece.answer.why)
    assert answer == Plan(worse, said)
    if worse == "refused":
        with pytest.raises(sf.Refused) as refusal:
            answer.require_possible()
        assert all(reason in str(refusal.value) for reason in said)
    else:
        answer.require_possible()


def test_a_form_without_group_ids_says_what_it_needs() -> None:
    model = bind(sf.PairwiseL(2), Facts.of(probe(sf.PairwiseL(2))))
    answer = plan(model, Piece(NATIVE), GeneralizedPublisher(sf.Generalized()))
    assert answer.status == "refused"
    assert "group_id: true" in answer.reasons[0]
    assert plan(model, Piece(NATIVE), GeneralizedPublisher(sf.Generalized(group_id=True))).status == "native"
