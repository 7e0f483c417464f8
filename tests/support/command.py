"""The command line called from a test."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any

import pytest

from sfumato.cli.main import run


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
