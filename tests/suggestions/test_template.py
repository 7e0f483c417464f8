"""The written policy: it parses, asks for decisions, promises what the table can keep, and holds no data."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.demo.hospital import hospital
from sfumato.errors import PolicyError
from sfumato.policy.document import Policy
from sfumato.policy.load import read_policy
from sfumato.policy.written import scalar
from sfumato.policy.yaml import parse_yaml
from sfumato.suggestions.evidence import evidence_of
from sfumato.suggestions.suggest import Suggestion
from sfumato.suggestions.suggest import suggested as suggest
from sfumato.suggestions.template import write_policy
from tests.support.examples import examples

TRICKY = ["on", "yes", "1", "1.5", "~", "null", "a: b", "#x", 'q"q', "b\\", "é ü", " a ", "", "-", "? k", "<<", "*a"]
TRICKY += ["{x}", "a,b", "line\nbreak", "tab\t", "\x85", "\ufeff", "\u2028", "\x00", "𝔘", "@", "%", "`", "true", "---"]
names = st.lists(st.sampled_from(TRICKY) | st.text(max_size=12), min_size=1, max_size=6, unique=True)


def read(text: str) -> Policy:
    return read_policy(parse_yaml(text, "policy"))


def plain(name: str, role: str | None = "quasi") -> Suggestion:
    evidence, _ = evidence_of(pl.Series("x", ["a", "b", "c", "c"]))
    return Suggestion(name, role, "text", None, ("a reason",), evidence)


@settings(max_examples=examples(150))
@given(names, st.sampled_from(TRICKY) | st.text(max_size=12))
@example([*TRICKY], "a\nb.csv")
def test_any_column_name_comes_back(columns: list[str], source: str) -> None:
    given_roles = [plain(name, "sensitive" if index % 2 else "quasi") for index, name in enumerate(columns)]
    policy = read(write_policy(given_roles, source))
    assert list(policy.columns) == columns
    assert policy.sensitive == tuple(columns[1::2])
    assert [getattr(promise, "on", None) for promise in policy.privacy[1:]] == columns[1::2]


@settings(max_examples=examples(30))
@given(names)
def test_any_column_name_is_suggested_for(columns: list[str]) -> None:
    frame = pl.DataFrame({name: ["a", "b"] * 15 for name in columns})
    decided = [replace(each, role="quasi", hierarchy=None) for each in suggest(frame)]
    assert list(read(write_policy(decided, "x")).columns) == columns


def test_long_names() -> None:
    longest = "x" * 3000
    assert list(read(write_policy([plain(longest), plain("é: " * 900)], "x")).columns) == [longest, "é: " * 900]


@settings(max_examples=examples(200))
@given(st.text(max_size=20))
def test_scalars_come_back(text: str) -> None:
    assert parse_yaml(f"[{scalar(text)}]", "x") == [text]
    assert len(scalar(text).splitlines()) == 1


def test_the_hospital_waits_for_one_decision(tmp_path: Path) -> None:
    text = write_policy(suggest(hospital(1000, 0).cast(pl.String)), "patients.csv")
    path = tmp_path / "patients.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        read_policy(path)
    (problem,) = caught.value.problems
    assert problem.path == "columns.ward.role"
    for role in ("identifier", "quasi", "sensitive", "insensitive"):
        assert role in problem.allowed
    policy = read(text.replace("role: decide", "role: insensitive"))
    assert policy.quasi == ("zip", "age", "sex", "admission")
    assert [promise.as_dict() for promise in policy.privacy] == [
        {"model": "k-anonymity", "k": 5},
        {"model": "entropy-l", "l": 3, "on": "disease"},
    ]


def test_no_value_of_the_data_is_written() -> None:
    rows = 60
    frame = pl.DataFrame(
        {
            "name": [f"Qzx{row:03d}" for row in range(rows)],
            "disease": [f"Wvy{row % 7}" for row in range(rows)],
            "colour": [f"Kjw{row % 3}" for row in range(rows)],
            "zip": [f"{97310 + row % 30}" for row in range(rows)],
            "salary": [str(838383 + 4177 * (row % 20)) for row in range(rows)],
            "birth date": [f"{row % 27 + 1:02d}/11/1931" for row in range(rows)],
            "job": [f"Gqh{row % 25}" for row in range(rows)],
        }
    )
    text = write_policy(suggest(frame), "data.csv")
    values = {value for column in frame.iter_columns() for value in column.to_list()}
    assert not [value for value in values if value in text]
    assert "Qzx" not in text and "1931" not in text


def test_settings_of_the_input() -> None:
    frame = pl.DataFrame({"birth": ["31.12.1960", "01.02.1970"] * 20, "height": ["1,5", "2,5"] * 20})
    suggestions = [replace(each, role="quasi") for each in suggest(frame)]
    policy = read(write_policy(suggestions, "x"))
    assert (policy.input.date, policy.input.decimal) == ("%d.%m.%Y", ",")
    iso = suggest(pl.DataFrame({"birth": ["1960-12-31", "1970-02-01"] * 20}))
    assert "input:" not in write_policy(iso, "x")


def test_fine_intervals_come_back_exactly() -> None:
    frame = pl.DataFrame({"age": [str(row / 1000) for row in range(1, 60)]})
    policy = read(write_policy(suggest(frame), "x"))
    dumped = policy.as_dict()["columns"]["age"]["hierarchy"]["intervals"]
    assert [Fraction(width) for width in dumped] == [Fraction(5, 1000), Fraction(1, 100), Fraction(2, 100)]


@settings(max_examples=examples(60))
@given(st.lists(st.integers(1, 12), min_size=1, max_size=6))
def test_the_table_can_keep_what_is_promised(counts: list[int]) -> None:
    values = [f"v{index}" for index, count in enumerate(counts) for _ in range(count)]
    frame = pl.DataFrame({"age": [str(row) for row in range(len(values))], "disease": values})
    suggestions = [replace(each, role="sensitive" if each.name == "disease" else "quasi") for each in suggest(frame)]
    diverse = [promise.as_dict() for promise in read(write_policy(suggestions, "x")).privacy[1:]]
    total = sum(counts)
    if len(counts) == 1:
        assert diverse == []
        return
    (promise,) = diverse
    if 2 * max(counts) > total:
        assert promise == {"model": "distinct-l", "l": 2, "on": "disease"}
    else:
        assert promise["model"] == "entropy-l"
        assert 2 <= promise["l"] <= 3
        assert total**total >= promise["l"] ** total * math.prod(count**count for count in counts)


def test_missing_sensitive_values_count_as_one() -> None:
    values = [None] * 30 + ["a"] * 10 + ["b"] * 10
    frame = pl.DataFrame({"age": list(range(50)), "disease": values})
    text = write_policy(suggest(frame), "x")
    assert Counter(values).most_common(1)[0] == (None, 30)
    assert "{model: distinct-l, l: 2, on: disease}" in text


def test_the_head_says_what_is_missing() -> None:
    undecided = write_policy([plain("a", None)], "x")
    assert "TO DO" in undecided and "No column is suggested as a quasi-identifier" in undecided
    assert "only 4 rows" in undecided
    assert "TO DO" not in write_policy([plain("a")], "x")
