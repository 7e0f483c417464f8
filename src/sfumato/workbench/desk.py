"""The state of one workbench: what was opened, what is being decided, what was made. Pages show it and change it.

It lives in the server's memory and one private folder, and goes with them; nothing else remembers.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.reports.wording import Wording, languages
from sfumato.workbench.asks import Ask, Failure
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.folder import PrivateFolder
from sfumato.workbench.jobs.compare import COMPARED
from sfumato.workbench.regrouping import Regrouping
from sfumato.workbench.worker import Doing, Worker

if TYPE_CHECKING:
    from sfumato.workbench.jobs.look import Looked
    from sfumato.workbench.jobs.publish import MadeRelease

__all__ = ["Download", "Explored", "KeptRun", "OpenedTable", "Workdesk", "words_in"]


@cache
def words_in(language: str) -> Wording:
    """The words of reports and of the workbench, in one language."""
    return Wording.of(language).beside("sfumato.workbench")


@dataclass(frozen=True)
class OpenedTable:
    """A table that was opened: where it lies, what it is called, and how it is written, as far as somebody said."""

    path: Path
    name: str
    input: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {"path": str(self.path), "name": self.name, "input": dict(self.input)}


@dataclass(frozen=True)
class Download:
    """A file that may be fetched by its key: what it is called there, and whether a browser may show it."""

    path: Path
    name: str
    media: str
    shown: bool = False


@dataclass(frozen=True)
class KeptRun:
    """A release of this session: what it was made by, what came of it, and its files by key."""

    number: int
    document: Mapping[str, Any]
    made: MadeRelease
    downloads: Mapping[str, str]


@dataclass(frozen=True)
class Explored:
    """What was found by looking around, and under which policy: nothing of it is published."""

    document: Mapping[str, Any]
    answer: Any


_EXPLORING = ("compare", "lattice")
"""Kinds of work whose answer is kept until another one comes."""


class Workdesk:
    """Everything, and the worker."""

    def __init__(self, folder: PrivateFolder, language: str = "") -> None:
        self.folder = folder
        self.worker = Worker(folder.path)
        self.language = language
        self.downloads: dict[str, Download] = {}
        self.clear()

    def clear(self) -> None:
        """As at the beginning; the worker knows nothing of what was there before."""
        self.source: OpenedTable | None = None
        self.looked: Looked | None = None
        self.looking: Doing | None = None
        self.draft: PolicyDraft | None = None
        self.regrouping: Regrouping | None = None
        self.job: Doing | None = None
        self.job_document: Mapping[str, Any] = {}
        self.runs: list[KeptRun] = []
        self.shown: int | None = None
        self.explored: dict[str, Explored] = {}
        self.said = ""
        self.failure: Failure | None = None
        self.downloads.clear()

    def grouping(self, column: str) -> Regrouping:
        """The groups of a column, to be edited."""
        if self.regrouping is None or self.regrouping.column != column:
            self.regrouping = Regrouping(column)
        return self.regrouping

    @property
    def words(self) -> Wording:
        return words_in(self.language or languages()[0])

    def open(self, source: OpenedTable) -> None:
        """Another table: what was there before goes."""
        old = self.source
        self.worker.forget()
        self._remove_runs()
        self.clear()
        if old is not None and old.path != source.path and old.path.parent == self.folder.path:
            old.path.unlink(missing_ok=True)
        self.source = source
        self.looking = self.worker.ask(Ask("look", {"source": source.as_dict()}))

    def take_look(self) -> None:
        """Take what the worker saw, once it has; a table that cannot be read is none."""
        doing = self.looking
        if doing is None or not doing.over:
            return
        self.looking = None
        if doing.state == "done":
            self.looked = doing.answer
            self.draft = PolicyDraft.suggested(doing.answer)
        else:
            self.failure = doing.failure

    @property
    def asked(self) -> dict[str, Any]:
        """The table as the worker is asked about it."""
        if self.source is None or self.looked is None or self.draft is None:
            raise LookupError("no table is open")
        names = [column.name for column in self.looked.columns]
        return {**self.source.as_dict(), "input": dict(self.looked.input), "columns": names}

    def publish(self) -> None:
        """Make a release of the draft as it stands."""
        if self.draft is None or self.running:
            return
        self.take()
        name = f"run-{secrets.token_hex(4)}"
        order = [self.words.language, *(each for each in languages() if each != self.words.language)]
        given = {"source": self.asked, "document": self.draft.document, "folder": name, "languages": order}
        self.job_document = self.draft.document
        self.job = self.worker.ask(Ask("publish", given))

    def begin(self, kind: str, document: Mapping[str, Any], again: bool = False, **given: Any) -> None:
        """Other long work about a policy, unless some is under way; `again`, though it was done before."""
        if self.running:
            return
        self.take()
        self.job_document = document
        self.job = self.worker.ask(Ask(kind, {"source": self.asked, "document": document, **given}), again)

    @property
    def running(self) -> bool:
        return self.job is not None and not self.job.over

    def take(self) -> None:
        """Take what the worker made or found, once it has."""
        job = self.job
        if job is None or job.state != "done":
            return
        if job.ask.kind in _EXPLORING:
            self.explored[job.ask.kind] = Explored(self.job_document, job.answer)
            self.job = None
        elif job.ask.kind == "publish":
            self.job = None
            self._take_release(job)

    def _take_release(self, job: Doing) -> None:
        made: MadeRelease = job.answer
        folder = self.folder.path / str(job.ask.given["folder"])
        keys = {what: self._keyed(what, folder / name) for what, name in made.files.items()}
        self.runs.append(KeptRun(len(self.runs) + 1, self.job_document, made, keys))
        self.shown = len(self.runs) - 1

    def stop(self) -> None:
        """End what runs; nothing of it stays."""
        if self.job is not None:
            self.worker.stop(self.job)
            self._remove(self.job)
            self.job = None

    def close(self) -> None:
        """The end of the session: the process, and everything that it kept."""
        self.worker.close()
        self.folder.remove()

    def _keyed(self, what: str, path: Path) -> str:
        key = secrets.token_urlsafe(16)
        self.downloads[key] = _download(what, path)
        return key

    def _remove(self, job: Doing) -> None:
        if "folder" in job.ask.given:
            shutil.rmtree(self.folder.path / str(job.ask.given["folder"]), ignore_errors=True)

    def _remove_runs(self) -> None:
        """And what was tried of a comparison."""
        for folder in (*self.folder.path.glob("run-*"), self.folder.path / COMPARED):
            shutil.rmtree(folder, ignore_errors=True)


_MEDIA = {".html": "text/html; charset=utf-8", ".json": "application/json", ".yaml": "application/yaml"}


def _download(what: str, path: Path) -> Download:
    """What a file is called when it is taken away: its language is no part of it."""
    media = _MEDIA.get(path.suffix, "application/zip")
    name = f"report-{what.partition('.')[0]}.html" if path.suffix == ".html" else path.name
    return Download(path, name, media, shown=path.suffix == ".html")
