"""Free text in ``release.json`` is a problem; what sfumato itself writes is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.auditor.audit import audit
from sfumato.policy.columns import Column
from sfumato.taxonomy.explain import readings
from tests.support.auditing import blocks, policy_of, write_release

POLICY = policy_of({"model": "distinct-l", "l": 2})


def problems(folder: Path) -> tuple[str, ...]:
    return audit(folder, POLICY).problems


def changed(folder: Path, *path: str, text: str) -> None:
    """One text of the document replaced."""
    file = folder / "release.json"
    document = json.loads(file.read_text("utf-8"))
    part: Any = document
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = text
    file.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (("dictionary", "q", "technique"), "technique"),
        (("dictionary", "s", "technique"), "technique"),
        (("dictionary", "q", "role"), "role"),
        (("dictionary", "q", "values", "g0"), "1 value in words"),
        (("notation", "interval"), "notation"),
        (("notation", "set"), "notation"),
    ],
)
def test_free_text_is_a_problem_and_not_repeated(tmp_path: Path, path: tuple[str, ...], says: str) -> None:
    write_release(tmp_path, blocks("a b", "a c"), POLICY)
    assert problems(tmp_path) == ()
    changed(tmp_path, *path, text="Alice has the flu")
    found = problems(tmp_path)
    assert any(says in problem for problem in found)
    assert not any("Alice" in problem for problem in found)


def test_a_meaning_must_follow_from_its_own_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["[1, 2]"] * 2 + ["[3, 4]"] * 2, "s": ["a", "b", "a", "b"]})
    policy = policy_of({"model": "distinct-l", "l": 2}, columns={"q": {"role": "quasi", "type": "integer"}})
    write_release(tmp_path, frame, policy)
    changed(tmp_path, "dictionary", "q", "values", "[1, 2]", text="from 1 to 2, both included")
    assert audit(tmp_path, policy).problems == ()
    changed(tmp_path, "dictionary", "q", "values", "[1, 2]", text="from 1 to 9, both included")
    assert any("1 value in words" in problem for problem in audit(tmp_path, policy).problems)


HIERARCHIES: list[tuple[dict[str, Any], list[Any]]] = [
    ({"type": "integer", "hierarchy": {"intervals": [5, 10]}}, [1, 3, 7, 12, 18, 21]),
    ({"type": "integer"}, [1, 3, 7, 12, 18, 21]),
    ({"type": "date", "hierarchy": {"dates": ["month", "quarter", "year"]}}, [f"2020-0{n}-01" for n in range(1, 7)]),
    ({"hierarchy": {"mask": "right"}}, ["1234", "1235", "1299", "1300", "1301", "2000"]),
    ({"hierarchy": {"mask": "left"}}, ["1234", "1235", "1299", "1300", "1301", "2000"]),
    ({"hierarchy": {"balanced": {"fanout": 2}}}, ["u", "v", "w", "x", "y, or z", "z"]),
    ({"type": "number", "hierarchy": {"balanced": {"fanout": 2}}}, [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]),
    ({"hierarchy": {"tree": {"*": {"low": ["u", "v", "w"], "high": ["x", "y", "z"]}}}}, list("uvwxyz")),
    ({"hierarchy": "flat"}, list("uvwxyz")),
    ({}, ["u", "v", "w,", "x", "y", None]),
]


@pytest.mark.parametrize(("spec", "values"), HIERARCHIES)
@pytest.mark.parametrize("method", ["mondrian", "lattice"])
def test_what_sfumato_writes_holds(tmp_path: Path, spec: dict[str, Any], values: list[Any], method: str) -> None:
    frame = pl.DataFrame({"q": values * 2, "s": ["a", "b"] * 6})
    policy = {
        "columns": {"q": {"role": "quasi", **spec}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "partition": {"method": method},
    }
    sf.publish(frame, policy=policy, seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", policy).problems == ()


def test_a_date_is_read_only_where_it_is_one() -> None:
    column = Column.model_validate({"role": "quasi", "type": "date", "hierarchy": {"dates": ["month"]}})
    assert readings(column, "2020-02") == {"any day of February 2020"}
    assert readings(column, "2020-Q2") == {"any day of the quarter April to June 2020"}
    assert not readings(column, "2020-13")
    assert not readings(column, "2020-Qx")
