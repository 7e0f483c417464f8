"""What a published cell stands for: by its text, by the policy, and by the hierarchy, which must all say the same."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.columns import Column
from sfumato.release.cells import covered, covers
from sfumato.taxonomy.build import build
from sfumato.taxonomy.text import texts_of


@pytest.mark.parametrize(
    ("shown", "value", "fits"),
    [
        ("*", "x", True),
        ("*", None, True),
        ("x", "x", True),
        (None, None, True),
        (None, "x", False),
        ("x", None, False),
        ("[40, 45)", "40", True),
        ("[40, 45)", "45", False),
        ("[40, 45]", "45", True),
        ("[9, 10)", "9", True),
        ("021**", "02113", True),
        ("021**", "0211", False),
        ("***13", "02113", True),
        ("{F, M}", "M", True),
        ("{F, M}", "X", False),
        ("2024-03", "2024-03-31", True),
        ("2024-03", "2024-04-01", False),
        ("2024-Q4", "2024-10-01", True),
        ("2024-Q4", "2024-09-30", False),
        ("2024", "2024-09-30", True),
        ("[2024-01-05, 2024-02-01]", "2024-02-01", True),
        ("[2024-01-05, 2024-02-01)", "2024-02-01", False),
        ("circulatory", "stroke", False),
    ],
)
def test_what_a_cell_stands_for(shown: str | None, value: str | None, fits: bool) -> None:
    assert covers(shown, value) is fits


@pytest.mark.parametrize(
    ("shown", "value", "fits"),
    [
        ('{"a, b", c}', "a, b", True),
        ('{"a, b", c}', "a", False),
        ('{"say \\"hi\\"", c}', 'say "hi"', True),
        ("[9, 10)", "9.5", True),
        ("41", "41.0", True),
        ("(-inf, 9)", "8", True),
        ("[90, inf)", "89", False),
        ("20..30", "30", True),
        ("20..30", "31", False),
        ("..30", "-5", True),
        ("2024-01-05..2024-02-01", "2024-02-01", True),
        ("2024-01-05..", "2024-01-04", False),
        ("2020s", "2029-12-31", True),
        ("2020s", "2030-01-01", False),
        ("[2024-01-05, inf)", "2031-02-01", True),
        ("[2024-99-05, inf)", "2031-02-01", False),
        ("20-29", "20-29", True),
    ],
)
def test_more_that_a_cell_stands_for(shown: str, value: str, fits: bool) -> None:
    assert covers(shown, value) is fits


def test_the_policy_settles_what_could_be_read_in_two_ways() -> None:
    def text(**more: Any) -> Column:
        return Column.model_validate({"role": "quasi", **more})

    assert not covers("25*", "250.01", text(hierarchy={"mask": "right"}))
    assert covers("25*", "250.01", text(hierarchy={"prefix": [2]}))
    assert not covers("[20-30)", "25", text()), "a text that stands in the data"
    assert covers("[20-30)", "25", text(type="integer"))


AGES = [3, 8, 17, 19, 20, 24, 25, 39, 40, 71]
DAYS = [date(2019, 12, 31) + timedelta(37 * step) for step in range(40)]
CODES = ["250.01", "250.9", "25", "401", "402.5", "7", "71", "780.2"]
NAMES = ["Adams", "Baker", "Bo", "Clark", "Evans", "Fox", "L", "La", "Moore", "Nash"]
HIERARCHIES: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("integer", AGES, {"intervals": [5, 10, 20]}),
    ("number", [each + 0.5 for each in AGES], {"intervals": [5, 10, 20]}),
    ("date", DAYS, {"dates": ["month", "quarter", "year", "decade"]}),
    ("text", ["02113", "02119", "02990", "14850"], {"mask": "right"}),
    ("text", CODES, {"prefix": [3, 1]}),
    ("text", NAMES, {"balanced": {"fanout": 2}}),
    ("text", NAMES, {"balanced": {"fanout": 3}}),
    ("integer", AGES, {"balanced": {"fanout": 3}}),
    ("date", DAYS, {"balanced": {"fanout": 3}}),
]


@pytest.mark.parametrize(("kind", "values", "hierarchy"), HIERARCHIES)
def test_text_and_hierarchy_say_the_same(kind: str, values: list[Any], hierarchy: dict[str, Any]) -> None:
    column = Column.model_validate({"role": "quasi", "type": kind, "hierarchy": hierarchy})
    series = pl.Series("c", values)
    tree = build("c", column, series, Path())
    assert tree is not None and len(tree.labels) > tree.size + 1
    texts = texts_of(series)
    for node, label in enumerate(tree.labels[:-1]):
        below = set(tree.leaves[tree.first[node] : tree.last[node] + 1])
        assert set(covered(label, texts, column, tree)) == below, label
        assert set(covered(label, texts, column)) == below, label


def test_every_row_is_among_what_its_cells_stand_for() -> None:
    """Of a release with hierarchies of all kinds, and without."""
    rng = np.random.default_rng(7)
    rows = 90
    frame = pl.DataFrame(
        {
            "age": rng.choice(AGES, rows),
            "plain": rng.choice(AGES, rows),
            "code": rng.choice(CODES, rows),
            "name": rng.choice([*NAMES, 'a, "b"', "c{d}"], rows),
            "ill": rng.choice(list("abcdef"), rows),
        }
    ).with_columns(day=pl.Series(rng.choice(np.array(DAYS, dtype="datetime64[D]"), rows)))
    frame = frame.with_columns(plain=pl.when(pl.col("plain") == 3).then(None).otherwise(pl.col("plain")))
    columns = {
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
        "plain": {"role": "quasi", "type": "integer"},
        "code": {"role": "quasi", "hierarchy": {"prefix": [3, 1]}},
        "name": {"role": "quasi"},
        "ill": {"role": "drop"},
        "day": {"role": "quasi", "type": "date", "hierarchy": {"dates": ["month", "year"]}},
    }
    policy = sf.read_policy({"columns": columns, "privacy": [{"model": "k-anonymity", "k": 3}]})
    release = sf.publish(frame, policy=policy, seed=3)
    people = release.published.people
    assert people is not None
    said = 0
    for domain in release.tuples.quasi:
        held = domain.published.cast(pl.String).gather(release.tuples.codes[domain.name][people]).to_list()
        spec = policy.columns[domain.name]
        for shown, value in zip(release.tables["table"][domain.name].to_list(), held, strict=True):
            assert covers(shown, value, spec), domain.name
            said += shown not in ("*", value)
    assert said > rows
