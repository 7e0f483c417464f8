"""A thorough run after a quick one repeats what has more examples, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.growing import growing_names

TESTS = Path(__file__).parent
MODULE = """
import pytest
from hypothesis import given, strategies as st
from tests.support.examples import examples, some
from tests.support.conformance import check_shown

CASES = [each + 1 for each in some(range(10))]

def rounds():
    return range(examples(50))

@pytest.fixture
def workload():
    return len(list(rounds()))

def test_alike(): pass
def test_body(): assert rounds()
@pytest.mark.parametrize("case", CASES)
def test_cases(case): pass
def test_fixture(workload): pass
def test_elsewhere(): check_shown
def test_inside():
    from tests.support.examples import thorough
@given(st.booleans())
def test_property(given): pass
@pytest.mark.thorough
def test_long(): pass
@pytest.mark.parametrize("case", [1, 2])
def test_own_cases(case): pass
class TestAll:
    def test_one(self): assert CASES
class TestNone:
    def test_one(self): pass
"""
MORE = {"test_body", "test_cases", "test_fixture", "test_elsewhere", "test_inside", "test_property", "test_long"}


def test_names_are_followed_to_where_runs_differ(tmp_path: Path) -> None:
    file = tmp_path / "test_module.py"
    file.write_text(MODULE, encoding="utf-8")
    names = growing_names(file)
    assert names == {*MORE, "CASES", "TestAll", "check_shown", "examples", "rounds", "some", "workload"} - {
        "test_property",
        "test_long",
    }


@pytest.mark.thorough
def test_only_these_are_run(tmp_path: Path) -> None:
    """As pytest sees them, with the marks and properties that names do not tell."""
    folder = tmp_path / "collected"
    folder.mkdir()
    (folder / "test_module.py").write_text(MODULE, encoding="utf-8")
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    asked += ["--thorough", f"--rootdir={folder}", "-c", os.devnull, str(folder)]
    for option, count in (["--only-more"], 17), ([], 21):
        done = subprocess.run([*asked, *option], capture_output=True, text=True, check=False, cwd=TESTS.parent)
        assert f"test_module.py: {count}" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["forms/test_ring_releases.py", "testing/test_check_triples.py"])
def test_tests_that_ask_which_run_it_is_are_among_them(module: str) -> None:
    file = TESTS / module
    assert "thorough()" in file.read_text(encoding="utf-8")
    assert any(name.startswith("test_") for name in growing_names(file))
