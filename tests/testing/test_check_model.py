"""Every built-in promise passes the conformance suite, and a model that lies about itself does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import Field

import sfumato as sf
from sfumato.auditor.rules import RULES
from sfumato.extend import Case, Count, Groups, Promise, Rule, Ruling, ShareCaps, promise
from sfumato.models import distinct, k_anonymity, pairwise, t_closeness, tau_l
from sfumato.models.contract import Gauge
from sfumato.models.registry import MODELS
from sfumato.policy.promises import PROMISES
from sfumato.testing import check_model
from tests.support.examples import examples

HONEST: list[sf.Promise] = [
    *(words.sample() for words in PROMISES.values()),
    sf.EntropyL("2.5"),
    sf.RecursiveCL("1/2", 3),
    sf.TCloseness("0.3", distance="ordered"),
    sf.TCloseness("1/4", distance="hierarchical"),
    sf.KAnonymity(3) & sf.DistinctL(2, on="disease"),
    sf.KAnonymity(2) & sf.PairwiseL(2),
    sf.MultiAttribute(sf.SimpleL("3/2")),
]
Flags = NDArray[np.bool_]


@pytest.mark.parametrize("given", HONEST, ids=str)
def test_the_built_in_promises_pass(given: sf.Promise) -> None:
    check_model(given, seed=100, rounds=examples(5, fewest=2))


class SurvivesNothing(pairwise.PairwiseLModel):
    survives_merging = True


class RelaxedIsStronger(pairwise.PairwiseLModel):
    def relaxed(self) -> sf.SimpleL:
        return sf.SimpleL(Fraction(self.promise.l + 1), self.promise.on)


class RelaxedDoesNotSurvive(pairwise.PairwiseLModel):
    def relaxed(self) -> Any:
        return self.promise


class GivesUpTooSoon(distinct.DistinctLModel):
    def hopeless(self, groups: Groups) -> Flags:
        return np.diff(self.histogram(groups).starts) <= self.promise.l


class WantsMoreValues(distinct.DistinctLModel):
    def distinct_l(self) -> int:
        return self.promise.l + 1

    def hopeless(self, groups: Groups) -> Flags:
        return np.zeros(len(groups.sizes), dtype=np.bool_)


class GaugeWantsMoreValues(distinct.DistinctLModel):
    def gauge(self) -> Gauge:
        return replace(super().gauge(), fewest=self.promise.l + 1)


class WantsMoreRows(k_anonymity.KAnonymityModel):
    def least_rows(self) -> int:
        return self.promise.k + 1

    def hopeless(self, groups: Groups) -> Flags:
        return np.zeros(len(groups.sizes), dtype=np.bool_)


class UniformTooSmall(distinct.DistinctLModel):
    def uniform_l(self) -> int:
        return self.promise.l - 1


class AllIsAttainable(distinct.DistinctLModel):
    def attainable(self, groups: Groups) -> Flags:
        return groups.sizes > 0


class NothingIsAttainable(distinct.DistinctLModel):
    def attainable(self, groups: Groups) -> Flags:
        return groups.sizes < 0


class NearestIsFurther(distinct.DistinctLModel):
    def nearest(self, whole: Groups) -> sf.DistinctL:
        return replace(self.promise, l=self.promise.l + 5)


class NeverInfeasible(distinct.DistinctLModel):
    def require_feasible(self, whole: Groups) -> None:
        return


class LikesEmptiness(k_anonymity.KAnonymityModel):
    def holds(self, groups: Groups) -> Flags:
        return np.asarray((groups.sizes >= self.promise.k) | (groups.sizes == 0))

    def hopeless(self, groups: Groups) -> Flags:
        return (groups.sizes < self.promise.k) & (groups.sizes > 0)


class LooksAround(k_anonymity.KAnonymityModel):
    def holds(self, groups: Groups) -> Flags:
        return np.asarray((groups.sizes >= self.promise.k) & (groups.sizes <= 2 * groups.sizes.min()))


class AnswersInNumbers(k_anonymity.KAnonymityModel):
    def level(self, groups: Groups) -> Any:
        return groups.sizes


class CapsTooLoose(tau_l.TauLModel):
    def caps(self) -> ShareCaps:
        made = super().caps()
        return replace(made, most=(Fraction(1), *made.most[1:]))


class CapsTooTight(tau_l.TauLModel):
    def caps(self) -> ShareCaps:
        made = super().caps()
        return replace(made, most=tuple(most / 2 for most in made.most))


class UniformNotOnly(distinct.DistinctLModel):
    def uniform_only(self) -> bool:
        return True


class PrefersTheTable(t_closeness.TClosenessModel):
    prefers_even = True


class Breaks(distinct.DistinctLModel):
    def hopeless(self, groups: Groups) -> Flags:
        raise KeyError("of its own")


LIARS: list[tuple[sf.Promise, type[Any], str]] = [
    (sf.PairwiseL(2), SurvivesNothing, "survives_merging says that unions"),
    (sf.PairwiseL(2), RelaxedIsStronger, "what keeps the promise keeps the relaxed one"),
    (sf.PairwiseL(2), RelaxedDoesNotSurvive, "the relaxed promise survives merging"),
    (sf.DistinctL(2), GivesUpTooSoon, "no part of a hopeless group keeps the promise"),
    (sf.DistinctL(2), WantsMoreValues, "distinct_l = 3 values"),
    (sf.DistinctL(2), GaugeWantsMoreValues, "distinct_l = 3 values"),
    (sf.KAnonymity(2), WantsMoreRows, "least_rows = 3 rows"),
    (sf.DistinctL(2), UniformTooSmall, "uniform_l = 1 rows of different values"),
    (sf.DistinctL(2), AllIsAttainable, "what is attainable can be cut"),
    (sf.DistinctL(2), NothingIsAttainable, "what can be cut .* is attainable"),
    (sf.DistinctL(5), NearestIsFurther, "the nearest promise is one that the whole table can keep"),
    (sf.DistinctL(5), NeverInfeasible, "require_feasible raises where"),
    (sf.KAnonymity(2), LikesEmptiness, "an empty group keeps no promise"),
    (sf.KAnonymity(2), LooksAround, "holds must judge many groups as each alone"),
    (sf.KAnonymity(2), AnswersInNumbers, "level must answer with one float64 per group"),
    (sf.TauL("3/5", 3), CapsTooLoose, "caps are all that it promises"),
    (sf.TauL("3/5", 3), CapsTooTight, "caps are all that it promises"),
    (sf.DistinctL(2), UniformNotOnly, "only where all rows go to groups of 2 different values"),
    (sf.TCloseness("1/5"), PrefersTheTable, "prefers_even says that more even counts"),
    (sf.DistinctL(2), Breaks, "nothing else is raised"),
]


@pytest.mark.parametrize(("given", "liar", "message"), LIARS, ids=lambda given: getattr(given, "__name__", None))
def test_a_model_that_lies_is_caught(
    given: sf.Promise, liar: type[Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODELS.homes, given.name, liar)
    with pytest.raises(AssertionError, match=message) as caught:
        check_model(given, rounds=60)
    seed = int(str(caught.value).partition("seed=")[2].partition(",")[0])
    with pytest.raises(AssertionError, match=message):
        check_model(given, seed=seed, rounds=1)


def _always(kept: bool) -> Callable[[Any, Case], Ruling]:
    def judge(given: Any, case: Case) -> Ruling:
        return Ruling(np.full(len(case.classes), kept), Fraction(1), 0, "whatever")

    return judge


def _off_by_one(given: Any, case: Case) -> Ruling:
    return Ruling(case.classes.distinct > given.l, Fraction(1), 0, "more than l")


@pytest.mark.parametrize("judge", [_always(True), _always(False), _off_by_one])
def test_a_rule_that_disagrees_is_caught(judge: Callable[[Any, Case], Ruling], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES.homes, "distinct-l", Rule(judge))
    with pytest.raises(AssertionError, match="model and audit rule agree on every group"):
        check_model(sf.DistinctL(2))


def test_a_promise_without_a_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULES.homes, "distinct-l")
    with pytest.raises(AssertionError, match="model and audit rule agree on every group"):
        check_model(sf.DistinctL(2))


@promise
class Nameless(Promise):
    """At least l different values, without an example."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "nameless"


@promise
class Forgetful(Promise):
    """Writes less than it was told."""

    l: Annotated[Count, Field(ge=1)] = 2
    on: str | None = None
    name: ClassVar[str] = "forgetful"
    example: ClassVar[Mapping[str, Any]] = {"l": 2}

    def as_dict(self) -> dict[str, Any]:
        return {"model": self.name}


@promise
class Foreign(Promise):
    """Names a value that its example does not have."""

    l: Annotated[Count, Field(ge=1)]
    on: str | None = None
    name: ClassVar[str] = "foreign"
    example: ClassVar[Mapping[str, Any]] = {"l": 2, "on": "elsewhere"}


@pytest.mark.parametrize(
    ("given", "message"),
    [(Nameless(2), "its `example` must be parameters"), (Forgetful(3), "as_dict"), (Foreign(2), "its `example` must")],
)
def test_words_that_do_not_hold_are_caught(given: Promise, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROMISES.homes, given.name, type(given))
    monkeypatch.setitem(MODELS.homes, given.name, distinct.DistinctLModel)
    monkeypatch.setitem(RULES.homes, given.name, RULES["distinct-l"])
    with pytest.raises(AssertionError, match=message):
        check_model(given)


def test_a_promise_of_somebody_else_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    @promise
    class Various(Promise):
        """At least l different values, by another name."""

        l: Annotated[Count, Field(ge=1)]
        on: str | None = None
        name: ClassVar[str] = "various"
        example: ClassVar[Mapping[str, Any]] = {"l": 3}

    monkeypatch.setitem(PROMISES.homes, "various", Various)
    monkeypatch.setitem(MODELS.homes, "various", distinct.DistinctLModel)
    monkeypatch.setitem(RULES.homes, "various", RULES["distinct-l"])
    check_model(Various(2), rounds=10)
