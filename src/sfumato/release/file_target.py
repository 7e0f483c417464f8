"""A release in files: a folder of its own, or one table file with its documents beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sfumato.errors import InputError
from sfumato.release.commit import Staging, open_up, staging
from sfumato.release.locks import alone
from sfumato.release.staged import Staged
from sfumato.release.standing import Standing
from sfumato.release.target import Draft, Put, Target
from sfumato.table.formats import FORMATS, either, endings

__all__ = ["FileTarget"]

V = TypeVar("V")

_FOREIGN = frozenset(
    (
        *(".gz", ".zip", ".tsv", ".txt", ".json", ".xls", ".xlsm", ".ods", ".zsav", ".yaml", ".yml", ".toml"),
        *(".arrow", ".feather"),
    )
)
_DATABASES = frozenset((".db", ".sqlite", ".sqlite3"))


@dataclass(frozen=True)
class FileTarget(Target):
    """A folder, or a file.

    ``out/`` holds the tables and ``release.json``; ``out.csv`` has ``out.release.json`` beside it. The internal
    manifest is beside either, as ``out.internal.json``: what is in the folder is what gets sent away.

    path    of the folder or file
    kind    of the tables in a folder: csv, …; None: as the data came
    force   whether a release that is there may be replaced
    """

    path: Path
    kind: str | None
    force: bool

    @classmethod
    def at(cls, path: str | Path, force: bool = False, kind: str | None = None) -> FileTarget:
        """Check a place before any work is done for it."""
        place = Path(path)
        if str(path) in ("", "-") or place.name in ("", ".", ".."):
            raise InputError(f"a release needs a name of its own, such as out/ or out.csv; got {str(path)!r}")
        if kind is not None and kind not in FORMATS:
            raise InputError(f"the format of a release must be {either(FORMATS)}")
        ending = endings().get(place.suffix.lower())
        if ending is None and place.suffix.lower() in _FOREIGN:
            raise InputError(f"{place}: a release is a folder, or a file that ends in {either(endings())}")
        if place.suffix.lower() in _DATABASES:
            raise InputError(f"{place}: a release goes into a table of a database: sqlite:{place}?table=NAME")
        if ending is not None and kind not in (None, ending):
            raise InputError(f"{place} is a {ending} file by its name; leave the format out, or name a folder")
        if ending is None and place.is_file():
            raise InputError(f"{place} is a file; a release is a folder, or a file that ends in {either(endings())}")
        if ending is not None and place.is_dir():
            raise InputError(f"{place} is a folder; a release of one file needs another name")
        made = cls(place, ending or kind, force)
        with alone(place.parent) if place.parent.is_dir() else contextlib.nullcontext():  # not while another run moves
            made.require_free()
        return made

    def __str__(self) -> str:
        return str(self.path)

    @property
    def one_file(self) -> bool:
        return self.path.suffix.lower() in endings()

    @property
    def document(self) -> Path:
        return self.path.with_suffix(".release.json") if self.one_file else self.path / "release.json"

    @property
    def manifest(self) -> Path:
        if self.one_file:
            return self.path.with_suffix(".internal.json")
        return self.path.with_name(self.path.name + ".internal.json")

    @property
    def paths(self) -> tuple[Path, ...]:
        return self.path, self.document, self.manifest

    @property
    def folder(self) -> Path | None:
        return None if self.one_file else self.path

    @property
    def in_parts(self) -> bool:
        return not self.one_file

    def table_name(self, table: str, kind: str) -> str:
        return self.path.name if self.one_file else f"{table}{FORMATS[kind].suffix}"

    def require_room(self, tables: int) -> None:
        if self.one_file and tables > 1:
            raise InputError(f"{self.path}: this form has {tables} tables, and they belong together; name a folder")

    def require_other_than(self, inputs: Iterable[str | Path]) -> None:
        for given in map(Path, inputs):
            for mine in (self.path, self.document, self.manifest):
                if given.exists() and mine.exists() and given.samefile(mine):
                    raise InputError(f"{mine} is what the release is made from; choose another name")

    def require_free(self) -> None:
        """Refuse if something stands there that may not be replaced."""
        Standing(self.path, self.document, self.manifest).require_free(self.force)

    def marks(self) -> tuple[object, ...]:
        """What tells whether the first and the last file that are put in place are others than before."""
        return tuple(_mark(path) for path in (self.document, self.manifest))

    def since(self, before: tuple[object, ...]) -> str:
        """What has happened to this place since it had these marks, in words."""
        changed = [now != then for now, then in zip(self.marks(), before, strict=True)]
        if not any(changed):
            return "nothing was written"
        if all(changed):
            return f"{self.path} was written"
        return f"{self.path} is half replaced; run again with --force"

    def put(self, draft: Draft[V]) -> Put[V]:
        before = self.marks()
        try:
            with staging(self.path) as stage:
                made, moves = self._staged(stage, draft)
                stage.commit(moves, check=self.require_free)  # again: another run may have been faster
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self.since(before)) from None
        return made

    def _staged(self, stage: Staging, draft: Draft[V]) -> tuple[Put[V], dict[str, Path]]:
        """Write and audit the staged files; answer what will be there, and what has to be moved where."""
        inside = stage.folder if self.one_file else stage.folder / "release"
        only = self.path.name if self.one_file else None
        place = Staged(inside, stage.folder / "private", self.kind or draft.kind, only)
        manifest = stage.folder / self.manifest.name
        made = place.made(draft, self.document.name, manifest)
        public = [*made.tables, made.public]
        open_up(public if self.one_file else [inside, *public])
        staged = public if self.one_file else [inside]
        goals = [self.path.with_name(file.name) for file in public] if self.one_file else [self.path]
        moves = {file.name: goal for file, goal in zip(staged, goals, strict=True)}
        shown = goals if self.one_file else [self.path / file.name for file in public]
        put = Put(made.verdict, made.document, made.sealed, tuple(shown))
        return put, {**moves, manifest.name: self.manifest}


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns
