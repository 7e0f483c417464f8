"""A person's desk: a folder of their own, a key, and the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.command import KEY, Cli, Outcome


@dataclass(frozen=True)
class Desk:
    """Commands are run in `place`: called as functions, which is faster, or as processes of their own."""

    place: Path
    cli: Cli

    def __call__(self, *arguments: str) -> Outcome:
        done = self.cli(*arguments)
        assert "Traceback" not in done.err and "unexpected" not in done.err
        return done

    def process(self, *arguments: str, stdin: bytes | None = None) -> Outcome:
        """The same as a shell runs it."""
        command = [sys.executable, "-m", "sfumato", *arguments]
        done = subprocess.run(command, cwd=self.place, input=stdin, capture_output=True, timeout=120, env=environment())
        return Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    def write(self, name: str, text: str) -> None:
        (self.place / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.place / name).read_text(encoding="utf-8")

    def edit(self, name: str, changes: Mapping[str, str]) -> None:
        """What a person does in an editor: every line is there, once."""
        text = self.read(name)
        for old, new in changes.items():
            assert text.count(old) == 1, (old, text.count(old))
            text = text.replace(old, new)
        self.write(name, text)

    def files(self, *roots: str) -> dict[str, bytes]:
        """Every byte under these names."""
        paths = [each for root in roots for each in (self.place / root, *(self.place / root).rglob("*"))]
        return {str(path.relative_to(self.place)): path.read_bytes() for path in paths if path.is_file()}


def environment() -> dict[str, str]:
    return {**os.environ, "SFUMATO_KEY": KEY, "PYTHONUTF8": "1"}


def as_setting(promise: str) -> str:
    """A promise as messages print it, as a person types it into a policy: `simple-l (l=5/2)`."""
    found = re.fullmatch(r"([a-z-]+) \((.+)\)", promise)
    assert found is not None, promise
    settings = [part.split("=") for part in found[2].split(", ")]
    return "{" + ", ".join([f"model: {found[1]}", *(f"{name}: {value}" for name, value in settings)]) + "}"


def grammatical(text: str) -> bool:
    """No "1 groups", no "0 of 1 rows" left over from counting."""
    return not re.search(r"\b1 (rows|groups|columns|values|criteria|problems|cells|terms|mistakes|persons)\b", text)
