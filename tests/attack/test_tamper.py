"""What is planted into a release is found; what sfumato did not write stays; a killed run publishes nothing later."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from operator import itemgetter
from pathlib import Path

import pytest

from tests.support.examples import examples, some

from .honest import HONEST, KINDS
from .kills import force_findings
from .planted import uncaught
from .tamper import ANYWHERE, CSV, PARQUET

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "kind"), some(product(HONEST, KINDS), kind=itemgetter(1)))
def test_no_audit_holds_for_a_release_with_something_planted(name: str, kind: str, tmp_path: Path) -> None:
    plants = {**ANYWHERE, **(CSV if kind == "csv" else PARQUET)}
    assert list(uncaught(name, kind, plants, tmp_path)) == []


def test_force_takes_away_only_what_sfumato_wrote(tmp_path: Path) -> None:
    assert list(force_findings(tmp_path)) == []


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="signals and forks of POSIX systems")
def test_a_run_that_exits_with_2_changes_nothing_though_one_was_killed_before(tmp_path: Path) -> None:
    """At the last calls of the killed run; `python -m tests.attack.kills` tries all of them."""
    command = [sys.executable, "-m", "tests.attack.kills", str(tmp_path), str(examples(4, fewest=1))]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert ended.stdout, ended.stderr
    assert json.loads(ended.stdout) == []
