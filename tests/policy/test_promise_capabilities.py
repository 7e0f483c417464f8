"""What promises declare of themselves, and what one of another package is taken for that declares nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import pytest

import sfumato as sf
from sfumato.extend import Count, Promise, promise


@promise
class Bare(Promise):
    """With a parameter and nothing else."""

    least: Count
    name: ClassVar[str] = "bare"


@promise
class Rowless(Promise):
    """About no column."""

    least: Count
    name: ClassVar[str] = "rowless"
    about_values: ClassVar[bool] = False


NESTED = sf.AllOf((sf.KAnonymity(2), sf.AllOf((sf.DistinctL(3, on="s"), sf.TauL("1/2", 3, on="u")))))


def test_parts_are_those_of_parts() -> None:
    assert [part.name for part in NESTED.parts] == ["k-anonymity", "distinct-l", "tau-l"]
    for single in (Bare(1), sf.SimpleL(2), sf.MultiAttribute(sf.SimpleL(2) & sf.DistinctL(2))):
        assert single.parts == (single,)


def test_who_is_asked_of_which_column() -> None:
    assert [*NESTED.asked_of(["s", "u"])] == [("s", sf.DistinctL(3, on="s")), ("u", sf.TauL("1/2", 3, on="u"))]
    assert [*sf.SimpleL(2).asked_of(["s"])] == [("s", sf.SimpleL(2))]
    assert [*Bare(1).asked_of(["s", "u"])] == [("s", Bare(1)), ("u", Bare(1))]
    assert not [*(Rowless(1) & sf.KAnonymity(2) & sf.QsCL(1, 2)).asked_of(["s"])]
    each = sf.MultiAttribute(sf.SimpleL(2) & sf.KAnonymity(2))
    assert [*each.asked_of(["s", "u"])] == [("s", sf.SimpleL(2)), ("u", sf.SimpleL(2))]


def test_a_column_is_named_where_there_is_one_to_name() -> None:
    both = sf.KAnonymity(2) & sf.DistinctL(3)
    assert both.on_column("s") == sf.KAnonymity(2) & sf.DistinctL(3, on="s")
    assert both.on_column("s").on_column(None) == both and Bare(1).on_column("s") == Bare(1)
    assert [part.about for part in both.on_column("s").parts] == [None, "s"] and Bare(1).about is None


@pytest.mark.parametrize(
    ("given", "lower"),
    [
        (sf.DistinctL(3), sf.DistinctL(2)),
        (sf.DistinctL(2), sf.DistinctL(2)),
        (sf.SimpleL("5/2"), sf.SimpleL(2)),
        (sf.TauL("1/3", 3), sf.TauL("1/3", 3)),
        (sf.UniqueDistinctL(4), sf.UniqueDistinctL(4)),
        (sf.MultiAttribute(sf.DistinctL(4)), sf.MultiAttribute(sf.DistinctL(3))),
        (sf.KAnonymity(5) & sf.DistinctL(4), sf.KAnonymity(5) & sf.DistinctL(3)),
        (Bare(5), Bare(5)),
    ],
    ids=str,
)
def test_a_lower_l_is_the_next_whole_one_that_says_something(given: sf.Promise, lower: sf.Promise) -> None:
    assert given.lowered() == lower


def test_only_promises_about_terms_know_something_weaker() -> None:
    assert sf.QsCL("1/2", 5).weaker(2) == sf.QsCL(1, 2) and sf.QsCL(2, 3).weaker(4) == sf.QsCL(2, 1)
    assert sf.QsT("1/5").weaker(2) == sf.QsT("2/5")
    assert Bare(3).weaker(2) == Bare(3)


def test_who_weighs_generalized_values() -> None:
    assert sf.TauL("1/2", 3, weights={"a": 2}).weighing == (("a", Fraction(2)),)
    assert sf.TauL("1/2", 3).weighing == () and sf.TauL("1/2", 3, weights="table").weighing == "table"
    assert Bare(1).weighing is None and sf.DistinctL(2).weighing is None


def test_what_each_column_keeps() -> None:
    assert sf.MultiAttribute(sf.DistinctL(2)).of_each == sf.DistinctL(2)
    assert Bare(1).of_each is None and sf.DistinctL(2).of_each is None
