"""001, Figures 1 to 3, with knowledge: Umeko's condition; and the worst of all eliminations, tried one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from tests.support.attacks import distributions, hospital, released
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL, POLICY, THREE_DIVERSE

UMEKO = [{"where": {"nationality": "Japanese"}, "never": {"condition": "Heart Disease"}}]


def attacked(published: dict[str, list[Any]], eliminations: int, rules: object = None) -> sf.Exposure:
    only = [{"adversary": "background", "eliminations": eliminations}]
    found = sf.attack(pl.DataFrame(published), POLICY, original=pl.DataFrame(ORIGINAL), only=only, rules=rules)
    [exposure] = found["background"].exposures
    return exposure


@pytest.mark.parametrize(("published", "exposed", "described"), [(FOUR_ANONYMOUS, 5, 2), (THREE_DIVERSE, 0, 2)])
def test_umeko(published: dict[str, list[Any]], exposed: int, described: int) -> None:
    """Japanese have no heart disease: hers is viral by the 4-anonymous table, beside four who are homogeneous.

    In the 3-diverse one her class, 1306*, holds one heart disease, one viral infection and two cancers; of those, a
    rule leaves viral infections with one in three.
    """
    found = attacked(published, 0, UMEKO)
    assert found.exposed == exposed and found.details["exposed by rules alone"] == exposed
    assert found.details["people whom rules describe"] == described
    assert found.surest == pytest.approx(1.0 if exposed else 2 / 3)


@pytest.mark.parametrize(
    ("published", "eliminations", "exposed", "surest", "right"),
    [
        (FOUR_ANONYMOUS, 0, 4, 1.0, 2 + 2 + 4),  # of two that are as likely, one is guessed
        (FOUR_ANONYMOUS, 1, 8, 1.0, 4 + (0.5 + 0.5 + 2) + 4),
        (THREE_DIVERSE, 1, 0, 2 / 3, 3 * (0.5 + 0.5 + 2)),
        (THREE_DIVERSE, 2, 12, 1.0, 12),
    ],
)
def test_eliminations(
    published: dict[str, list[Any]], eliminations: int, exposed: int, surest: float, right: float
) -> None:
    found = attacked(published, eliminations)
    assert (found.people, found.exposed) == (12, exposed)
    assert found.surest == pytest.approx(surest) and found.right == pytest.approx(right / 12)
    assert found.baseline == 5 / 12


@given(st.integers(0, 10**6), st.integers(8, 40), st.integers(0, 3))
def test_against_every_choice_of_eliminations(seed: int, rows: int, eliminations: int) -> None:
    frame = hospital(seed, rows)
    release = released(frame)
    wanted = [worst(own, chances, eliminations) for own, chances in distributions(frame, release)]
    only = [{"adversary": "background", "eliminations": eliminations}]
    [found] = sf.attack(release, only=only)["background"].exposures
    assert found.exposed == sum(belief == 1 for belief, _ in wanted)
    assert found.details["mean belief in the truth"] == pytest.approx(float(sum(b for b, _ in wanted) / rows))
    assert found.right == pytest.approx(float(sum(right for _, right in wanted) / rows))


def worst(own: str, chances: dict[str, Fraction], eliminations: int) -> tuple[Fraction, Fraction]:
    """The largest belief in the truth over all choices of others, and how often a guess of the likeliest is right."""
    others = [value for value in chances if value != own]
    tried = []
    for out in combinations(others, min(eliminations, len(others))):
        left = {value: chance for value, chance in chances.items() if value not in out}
        most = [value for value in left if left[value] == max(left.values())]
        tried.append((left[own] / sum(left.values()), Fraction(own in most, len(most))))
    return max(tried)


def test_rules_from_a_file_by_labels_and_for_everybody(tmp_path: Path) -> None:
    """A label stands for all below it; without `where` everybody is meant. Contradictions are counted, not believed."""
    path = tmp_path / "rules.json"
    rules = [
        {"where": {"age": "<=40", "zip": "1305*"}, "never": {"condition": ["Viral Infection", "Cancer"]}},
        {"never": {"condition": "Cancer"}},
    ]
    path.write_text(json.dumps(rules), encoding="utf-8")
    found = attacked(FOUR_ANONYMOUS, 0, path)
    assert found.details["people whom rules describe"] == 12
    assert found.details["people of whom rules leave nothing"] == 4
    # of four up to 40 from 1305*, two are in the class of hearts and viruses: hearts are left, and one has it
    assert found.exposed == 1


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("no.yaml", "no.yaml: No such file"),
        ({"never": {}}, "a list of rules"),
        ([{"where": {"zip": "1"}}], "rule 1: must be a mapping of never:"),
        (
            [{"where": {"town": "x"}, "never": {"condition": "Cancer"}}],
            "no published quasi-identifier is called 'town'",
        ),
        ([{"where": {}, "never": {"zip": "1"}}], "no published sensitive column is called 'zip'; there are: condition"),
        ([{"never": {"condition": ["Cancer", "Gout"]}}], "1 of 2 values of column 'condition' stand for nothing"),
        ([{"where": "all", "never": {"condition": "Cancer"}}], "rule 1, where: must be a mapping of columns"),
    ],
)
def test_rules_that_say_nothing_are_refused(rules: object, message: str) -> None:
    with pytest.raises(sf.InputError, match=message):
        attacked(FOUR_ANONYMOUS, 1, rules)


def test_eliminations_are_not_below_none() -> None:
    with pytest.raises(sf.InputError, match="0 or more"):
        attacked(FOUR_ANONYMOUS, -1)
