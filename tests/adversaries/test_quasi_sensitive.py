"""Terms that betray a label: 004's Figure 1 by hand, random tables by sets and fractions."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from tests.support.terms import beliefs, linked

FLU = {"Flu": ["coughing", "headache", "sore throat"]}
HEPATITIS = {"Hepatitis B": ["body aches", "dark urine", "loss of appetite", "vomiting"]}


def policy_of(labels: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    terms = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": labels}, **more}
    columns = {"q": {"role": "quasi", "hierarchy": {"mask": "right"}}, "t": terms}
    return {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]}


def attacked(shown: list[tuple[str, str]], original: list[tuple[str, str]], policy: Any, **more: Any) -> sf.Exposure:
    frames = [pl.DataFrame(rows, schema=["q", "t"], orient="row") for rows in (shown, original)]
    only = [{"adversary": "quasi-sensitive", **more}]
    [found] = sf.attack(frames[0], policy, original=frames[1], only=only)["quasi-sensitive"].exposures
    return found


def test_figure_1() -> None:
    """Three people of the first group have the flu for sure; of the second, one row of two says so."""
    first = ["coughing|headache|sore throat", "coughing|headache", "headache|sore throat"]
    rows = [*(("a1", each) for each in first), ("b1", "headache|vomiting"), ("b2", "headache|sore throat")]
    shown = [(f"{q[0]}*", each) for q, each in rows]
    found = attacked(shown, rows, policy_of({**FLU, **HEPATITIS}))
    assert (found.people, found.exposed, found.surest, found.on) == (5, 3, 1.0, "t")
    assert found.details["people whose terms fit one label only"] == 4
    assert found.details["of these believed rightly above it"] == 3
    assert found.details["mean belief in the true label"] == (3 + 0.5) / 4
    assert (found.right, found.baseline) == (1.0, 1.0)
    assert attacked(shown, rows, policy_of({**FLU, **HEPATITIS}), above=0.4).exposed == 5


def test_how_many_terms_there_were_rules_labels_out() -> None:
    """a of two terms is not A, of which there is one; who does not count them finds both as likely."""
    labels = {"A": ["a"], "B": ["a", "b"]}
    shown, original = [("x1", "a|*"), ("x2", "a")], [("x1", "a|b"), ("x2", "a")]
    counted = attacked(shown, original, policy_of(labels, lengths="known"))
    assert counted.exposed == 1 and counted.surest == 1.0  # x1 had two terms: B; x2 may be either
    assert attacked(shown, original, policy_of(labels)).surest == 0.5


def test_without_a_sensitive_column_the_others_lack_one() -> None:
    frame = pl.DataFrame({"q": ["x1", "x2"], "t": ["a", "b"]})
    found = sf.attack(frame, policy_of({"A": ["a"], "B": ["b"]}), original=frame)
    assert found["quasi-sensitive"].exposed == 2 and found["linking"].exposed == 2
    for name in ("background", "definetti", "homogeneity", "skewness"):
        assert found[name].lacks == "a published sensitive column" and not found[name].exposures


@given(st.integers(0, 10**6), st.sampled_from(["drop", "strict"]))
def test_against_sets_and_fractions(seed: int, unknown: str) -> None:
    draw = random.Random(seed)
    labels = {f"L{n}": draw.sample("abcdef", draw.randrange(1, 5)) for n in range(4)}
    rows = [
        (draw.choice("pq") + draw.choice("12"), "|".join(draw.sample("abcdefz", draw.randrange(4)))) for _ in range(9)
    ]
    shown = [(f"{q[0]}*", "|".join(term for term in terms.split("|") if draw.random() < 0.7)) for q, terms in rows]
    pairs = [(label, frozenset(terms)) for label, terms in labels.items()]

    def fitting(cell: str) -> frozenset[str]:
        return linked(pairs, frozenset(filter(None, cell.split("|"))), unknown)

    above, exposed, surest, scored, mean = 0.4, 0, 0.0, 0, 0.0
    truths: Counter[str] = Counter()
    for q, terms in rows:
        believed = beliefs([fitting(cell) for other, cell in shown if other[0] == q[0]])
        top = max(believed.values(), default=0)
        exposed, surest = exposed + (float(top) > above + 1e-9), max(surest, float(top))
        meant = fitting(terms)
        if len(meant) == 1:
            [label] = meant
            truths[label] += 1
            scored, mean = scored + 1, mean + float(believed.get(label, 0))
    found = attacked(shown, rows, policy_of(labels, unknown=unknown), above=above)
    assert (found.people, found.exposed) == (9, exposed) and found.surest == pytest.approx(surest)
    assert found.details["people whose terms fit one label only"] == scored
    assert found.details.get("mean belief in the true label", 0.0) == pytest.approx(mean / max(scored, 1))
    assert found.baseline == (pytest.approx(max(truths.values()) / scored) if scored else None)


def test_without_terms_there_is_nothing_to_link() -> None:
    frame = pl.DataFrame({"q": ["a"], "s": ["x"]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 1}],
    }
    assert sf.attack(frame, policy, original=frame, only=["quasi-sensitive"])["quasi-sensitive"].lacks
    with pytest.raises(sf.InputError, match="above must be from 0 to 1"):
        sf.attack(frame, policy, original=frame, only=[{"adversary": "quasi-sensitive", "above": 1}])
