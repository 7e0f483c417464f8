"""One table of models, open to third parties; and what the documentation strings claim."""

from __future__ import annotations

import doctest
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints
from typing import Annotated, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import Field

import sfumato.models
from sfumato import extension
from sfumato.errors import Refused
from sfumato.models.column import OfColumn
from sfumato.models.contract import Facts, Groups
from sfumato.models.registry import MODELS, bind, model_class
from sfumato.models.runs import minima
from sfumato.policy import promises
from sfumato.policy.promises import PROMISES, Count, Promise, promise
from tests.support.model_tables import added, column_of, facts_of, groups_of


def test_every_promise_has_its_model() -> None:
    assert set(MODELS) == {*PROMISES, "all-of"}
    assert all(model_class(name) is cls for name, cls in MODELS.items())
    assert list(MODELS) == sorted(MODELS)


def test_a_promise_binds_to_its_model_and_column() -> None:
    facts = facts_of(column_of({0: 1}, "disease"), column_of({0: 1}, "salary"))
    model = bind(promises.EntropyL(2, "salary"), facts)
    assert isinstance(model, MODELS["entropy-l"])
    assert model.statistics == (("salary",),)
    assert model.promise == promises.EntropyL(2, "salary")
    assert bind(promises.KAnonymity(2), facts).statistics == ()
    assert bind(promises.KAnonymity(2) & promises.EntropyL(2, "salary"), facts).statistics == (("salary",),)
    with pytest.raises(Refused, match="the table has 2: 'disease', 'salary'; name one with 'on'"):
        bind(promises.EntropyL(2), facts)
    assert bind(promises.EntropyL(2), facts_of(column_of({0: 1}, "only"))).statistics == (("only",),)
    with pytest.raises(Refused, match="the table has 0: none"):
        bind(promises.EntropyL(2), Facts(1, {}))


@promise
class NobodyAlone(Promise):
    """A third party's: every value of a group at least so often."""

    times: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "nobody-alone"


@dataclass(frozen=True)
class NobodyAloneModel(OfColumn):
    promise: NobodyAlone

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return minima(self.histogram(groups)) >= self.promise.times

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return minima(self.histogram(groups)).astype(np.float64)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entry = EntryPoint("nobody-alone", f"{__name__}:NobodyAloneModel", "sfumato.models")

    def entry_points(group: str, name: str) -> EntryPoints:
        return EntryPoints([entry]).select(group=group, name=name)

    monkeypatch.setattr(extension, "entry_points", entry_points)
    yield


@pytest.mark.usefixtures("installed")
def test_a_third_party_adds_a_model() -> None:
    groups = [{0: 2, 1: 2}, {0: 3, 1: 1}]
    facts = facts_of(column_of(added(groups)))
    model = bind(NobodyAlone(2), facts)
    assert type(model).__name__ == "NobodyAloneModel"
    assert model.holds(groups_of(*groups)).tolist() == [True, False]
    assert model.level(groups_of(*groups)).tolist() == [2.0, 1.0]
    assert model.survives_merging and model.uniform_l() is None and model.distinct_l() == 1
    both = bind(promises.KAnonymity(4) & NobodyAlone(2), facts)
    assert both.holds(groups_of(*groups)).tolist() == [True, False]
    model.require_feasible(groups_of(added(groups)))


def test_an_unknown_promise_is_refused() -> None:
    with pytest.raises(Refused, match="no model is registered for the promise 'nobody-alone'"):
        bind(NobodyAlone(2), facts_of(column_of({0: 1})))


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(sfumato.models.__path__)])
def test_documented_examples(name: str) -> None:
    module = import_module(f"sfumato.models.{name}")
    assert module.__doc__
    assert doctest.testmod(module).failed == 0
