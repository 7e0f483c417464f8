"""Where a release goes: a folder of its own, or one table file with its documents beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import InputError
from sfumato.release.locks import alone
from sfumato.release.standing import Standing
from sfumato.table.formats import FORMATS, either, endings

__all__ = ["Target"]

_FOREIGN = frozenset(
    (
        *(".gz", ".zip", ".tsv", ".txt", ".json", ".xls", ".xlsm", ".ods", ".zsav", ".yaml", ".yml", ".toml"),
        *(".arrow", ".feather"),
    )
)


@dataclass(frozen=True)
class Target:
    """A place that was free, or may be replaced, when it was chosen.

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
    def of(cls, path: str | Path, force: bool = False, kind: str | None = None) -> Target:
        """Check a place before any work is done for it."""
        place = Path(path)
        if str(path) in ("", "-") or place.name in ("", ".", ".."):
            raise InputError(f"a release needs a name of its own, such as out/ or out.csv; got {str(path)!r}")
        if kind is not None and kind not in FORMATS:
            raise InputError(f"the format of a release must be {either(FORMATS)}")
        ending = endings().get(place.suffix.lower())
        if ending is None and place.suffix.lower() in _FOREIGN:
            raise InputError(f"{place}: a release is a folder, or a file that ends in {either(endings())}")
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

    def table_name(self, table: str, kind: str) -> str:
        return self.path.name if self.one_file else f"{table}{FORMATS[kind].suffix}"

    def require_room(self, tables: int) -> None:
        """Refuse one file for several tables."""
        if self.one_file and tables > 1:
            raise InputError(f"{self.path}: this form has {tables} tables, and they belong together; name a folder")

    def require_other_than(self, inputs: Iterable[Path]) -> None:
        """Refuse to write over what the release is made from."""
        for given in inputs:
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


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns
