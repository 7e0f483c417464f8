"""The command line called from a test."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sfumato.cli.main import run

KEY = "a key that nobody could guess"
POLICY = """
version: 1
columns:
  age: {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  zip: {role: quasi, hierarchy: {mask: right}}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: distinct-l, l: 2, on: disease}
"""


@dataclass(frozen=True)
class Outcome:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """Calls of `sfumato`, warnings shown as a user sees them."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str) -> Outcome:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            warnings.simplefilter("always")
            run(list(arguments))
        printed = self.capsys.readouterr()
        code = ended.value.code
        return Outcome(code if isinstance(code, int) else 0, printed.out, printed.err)

    def well(self, *arguments: str) -> Outcome:
        """A call that has to end well."""
        done = self(*arguments)
        assert done.code == 0, done.err + done.out
        return done


def files(folder: Path) -> dict[str, bytes]:
    """Every byte in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
