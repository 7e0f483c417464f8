"""No public file tells anything of a row that is not published: labels made from data are made from what is shown.

Groups are given, so that two tables which differ in suppressed rows alone are grouped alike.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.engine import job
from sfumato.fit import NATIVE, Fit
from sfumato.partition.contract import Partition, Recoding, Task
from tests.support.examples import examples

NUMBERS = {"role": "quasi", "type": "integer"}
COLUMNS: dict[str, dict[str, Any]] = {
    "salary": {"role": "sensitive", "type": "integer", "difference": 10},
    "age": {**NUMBERS, "hierarchy": {"balanced": {"fanout": 2}}},
    "day": {"role": "quasi", "type": "date", "hierarchy": {"balanced": {"fanout": 3}}},
    "name": {"role": "quasi", "hierarchy": {"balanced": {"fanout": 2}}},
    "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
    "height": NUMBERS,
    "town": {"role": "quasi"},
}
FORMS: list[dict[str, Any]] = [
    {"publish": "generalized"},
    {"publish": "generalized", "group_id": True},
    {"publish": "permuted"},
    {"publish": "anatomized"},
    {"publish": "sliced"},
]


@dataclass(frozen=True)
class Given:
    """An algorithm that answers with groups it was told."""

    labels: list[int]
    spans: dict[str, tuple[list[int], list[int]]] | None = None

    def fit(self, model: object) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        spans = {name: (np.array(low), np.array(high)) for name, (low, high) in (self.spans or {}).items()}
        assert task.table.row is not None
        labels = np.array(self.labels)[task.table.row]
        return Partition.of(task.table, labels, Recoding({}, {}, spans) if self.spans else None)


def published(
    frame: pl.DataFrame, algorithm: Given, form: dict[str, Any], patch: pytest.MonkeyPatch, keep: bool = False
) -> sf.Release:
    policy = {
        "columns": {name: COLUMNS[name] for name in frame.columns},
        "privacy": [{"model": "simple-l", "l": 1}],
        "form": form,
        "suppression": {"limit": 0.9, "keep": keep},
    }
    with patch.context() as patched:
        patched.setattr(job, "grouping", lambda method, bind: algorithm)
        return sf.publish(frame, policy=policy, seed=1)


def public(release: sf.Release, folder: Path) -> Any:
    """Everything in the public files but what a secret draw decides: orders, numbers of groups, digests."""
    release.write(folder, force=True, kind="csv")
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    shown: list[Any] = []
    for entry in document["tables"]:
        entry.pop("sha256")
        table = pl.read_csv(folder / entry["file"], infer_schema=False).drop("group", strict=False)
        if document["form"]["publish"] == "generalized":
            shown.append(sorted(map(str, table.rows())))
        else:  # who stands beside whom is drawn
            shown.append([sorted(map(str, column.to_list())) for column in table.get_columns()])
    return document, shown


@st.composite
def twins(draw: st.DrawFn) -> tuple[pl.DataFrame, pl.DataFrame, list[int]]:
    """Two tables that differ in suppressed rows alone, whose values keep their places among the others; and groups."""
    groups = draw(st.integers(1, 4))
    labels = [*(group for group in range(groups) for _ in range(draw(st.integers(1, 4))))]
    labels += [-1] * draw(st.integers(1, 4))
    labels = draw(st.permutations(labels))
    tens = [draw(st.lists(st.integers(0, 9), min_size=len(labels), max_size=len(labels))) for _ in range(7)]

    def table(lower: int, tail: str) -> pl.DataFrame:
        hidden = [label < 0 for label in labels]
        numbers = [[10 * ten + lower * away for ten, away in zip(each, hidden, strict=True)] for each in tens]
        texts = [chr(ord("b") + ten) + (tail if away else "") for ten, away in zip(tens[3], hidden, strict=True)]
        return pl.DataFrame(
            {
                "salary": [5 * number for number in numbers[0]],
                "age": numbers[1],
                "day": [dt.date(2000, 1, 1) + dt.timedelta(40 * number) for number in numbers[2]],
                "name": texts,
                "zip": [str(ten) * (1 + ten % 3) + tail * away for ten, away in zip(tens[4], hidden, strict=True)],
                "height": numbers[5],
                "town": [f"town {number}" for number in numbers[6]],
            }
        )

    return table(1, "xx"), table(2, "xyzz"), labels


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(map(str, form.values())))
@settings(max_examples=examples(25), suppress_health_check=list(HealthCheck))
@given(pair=twins(), keep=st.booleans())
def test_public_files_do_not_depend_on_suppressed_rows(
    pair: tuple[pl.DataFrame, pl.DataFrame, list[int]],
    keep: bool,
    form: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other, labels = pair
    if keep:  # sensitive values of kept rows are published
        other = other.with_columns(one["salary"])
    if form["publish"] != "generalized":  # where quasi-identifiers are exact, sensitive bins are what is made
        one, other = (frame.select("salary", "height", "town", "age") for frame in (one, other))
    made = [
        public(published(frame, Given(labels), form, monkeypatch, keep), tmp_path / "out") for frame in (one, other)
    ]
    assert made[0] == made[1]


def test_a_bin_ends_where_its_published_values_end(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b"], "salary": [1000, 1003, 1007]})
    release = published(frame, Given([0, 0, -1]), {"publish": "generalized"}, monkeypatch)
    assert release.table["salary"].to_list() == ["[1000, 1003]"] * 2
    kept = published(frame, Given([0, 0, -1]), {"publish": "generalized"}, monkeypatch, keep=True)
    assert kept.table["salary"].to_list() == ["[1000, 1007]"] * 3


def test_a_bin_that_the_policy_names_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"town": ["a", "a", "b"], "salary": [1000, 2000, 1007]})
    policy = {
        "columns": {name: COLUMNS[name] for name in frame.columns},
        "privacy": [{"model": "pd-recursive", "c": 3, "l": 2, "disclosable": ["[1000, 1007]"]}],
        "suppression": {"limit": 0.5},
    }
    monkeypatch.setattr(job, "grouping", lambda method, bind: Given([0, 0, -1]))
    release = sf.publish(frame, policy=policy, seed=1)
    assert sorted(release.table["salary"]) == ["[1000, 1007]", "[2000, 2000]"]


def test_a_balanced_part_ends_where_nothing_else_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    ages = [18, 19, 25, 27, 900, 901, 902, 903]
    frame = pl.DataFrame({"age": ages, "salary": [0, 100] * 4})
    release = published(frame, Given([0, 0, 1, 1] + [-1] * 4), {"publish": "generalized"}, monkeypatch)
    assert sorted(set(release.table["age"])) == ["(-inf, 20)", "[20, inf)"]
    alone = published(frame, Given([0, 0, 0, 0] + [-1] * 4), {"publish": "generalized"}, monkeypatch)
    assert set(alone.table["age"]) == {"*"}


def test_stars_do_not_count_the_characters_of_a_suppressed_code(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"zip": ["1", "22", "7777777"], "salary": [0, 100, 0]})
    release = published(frame, Given([0, 0, -1]), {"publish": "generalized"}, monkeypatch)
    assert release.table["zip"].to_list() == ["*", "*"]
    assert release.published.blank == {"zip": 2}
    longer = frame.vstack(pl.DataFrame({"zip": ["333"], "salary": [0]}))
    told = published(longer, Given([0, 0, -1, 1]), {"publish": "generalized"}, monkeypatch)
    assert sorted(told.table["zip"]) == ["**", "**", "333"]


def test_what_an_algorithm_chose_names_only_values_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"town": ["a", "b", "c", "d"], "height": [1, 2, 3, 4], "salary": [0, 100, 0, 100]})
    chosen = Given([0, -1, 0, 1], {"town": ([0, 3], [2, 3]), "height": ([0, 1], [2, 3])})
    release = published(frame, chosen, {"publish": "generalized"}, monkeypatch)
    assert sorted(release.table.select("town", "height").rows()) == [
        ("d", "[3, 4]"),
        ("{a, c}", "[1, 3]"),
        ("{a, c}", "[1, 3]"),
    ]
