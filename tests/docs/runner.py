"""Run the blocks of a page as a reader would, from top to bottom, and compare what the page says comes out."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tomllib
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.adversaries.believed import believed
from sfumato.cli.main import run
from sfumato.policy.yaml import parse_yaml
from sfumato.testing.tables import Tables
from tests.docs.pages import ROOT, Block, Page
from tests.support.examples import thorough

__all__ = ["KEY", "Reader", "run_page"]

KEY = "a key for the documentation"
EXAMPLES = ROOT / "examples"


def run_page(page: Page, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of a page, in one folder and one namespace, with the example files at hand."""
    shutil.copytree(EXAMPLES, folder / "examples")
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    monkeypatch.setenv("SFUMATO_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "100")
    if not thorough():
        _shorten(page, monkeypatch)
    reader = Reader(page, folder, monkeypatch)
    try:
        for block in page.blocks:
            reader.read(block)
    finally:
        forget(folder)


def _shorten(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes a page long is tried on fewer tables: by the conformance suite on one, and where a page shows nothing
    of the adversary who knows the algorithm, by that one on a tenth."""
    draws = Tables.draws
    monkeypatch.setattr(Tables, "draws", lambda tables, seed, rounds: draws(tables, seed, min(rounds, 1)))
    if not any("algorithm" in block.text for block in page.blocks):
        monkeypatch.setattr(
            "sfumato.adversaries.algorithm.believed",
            lambda scene, arms, remake, most, seeds: believed(scene, arms, remake, most // 10, seeds),
        )


@dataclass
class Reader:
    """Someone who types what a page says."""

    page: Page
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    printed: str | None = None
    code: int = 0

    def read(self, block: Block) -> None:
        place = f"{self.page.name}:{block.line}"
        if block.mark == "not run":
            return
        if block.mark == "new folder":
            self._move(block.note)
        self.monkeypatch.chdir(self.folder)
        if block.mark == "file":
            (self.folder / block.note).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / block.note).write_text(block.text, encoding="utf-8")
            if block.note == "pyproject.toml":
                install(self.folder, self.monkeypatch)
        elif block.language == "python":
            self.printed = self._python(block, place)
            return
        elif block.language == "console":
            self._console(block, place)
        elif block.language == "yaml":
            require_policy(block.text)
        elif block.language == "text" and self.printed is not None:
            require_same(self.printed, block.text, place)
        else:
            pytest.fail(f"{place}: nothing runs or checks this block; mark it, if it must stay as it is")
        self.printed = None

    def _move(self, names: str) -> None:
        self.folder = self.folder / f"folder-{len(list(self.folder.iterdir()))}"
        self.folder.mkdir()
        for name in names.split(", "):
            shutil.copy(EXAMPLES / name, self.folder / name)

    def _python(self, block: Block, place: str) -> str:
        shown = "\n" * (block.line - 1) + block.text  # so that a traceback names the line of the page
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(shown, place.rpartition(":")[0], "exec", dont_inherit=True), self.names)
        return out.getvalue()

    def _console(self, block: Block, place: str) -> None:
        steps = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
        assert not steps[0], f"{place}: a console block begins with a command"
        lines = [step.partition("\n")[0] for step in steps[1:]]
        for index, step in enumerate(steps[1:]):
            command, _, expected = step.partition("\n")
            asked = index + 1 < len(lines) and lines[index + 1] == "echo $?"
            got = self._command(shlex.split(command, comments=True), place)
            assert asked or command == "echo $?" or self.code == 0, f"{place}: exit code {self.code}\n{got}"
            if expected:
                require_same(got, expected, f"{place}: $ {command}", block.mark == "any order")

    def _command(self, words: list[str], place: str) -> str:
        if words == ["echo", "$?"]:
            return f"{self.code}\n"
        if words[0] == "cat":
            return "".join(Path(name).read_text(encoding="utf-8") for name in words[1:])
        assert words[0] == "sfumato", f"{place}: {words[0]!r} is not run here; mark the block"
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), warnings.catch_warnings():
            warnings.simplefilter("default")
            with pytest.raises(SystemExit) as ended:
                run(words[1:])
        self.code = int(ended.value.code or 0)
        return shown.getvalue().replace(os.sep, "/")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the project in a folder importable, entry points included, as an editable installation would."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    facts = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [[f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())] for group, entries in groups]
    (facts / "entry_points.txt").write_text("\n".join(line for group in lines for line in group))
    monkeypatch.syspath_prepend(folder)


def forget(folder: Path) -> None:
    """Drop the modules that a page brought along."""
    for name, module in list(sys.modules.items()):
        if Path(getattr(module, "__file__", None) or ".").is_relative_to(folder):
            del sys.modules[name]


def require_same(got: str, expected: str, place: str, any_order: bool = False) -> None:
    """Equal but for spaces at the end of lines; a line `...` of the page stands for any number of lines."""
    lines, actual = ([line.rstrip() for line in text.rstrip("\n").split("\n")] for text in (expected, got))
    if any_order:
        lines, actual = sorted(lines), sorted(actual)
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in lines)
    said = "".join(f"{line}\n" for line in actual)
    assert re.fullmatch(pattern, said), f"{place}: the page says\n{expected}\nbut it is\n{said}"


def require_policy(text: str) -> None:
    """A whole policy, or a part that makes sense within that of the examples."""
    given = parse_yaml(text, "the page")
    if "version" not in given:
        example = parse_yaml((EXAMPLES / "patients.yaml").read_text(encoding="utf-8"), "the example")
        given = {**example, **given, "columns": {**example["columns"], **given.get("columns", {})}}
    sf.read_policy(given)
