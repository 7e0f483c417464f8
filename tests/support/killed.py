"""Releases by hand, and runs that are killed at a chosen call: for tests of how a release gets in place."""

from __future__ import annotations

import hashlib
import os
import signal
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato.release import moves
from sfumato.release.commit import staging
from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import InputFacts, Manifest, ReleaseDocument, RowCounts, TableEntry
from sfumato.release.file_target import FileTarget

KINDS = ("out", "out.csv")
SYSTEMS = ("swap", "no swap", "neither swap nor links")
CALLS = ("replace", "fsync", "open", "mkdir", "rename", "unlink", "rmdir", "link")


def put(target: FileTarget, words: str) -> None:
    """Write a release whose every file holds these words, as a run does."""
    with staging(target.path) as stage:
        inside = stage.folder if target.one_file else stage.folder / "release"
        inside.mkdir(exist_ok=True)
        table = inside / target.table_name("table", "csv")
        table.write_text(words, encoding="utf-8")
        entry = TableEntry(
            name="table",
            file=table.name,
            kind="csv",
            rows=0,
            columns=(words,),
            sha256=hashlib.sha256(words.encode()).hexdigest(),
        )
        document = ReleaseDocument(
            sfumato="0", form={"publish": "generalized"}, tables=(entry,), rows=RowCounts(published=0)
        )
        (inside / target.document.name).write_bytes(to_bytes(document))
        manifest = Manifest(
            release_sha256=hashlib.sha256(to_bytes(document)).hexdigest(),
            input=InputFacts(rows=0, sha256=words),
            policy_sha256="0" * 64,
            key_id="",
            sensitive={},
        )
        (stage.folder / target.manifest.name).write_bytes(to_bytes(manifest))
        moved = {target.manifest.name: target.manifest}
        if target.one_file:
            moved = {table.name: target.path, target.document.name: target.document, **moved}
        else:
            moved = {"release": target.path, **moved}
        stage.commit(moved, check=target.require_free)


def age(path: Path) -> set[str]:
    """The words of every file of the release at a path that has one."""
    target = FileTarget(path, None, force=False)
    tables = [path if target.one_file else path / "table.csv"]
    document = ReleaseDocument.model_validate_json(target.document.read_bytes())
    found = {table.read_text(encoding="utf-8") for table in tables} | set(document.tables[0].columns)
    if target.manifest.exists() and (target.one_file or not list(path.parent.glob(".*"))):
        found.add(Manifest.model_validate_json(target.manifest.read_bytes()).input.sha256)
    return found


def shown(place: Path) -> dict[str, bytes]:
    """Every file that is not hidden."""
    found = {path.relative_to(place): path for path in place.rglob("*") if path.is_file()}
    return {str(name): path.read_bytes() for name, path in found.items() if not name.parts[0].startswith(".")}


def make_system(system: str, patch: pytest.MonkeyPatch) -> None:
    """A system that can, or cannot, exchange names and give a file two of them."""
    if system != "swap":
        patch.setattr(moves, "_exchange", lambda one, other: False)
    if system == "neither swap nor links":

        def refused(*_: object) -> None:
            raise OSError(95, "Operation not supported")

        patch.setattr(os, "link", refused)


def killed_at(fatal: int, target: Path, words: str, force: bool, system: str) -> None:
    """Put a release in place, and die at the n-th call that touches the file system."""
    calls = 0

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **kwargs)

        return call

    patch = pytest.MonkeyPatch()
    make_system(system, patch)
    for name in CALLS:
        patch.setattr(os, name, counted(getattr(os, name)))
    patch.setattr(moves, "_exchange", counted(moves._exchange))
    patch.setattr(Path, "write_text", counted(Path.write_text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        put(FileTarget.at(target, force=force), words)


def fork(job: Callable[[], None], wait: bool = True) -> int:
    """Do something in a copy of this process: its exit code, or its id if it is not waited for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: the copy uses none
        child = os.fork()
    if child == 0:
        try:
            job()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if wait else child
