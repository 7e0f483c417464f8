"""Quick runs and thorough ones: the same tests, fewer examples, and none that counts by itself."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import examples
from tests.support.examples import some
from tests.support.sources import nodes_of

TESTS = Path(__file__).parent


@pytest.fixture(params=[False, True], ids=["quick", "thorough"])
def everything(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    everything: bool = request.param
    monkeypatch.setattr(examples, "thorough", lambda: everything)
    return everything


@pytest.mark.parametrize(("number", "few"), [(200, 10), (100, 5), (40, 4), (10, 4), (3, 3)])
def test_a_quick_run_takes_a_twentieth_and_not_too_few(number: int, few: int, everything: bool) -> None:
    assert examples.examples(number) == (number if everything else few)
    assert examples.examples(number, fewest=1) == (number if everything else max(1, number // 20))


def test_a_quick_run_takes_one_of_each_kind(everything: bool) -> None:
    cases = [(kind, number) for number in range(5) for kind in "abc"]
    found = some(cases, kind=lambda case: case[0])
    assert found == (cases if everything else sorted(found, key=cases.index))
    assert {kind for kind, _ in found} == set("abc")
    assert len(found) == (15 if everything else 3)
    assert len(some(cases)) == (15 if everything else 1)
    assert some(cases) == some(cases)


def test_quick_runs_repeat_themselves_and_thorough_ones_are_seeded_from_outside() -> None:
    quick, whole = settings.get_profile("quick"), settings.get_profile("thorough")
    assert quick.derandomize and not whole.derandomize
    assert (quick.max_examples, whole.max_examples) == (5, 100)
    assert quick.deadline is whole.deadline is None


@pytest.mark.parametrize("ci", ["", "true"])
def test_both_are_the_same_wherever_they_run(ci: str) -> None:
    shown = "from tests.support import examples; from hypothesis import settings as s; print(s.get_profile('{}'))"
    told = {
        name: subprocess.run(
            [sys.executable, "-c", shown.format(name)],
            cwd=TESTS.parent,
            env=os.environ | {"CI": ci},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for name in ("quick", "thorough")
    }
    assert told == {name: str(settings.get_profile(name)) for name in told}


def test_no_property_counts_by_itself() -> None:
    for file in TESTS.rglob("*.py"):
        for node in nodes_of(file) if "max_examples" in file.read_text("utf-8") else ():
            if isinstance(node, ast.keyword) and node.arg == "max_examples" and file.parent.name != "support":
                assert not isinstance(node.value, ast.Constant), f"{file.relative_to(TESTS)}:{node.value.lineno}"
