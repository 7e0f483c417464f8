"""Who came in between: by hand, and against a slow reference over classes and people."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.adversaries.rests import Rests
from sfumato.release.beside import beside, received_of
from sfumato.release.subject import Subject
from tests.support.examples import examples

POLICY: dict[str, Any] = {
    "columns": {
        "town": {"role": "quasi", "hierarchy": {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "distinct-l", "l": 2}],
    "partition": {"method": "lattice"},
}


def table(*rows: str) -> pl.DataFrame:
    """Towns and diseases, a letter each."""
    return pl.DataFrame({"town": [row[0] for row in rows], "disease": [row[1] for row in rows]})


def told(before: pl.DataFrame, now: pl.DataFrame, **changes: Any) -> sf.Exposure:
    earlier = sf.publish(before, policy={**POLICY, **changes}, seed=1)
    release = sf.publish(now, policy={**POLICY, **changes}, seed=1)
    [found] = sf.attack(release, other=[earlier], only=["difference"])["difference"].exposures
    return found


def test_a_newcomer_has_what_is_new_in_the_class() -> None:
    """Both releases keep their promise, and nobody is exposed by what both leave: it is the difference that tells."""
    before, now = table("ax", "by", "cx", "dy"), table("ax", "by", "cx", "dy", "dz")
    found = told(before, now)
    assert (found.people, found.exposed, found.surest) == (5, 1, 1.0)
    assert found.details == {"people left of a class": 1, "classes that some are left of": 1}


def test_two_newcomers_of_different_values_have_either() -> None:
    found = told(table("ax", "by", "cx", "dy"), table("ax", "by", "cx", "dy", "dz", "cw"))
    assert (found.exposed, found.surest) == (0, 0.5) and found.details["people left of a class"] == 2


def test_nothing_is_concluded_where_somebody_left_or_nothing_is_new() -> None:
    before = table("ax", "by", "cx", "dy")
    assert told(before, table("ax", "by", "cz", "dy", "dw")).exposed == 0
    assert told(before, before).details["people left of a class"] == 0


@settings(max_examples=examples(40))
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyzw")), min_size=4, max_size=14), st.integers(1, 4)
)
def test_rests_are_those_of_the_definition(rows: list[tuple[str, str]], new: int) -> None:
    now, before = table(*map("".join, rows)), table(*map("".join, rows[:-new]))
    policy = {**POLICY, "privacy": [{"model": "distinct-l", "l": 1}, {"model": "k-anonymity", "k": 2}]}
    try:
        releases = [sf.publish(frame, policy=policy, seed=1) for frame in (now, before)]
    except (sf.NoneFound, sf.TableError):
        return
    subject = Subject.of(releases[0])
    assert subject.original is not None
    found = Rests.of(subject, beside(received_of(releases[1], None), subject.original), "disease")
    values = subject.domain("disease").values.to_list()
    made = Counter(
        tuple(
            sorted(
                (values[code], count)
                for code, count in zip(found.values[a:b].tolist(), found.counts[a:b].tolist(), strict=True)
            )
        )
        for a, b in zip(found.starts[:-1], found.starts[1:], strict=True)
    )
    assert made == reference([release.table for release in releases], now)


COVER = {"*": "abcd", "north": "ab", "south": "cd", **{town: town for town in "abcd"}}


def reference(shown: list[pl.DataFrame], now: pl.DataFrame) -> Counter[tuple[tuple[str, int], ...]]:
    """By towns: an earlier class goes to the new one that holds all of its towns, where people live there at all."""
    lived = {*now["town"]}
    new, old = ({town: Counter(part["disease"]) for (town,), part in frame.group_by("town")} for frame in shown)
    rests: Counter[tuple[tuple[str, int], ...]] = Counter()
    for label, held in new.items():
        inside = [each for each in old if {*COVER[str(each)]} & lived <= {*COVER[str(label)]}]
        gone: Counter[Any] = sum((old[each] for each in inside), Counter())
        left = {value: held[value] - gone[value] for value in {*held, *gone}}
        if inside and min(left.values()) >= 0 and sum(left.values()):
            rests[tuple(sorted((str(value), count) for value, count in left.items() if count))] += 1
    return rests


def test_what_is_lacking_is_said() -> None:
    release = sf.publish(table("ax", "by", "cx", "dy"), policy=POLICY, seed=1)
    assert sf.attack(release, only=["difference"])["difference"].lacks.startswith("an earlier release")
    with pytest.raises(sf.InputError, match="give another release as it is"):
        sf.attack(release, other=[(release.table,)])
