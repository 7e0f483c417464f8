"""Linking against sets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.knowledge.linking import UNKNOWN, TermSets, Unknown, exact_chances, link
from sfumato.knowledge.table import Knowledge
from tests.support.examples import examples

TERMS = [f"t{at}" for at in range(12)]
terms = st.frozensets(st.sampled_from(TERMS), max_size=6)
tables = st.lists(st.tuples(st.sampled_from("ABCDEFGH"), terms), min_size=1, max_size=12)
rows = st.lists(st.frozensets(st.sampled_from([*TERMS, "y", "z"]), max_size=4), max_size=8)


def expected(pairs: list[tuple[str, frozenset[str]]], row: frozenset[str], unknown: Unknown, length: int) -> list[str]:
    known = {term for _, held in pairs for term in held}
    if row and (not row & known or (unknown == "strict" and row - known)):
        return []
    return sorted({label for label, held in pairs if row & known <= held and len(held) >= length})


@settings(max_examples=examples(200))
@given(tables, rows, st.sampled_from(["drop", "strict"]), st.integers(0, 4))
def test_links_are_what_sets_say(
    pairs: list[tuple[str, frozenset[str]]], asked: list[frozenset[str]], unknown: Unknown, length: int
) -> None:
    knowledge = Knowledge.of(pairs)
    sets = TermSets.of(knowledge, asked)
    links = link(knowledge, sets, unknown, np.full(len(sets), length) if length else None)
    assert len(links) == len(asked)
    for row, labels in zip(asked, links, strict=True):
        assert [knowledge.labels[at] for at in labels] == expected(pairs, row, unknown, length)
    assert sets.unknown.tolist() == [len(row - set(knowledge.terms)) for row in asked]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 127, 128, 129, 500])
@pytest.mark.parametrize("repeated", [False, True])
def test_words_end_where_rows_do(count: int, repeated: bool) -> None:
    """Tables around multiples of 64 rows, with labels that stand once or three times."""
    chance = np.random.default_rng(count)
    pairs = [
        (f"L{at // 3 if repeated else at:03}", frozenset(chance.choice(TERMS, 5, replace=False).tolist()))
        for at in range(count)
    ]
    knowledge = Knowledge.of(pairs)
    asked = [frozenset(chance.choice(TERMS, size, replace=False).tolist()) for size in (0, 1, 2, 3, 5) * 4]
    for length in (0, 5, 6):
        links = link(knowledge, TermSets.of(knowledge, asked), lengths=np.full(len(asked), length))
        for row, labels in zip(asked, links, strict=True):
            assert [knowledge.labels[at] for at in labels] == expected(pairs, row, "drop", length)


def test_the_same_knowledge_is_the_same_value_however_it_is_written() -> None:
    one = Knowledge.of([("b", ["y", "x"]), ("a", ["z"]), ("b", ["x", "y", "x"]), ("a", [])])
    two = Knowledge.of([("a", []), ("a", ["z"]), ("b", ["x", "y"])])
    assert (one.labels, one.terms) == (two.labels, two.terms) == (("a", "b"), ("x", "y", "z"))
    for name in ("row_labels", "row_offsets", "row_terms", "bits"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert one.rows == 3
    assert [part.tolist() for part in one.postings] == [[0, 1, 2, 3], [2, 2, 1]]


def test_terms_of_a_set_count_once_and_keep_their_order() -> None:
    knowledge = Knowledge.of([("a", "xyz")])
    sets = TermSets.of(knowledge, [["z", "?", "x", "z"], [], ["y"]])
    assert [sets[row].tolist() for row in range(3)] == [[2, UNKNOWN, 0], [], [1]]
    taken = sets.take([2, 0])
    assert [taken[row].tolist() for row in range(2)] == [[1], [2, UNKNOWN, 0]]
    assert len(sets.take([])) == 0


def test_chances_follow_priors_and_terms() -> None:
    every = {("x", "A"): "0.5", ("x", "B"): "0.25", ("y", "A"): "0.1", ("y", "B"): 1}
    knowledge = Knowledge.of([("A", "xy"), ("B", "xy")], priors={"A": 3, "B": 1}, chances=every)
    assert knowledge.priors == (Fraction(3, 4), Fraction(1, 4))
    sets = TermSets.of(knowledge, [[], ["x"], ["x", "y", "?"]])
    links = link(knowledge, sets)
    wanted = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(6, 7), Fraction(1, 7)], [Fraction(3, 8), Fraction(5, 8)]]
    for row in range(3):
        assert exact_chances(knowledge, sets[row], links[row]) == wanted[row]
    assert links.chances == pytest.approx([float(each) for row in wanted for each in row])


def test_many_small_chances_do_not_vanish() -> None:
    names = [f"t{at}" for at in range(60)]
    every = {(term, label): Fraction(1, 10**9) for term in names for label in "AB"}
    knowledge = Knowledge.of([("A", names), ("B", names)], chances=every)
    assert link(knowledge, TermSets.of(knowledge, [names])).chances.tolist() == [0.5, 0.5]
