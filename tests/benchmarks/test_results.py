"""Results against targets and against what is stored."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.contract import Target
from benchmarks.results import Result, Stored, load, merged, save
from benchmarks.show import table

STORED: Stored = {
    "mondrian": {"hard": {"30k": {"ratio": 9.0, "target": None}, "1M": {"ratio": 4.0, "target": 6}}},
    "gone": {"hard": {"1M": {"ratio": 1.0, "target": None}}},
}


def result(ratio: float, target: Target, *, rows: int = 1_000_000, ms: float = 8.0, data: str = "hard") -> Result:
    return Result("mondrian", data, "1M" if rows > 500_000 else "30k", rows, ms, ratio, target)


@pytest.mark.parametrize(
    ("found", "met"),
    [
        (result(6.0, Target(ratio=6)), True),
        (result(6.01, Target(ratio=6)), False),
        (result(6.0, Target()), None),
        (result(6.0, Target(ms=1)), None),  # milliseconds are for small tables
        (result(99.0, Target(ratio=6), rows=30_162), None),  # and ratios for large ones
        (result(99.0, Target(ratio=6, ms=10), rows=30_162, ms=10.0, data="duplicated"), True),
        (result(99.0, Target(ratio=6, ms=10), rows=30_162, ms=10.5, data="duplicated"), False),
        (result(99.0, Target(ms=10), rows=30_162, ms=10.5, data="perturbed"), None),
    ],
)
def test_a_target_is_met_or_not_or_is_none(found: Result, met: bool | None) -> None:
    assert found.met is met


@pytest.mark.parametrize(
    ("ratio", "target", "tolerance", "word"),
    [
        (4.9, Target(ratio=6), 0.25, None),
        (5.1, Target(ratio=6), 0.25, "stored"),
        (5.1, Target(ratio=6), 0.5, None),
        (6.1, Target(ratio=6), 9.0, "target"),
        (1.0, Target(), 0.0, None),
        (4.1, Target(), 0.0, "stored"),
    ],
)
def test_a_check_objects_to_what_is_worse_or_misses_its_target(
    ratio: float, target: Target, tolerance: float, word: str | None
) -> None:
    fault = result(ratio, target).fault(STORED, tolerance)
    assert (fault is None) if word is None else (fault is not None and word in fault)


def test_a_new_result_has_nothing_to_be_worse_than() -> None:
    new = result(50.0, Target(), data="perturbed")
    assert new.before(STORED) is None
    assert new.fault(STORED, 0.0) is None


def test_missed_milliseconds_do_not_fail_a_check() -> None:
    slow = result(9.0, Target(ms=1), rows=30_162, data="duplicated")
    assert slow.met is False
    assert slow.fault(STORED, 0.3) is None


def test_saving_replaces_what_was_measured_and_forgets_what_is_gone(tmp_path: Path) -> None:
    made = merged(STORED, [result(3.14159, Target(ratio=6))], ["floor", "mondrian"])
    expected = {"mondrian": {"hard": {"30k": {"ratio": 9.0, "target": None}, "1M": {"ratio": 3.14, "target": 6}}}}
    assert made == expected
    assert STORED["mondrian"]["hard"]["1M"]["ratio"] == 4.0
    path = tmp_path / "results.json"
    assert load(path) == {}
    save(made, path)
    assert load(path) == expected


def test_the_table_shows_ratio_target_and_change() -> None:
    console = Console(file=io.StringIO(), width=100)
    rows = [
        result(5.0, Target(ratio=6)),
        result(7.5, Target(ratio=6), data="perturbed"),
        result(9.9, Target(ms=5), rows=30_162, data="duplicated"),
    ]
    console.print(table(rows, STORED))
    assert isinstance(console.file, io.StringIO)
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in console.file.getvalue().splitlines()]
    assert [line for line in cells if line and line[0] == "mondrian"] == [
        ["mondrian", "hard", "1M", "8.0", "5.00", "≤ 6 ×", "yes", "4.00 (+25%)"],
        ["mondrian", "perturbed", "1M", "8.0", "7.50", "≤ 6 ×", "no", "none"],
        ["mondrian", "duplicated", "30k", "8.0", "9.90", "≤ 5 ms", "no", "none"],
    ]
