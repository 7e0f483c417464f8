"""Groups in which nearly all rows have the same secret: said in words, and only then."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.audit import audit
from tests.support.auditing import blocks, policy_of

DISTINCT = {"model": "distinct-l", "l": 2}


@given(groups=st.lists(st.lists(st.sampled_from("aaaaaaaab"), min_size=1, max_size=14), min_size=1, max_size=4))
def test_it_is_said_of_nine_in_ten_rows_and_of_no_fewer(groups: list[list[str]]) -> None:
    found = audit(blocks(*map(" ".join, groups)), policy_of({"model": "k-anonymity", "k": 1}), whole=True).lopsided
    tops = [(max(Counter(group).values()), len(group)) for group in groups if len(group) > 1]
    alike = [(top, rows) for top, rows in tops if 10 * top >= 9 * rows]
    if not alike:
        assert found == ()
        return
    [told] = found
    assert (told.alike, told.rows) == max(alike, key=lambda pair: (pair[0] / pair[1], pair[1]))
    assert (told.groups, told.in_rows) == (len(alike), sum(rows for _, rows in alike))


@pytest.mark.parametrize(
    ("promise", "words"),
    [
        (DISTINCT, "for distinct-l (l=2) it counts how many values differ, not how often each occurs"),
        ({"model": "k-anonymity", "k": 2}, "no promise limits how often a value occurs"),
        ({"model": "recursive-cl", "c": 100, "l": 2}, "within recursive-cl (c=100, l=2); a stricter promise"),
    ],
)
def test_the_words(promise: dict[str, Any], words: str) -> None:
    found = audit(blocks("a " * 70 + "b", "a b a b"), policy_of(promise), whole=True)
    assert found.holds
    said = "column 's': in the worst group 70 of 71 rows have the same value (of all rows 96 % have it)"
    [note] = [note for note in found.notes if "the same value" in note]
    assert note.startswith(said) and words in note and note in found.summary()


def test_a_promise_that_fails_says_it_already() -> None:
    found = audit(blocks("a " * 70 + "b"), policy_of({"model": "simple-l", "l": 2}), whole=True)
    assert not found.holds and not found.lopsided


def test_publishing_warns_of_it_and_not_of_balanced_groups() -> None:
    policy = {"columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}, "privacy": [DISTINCT]}
    uneven = pl.DataFrame({"q": ["x"] * 40 + ["y"] * 4, "s": ["a"] * 39 + ["b"] + list("abab")})
    with pytest.warns(sf.SfumatoWarning, match=r"column 's': in the worst group 39 of 40 rows have the same value"):
        release = sf.publish(uneven, policy=policy, seed=1)
    assert any("39 of 40 rows" in note for note in release.facts()["notes"])
    even = pl.DataFrame({"q": ["x"] * 40 + ["y"] * 4, "s": ["a", "b"] * 22})
    assert not sf.publish(even, policy=policy, seed=1).judged().lopsided


@pytest.mark.parametrize("form", ["generalized", "permuted", "anatomized", "sliced"])
def test_of_every_form_that_shows_groups(form: str) -> None:
    """Rows of a ring differ by what it is, and of values that were changed only a belief is told."""
    frame = pl.DataFrame({"q": ["x"] * 40, "s": ["a"] * 39 + ["b"]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [DISTINCT],
        "partition": {"method": "mondrian"},
        "form": {"publish": form},
    }
    with pytest.warns(sf.SfumatoWarning, match="in the worst group 39 of 40 rows"):
        release = sf.publish(frame, policy=policy, seed=1)
    [told] = release.judged().lopsided
    assert (told.column, told.alike, told.rows, told.groups) == ("s", 39, 40, 1)


def test_of_values_that_were_changed_a_belief_is_told() -> None:
    frame = pl.DataFrame({"q": ["x"] * 40, "s": ["a"] * 39 + ["b"]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 1}],
        "partition": {"method": "mondrian"},
        "form": {"publish": "randomized"},
    }
    [told] = sf.publish(frame, policy=policy, seed=1).judged().lopsided
    assert told.rows is None and "one value may be believed with" in told.sentence
