"""Columns that look like sets of terms are suggested as quasi-sensitive, and others that have commas are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.suggestions.suggest import Suggestion, suggest
from tests.support.command import Cli

TERMS = ["cough", "fever", "headache", "nausea", "rash", "sneezing", "tired"]
ROWS = 60


def drawn(seed: int = 3) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    return [sorted(rng.choice(TERMS, rng.integers(0, 4), replace=False).tolist()) for _ in range(ROWS)]


def one(values: pl.Series) -> Suggestion:
    return suggest(pl.DataFrame([values]))[0]


def paired(between: str, ones: list[str], others: list[str]) -> list[str]:
    rng = np.random.default_rng(5)
    return [between.join(map(str, pair)) for pair in zip(rng.choice(ones, ROWS), rng.choice(others, ROWS), strict=True)]


@pytest.mark.parametrize("separator", ["|", ";", ",", ", ", " / "])
def test_separated_texts(separator: str) -> None:
    found = one(pl.Series("seen", [separator.join(terms) or None for terms in drawn()]))
    assert found.role == "quasi-sensitive"
    assert found.separator == separator.strip()
    assert "looks like sets of terms" in found.reasons[-1] and "7 different terms" in found.reasons[-1]


@pytest.mark.parametrize("kind", [pl.List(pl.String), pl.List(pl.Categorical)])
def test_lists(kind: pl.DataType) -> None:
    found = one(pl.Series("seen", drawn()).cast(kind))
    assert (found.role, found.separator) == ("quasi-sensitive", None)


def test_few_rows_of_lists_are_enough_and_of_texts_are_not() -> None:
    assert one(pl.Series("seen", [["a", "b"], ["a"]])).role == "quasi-sensitive"
    assert one(pl.Series("seen", ["a|b", "a", "b|a"])).role is None


@pytest.mark.parametrize(
    "values",
    [
        paired(", ", TERMS, ["IL", "NY"]),
        paired(", ", TERMS, ["Ann", "Bob"]),
        paired("/", ["100", "90", "80"], ["90", "80"]),
        [f"came on day {row}, went on day {row + 1}" for row in range(ROWS)],
        [f"{row},5" for row in range(ROWS)],
        ["01/02/2020", "03/02/2020", "02/03/2020"] * 20,
        ["yes", "no"] * 30,
        [f"{row}|{row + 1}" for row in range(ROWS)],
    ],
)
def test_other_texts_with_separators(values: list[str]) -> None:
    assert one(pl.Series("x", values)).role != "quasi-sensitive"


def test_names_count() -> None:
    cells = ["|".join(terms) or None for terms in drawn()]
    assert one(pl.Series("diagnoses", cells)).role == "quasi-sensitive"
    mail = one(pl.Series("email", cells))
    assert mail.role is None, "what others know, or who it is, cannot be a set of harmless terms: a person decides"
    assert any("sets of terms" in reason for reason in mail.reasons)


def test_the_policy_asks_for_knowledge_and_then_is_valid(tmp_path: Path, cli: Cli) -> None:
    ages = [20 + row % 40 for row in range(ROWS)]
    frame = pl.DataFrame({"age": ages, "seen": ["|".join(terms) for terms in drawn()]})
    frame.write_csv(tmp_path / "visits.csv")
    target = tmp_path / "visits.yaml"
    done = cli("init", str(tmp_path / "visits.csv"), "-o", str(target))
    assert done.code == 0
    assert f"sfumato knowledge check {tmp_path / 'visits.csv'} -p {target}" in done.out
    text = target.read_text(encoding="utf-8")
    assert not any(term in text for term in TERMS), "the policy holds no value of the data"
    with pytest.raises(sf.PolicyError) as error:
        sf.read_policy(target)
    assert [problem.path for problem in error.value.problems] == ["columns.seen.knowledge"]
    (tmp_path / "k.json").write_text('{"flu": ["cough", "fever"], "cold": ["cough", "sneezing"]}', encoding="utf-8")
    target.write_text(text.replace('separator: "|"', 'separator: "|", knowledge: {file: k.json}'), encoding="utf-8")
    (found,) = sf.check_knowledge(tmp_path / "visits.csv", target)
    assert (found.coverage.rows, found.coverage.labels) == (ROWS, 2)
    assert [promise.name for promise in sf.read_policy(target).privacy] == ["k-anonymity", "qs-cl"]


def test_list_columns_of_parquet_files(tmp_path: Path) -> None:
    pl.DataFrame({"age": list(range(ROWS)), "seen": drawn()}).write_parquet(tmp_path / "p.parquet")
    found = {each.name: each for each in sf.suggest(tmp_path / "p.parquet")}
    assert found["seen"].role == "quasi-sensitive"
    text = sf.write_policy(list(found.values()), "p.parquet")
    assert "seen: {role: quasi-sensitive}" in text
    with pytest.raises(sf.TableError, match="cannot use column 'x'"):
        sf.suggest(pl.DataFrame({"x": [[1, 2]]}))
