"""The documentation is true: its blocks run, its links resolve, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import polars as pl
import pytest
from pydantic import BaseModel

import sfumato as sf
from sfumato.models.registry import MODELS
from sfumato.policy.columns import Role
from sfumato.policy.forms import FORMS
from sfumato.policy.promises import PROMISES
from sfumato.policy.sections import BlockEntry, RingEntry
from sfumato.release.documents import (
    ColumnEntry,
    Distribution,
    InputFacts,
    LevelEntry,
    Manifest,
    Notation,
    ReleaseDocument,
    RowCounts,
    TableEntry,
)
from tests.docs.pages import PAGES, ROOT, Page
from tests.docs.pictures import FOLDER, NAMES
from tests.docs.runner import require_same, run_page
from tests.docs.tables import commands, sections, settings, updated
from tests.support.databases import require_drivers

README = PAGES["README.md"]
POLICY = PAGES["docs/reference/policy.md"]
COMMANDS = PAGES["docs/reference/command-line.md"]
PROMISE = PAGES["docs/explanation/promises.md"]


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.blocks])
def test_blocks_run_and_print_what_the_page_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if any("sqlite:" in block.text for block in PAGES[name].blocks if block.language in ("console", "python")):
        require_drivers()
    run_page(PAGES[name], tmp_path, monkeypatch)


@pytest.mark.parametrize("name", PAGES)
def test_links_resolve(name: str) -> None:
    page = PAGES[name]
    for link in page.links:
        path, _, anchor = link.partition("#")
        goal = (page.path.parent / path).resolve() if path else page.path
        assert goal.exists() and goal.is_relative_to(ROOT), f"{name}: {link}"
        if anchor:
            assert anchor in Page(goal).anchors, f"{name}: {link}"


def test_pictures_are_shown_and_small() -> None:
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README.text)
    shown += [
        f"docs/{name}" for name in re.findall(r"\]\(\.\./(pictures/[^)]+)\)", PAGES["docs/tutorial/workbench.md"].text)
    ]
    assert {*shown} == {f"docs/pictures/{name}" for name in NAMES}
    assert {path.name for path in FOLDER.iterdir()} == NAMES
    for path in FOLDER.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size < 150_000, path.name


def test_every_page_can_be_found_from_the_index() -> None:
    index = PAGES["docs/index.md"]
    linked = {(index.path.parent / link.partition("#")[0]).resolve() for link in index.links}
    lost = {
        name for name, page in PAGES.items() if page.path not in linked and not name.startswith(("README", "docs/dec"))
    }
    assert lost == {index.name}


@pytest.mark.parametrize("name", PAGES)
def test_generated_tables_are_up_to_date(name: str) -> None:
    assert PAGES[name].text == updated(PAGES[name].text), "run: python -m tests.docs.tables"


def test_every_generated_table_has_a_place() -> None:
    placed = [found for page in PAGES.values() for found in re.findall(r"<!-- generated: (.+?) -->", page.text)]
    assert sorted(placed) == sorted(sections())


def test_the_policy_page_has_every_setting_promise_and_role() -> None:
    for part in settings():
        for setting in part.model_fields:
            assert f"| `{setting}` |" in POLICY.text, f"{part.__name__}.{setting}"
    for name in PROMISES:
        assert f"[`{name}`]" in POLICY.text
    for role in get_args(Role):
        assert f"| `{role}` |" in POLICY.prose


def test_the_command_line_page_has_every_command_option_and_exit_code() -> None:
    for name, command in commands():
        assert f"## `{name}`" in COMMANDS.text
        for parameter in command.params:
            for option in (*getattr(parameter, "opts", ()), *getattr(parameter, "secondary_opts", ())):
                if option.startswith("-"):
                    assert re.search(rf"[`/]{option}[`/ ]", COMMANDS.text), f"{name} {option}"
    errors = [getattr(sf, name) for name in sf.__all__ if isinstance(getattr(sf, name), type)]
    for code in {error.exit_code for error in errors if issubclass(error, sf.SfumatoError)} | {0, 130}:
        assert f"| {code} |" in COMMANDS.text


def test_the_api_page_has_every_public_name() -> None:
    text = PAGES["docs/reference/api.md"].text
    for name in sf.__all__:
        assert re.search(rf"`sf\.{name}\b", text), name


def test_the_release_page_has_every_key_of_both_documents() -> None:
    text = PAGES["docs/reference/release.md"].text
    parts: tuple[type[BaseModel], ...] = (
        ReleaseDocument,
        TableEntry,
        RowCounts,
        Notation,
        ColumnEntry,
        LevelEntry,
        RingEntry,
        BlockEntry,
        Manifest,
        InputFacts,
        Distribution,
        *(section for form in FORMS.values() for section in (form.shown, form.sealed)),
    )
    for part in parts:
        for key in part.model_fields:
            assert f"`{key}`" in text, f"{part.__name__}.{key}"


@pytest.mark.parametrize("name", PROMISES)
def test_the_promise_page_tells_of_every_promise_whether_it_survives_merging(name: str) -> None:
    section = re.search(rf"^### {name}\n(.*?)(?=^##)", PROMISE.text, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert re.search(r"[<≤≥=]", section[1]), "a formula with its sign"
    said = re.search(r"\*\*Survives merging:\*\* (yes|no|if)", section[1])
    assert said is not None
    survives = getattr(MODELS[name], "survives_merging", None)
    assert said[1] == ("if" if name == "multi-attribute" else "yes" if survives else "no")


def test_references_are_those_of_the_code() -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    known = set(re.findall(r"10\.\d{4,}/[\w.()-]*\w", source))
    sections = PROMISE.text.partition("## What no promise here covers")[0]
    cited = set(re.findall(r"doi\.org/(10\.\d{4,}/[\w.()-]*\w)", sections))
    assert cited and cited <= known


def test_the_folder_list_is_that_of_the_source() -> None:
    listed = set(re.findall(r"^\| `(\w+)/` \|", PAGES["CONTRIBUTING.md"].text, re.MULTILINE))
    actual = {path.name for path in (ROOT / "src" / "sfumato").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert listed == actual


def test_the_before_and_after_of_the_readme_is_real() -> None:
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\|.* → .*$", README.text, re.M)]
    before, after = {tuple(row[:4]) for row in cells}, sorted(tuple(row[5:]) for row in cells)
    table = sf.read(ROOT / "examples/patients.csv", ROOT / "examples/patients.yaml")
    assert before <= set(pl.read_csv(ROOT / "examples/patients.csv", infer_schema=False).rows())
    published = sf.publish(table, seed=0).table
    assert after == sorted(published.filter(zip=after[0][0], age=after[0][1]).rows())


def test_a_page_that_lies_is_caught() -> None:
    require_same("a\nb  \nc\n", "a\n...\nc\n", "here")
    for wrong in ("a\nb\n", "a\n...\nb\n", "b\n...\n"):
        with pytest.raises(AssertionError):
            require_same("a\nb\nc\n", wrong, "here")


def test_few_blocks_are_not_run() -> None:
    kept = [(name, block) for name, page in PAGES.items() for block in page.blocks if block.mark == "not run"]
    assert len(kept) <= 6, [f"{name}:{block.line}" for name, block in kept]
    assert all(block.language != "python" for _, block in kept)
