"""One table in several files: a pattern, or a folder that holds its parts."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath

import polars as pl

from sfumato.errors import TableError
from sfumato.table.arrow import Raw
from sfumato.table.formats.contract import OpenedFile
from sfumato.table.origin import Origin

__all__ = ["SeveralFiles", "files_of"]


def files_of(path: str | Path) -> tuple[Path, ...] | None:
    """The files that a pattern means, or that a folder holds, by name; None: it is one file, or none.

    In a folder, names that begin with ``.`` or ``_`` are notes of whoever wrote it.
    """
    place = Path(path)
    if place.is_dir():
        inside = (each for each in place.iterdir() if not each.name.startswith((".", "_")))
        return tuple(sorted(each for each in inside if each.is_file())) or None
    if str(path) == "-" or place.exists() or not glob.has_magic(str(path)):
        return None
    return tuple(sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))) or None


@dataclass(frozen=True, eq=False)
class SeveralFiles:
    """Files with the same columns, in any order; their rows follow one another.

    name   what messages call all of them
    open   one of them
    """

    name: str
    files: tuple[Path, ...]
    open: Callable[[Path], OpenedFile] = field(repr=False)

    @classmethod
    def of(cls, name: str, files: tuple[Path, ...], open: Callable[[Path], OpenedFile]) -> SeveralFiles:
        """`TableError` if their names end differently: they are not of one kind then, or no tables."""
        endings = {PurePath(file.name.lower().removesuffix(".gz")).suffix for file in files}
        if len(endings) > 1:
            which = ", ".join(sorted(each or "none" for each in endings))
            raise TableError(f"{name}: holds files with several endings ({which}); give a pattern, such as '*.csv'")
        return cls(name, files, open)

    @cached_property
    def names(self) -> Sequence[str]:
        return self.open(self.files[0]).names

    @cached_property
    def rows(self) -> int | None:
        """How many rows they have, about; None: the first of them does not say."""
        one = getattr(self.open(self.files[0]), "rows", None)
        sizes = [file.stat().st_size for file in self.files]
        return None if one is None else one * sum(sizes) // max(sizes[0], 1)

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        """Those of every file, each opened when it is its turn; places are told by rows of all of them.

        `TableError` if one has other columns than the first, or labels values otherwise.
        """
        first: Origin | None = None
        for file in self.files:
            for raw, origin in self._opened(file).parts(wanted):
                first = replace(origin, notes=()) if first is None else first
                if origin.labels != first.labels:
                    raise TableError(f"{file}: labels columns or values otherwise than {self.files[0]}; make them one")
                first = replace(first, notes=tuple(dict.fromkeys((*first.notes, *origin.notes))))
                yield raw, replace(first, name=self.name, by_line=False, files=self.files)

    def frame(self) -> pl.DataFrame:
        frames = [self._opened(file).frame().select(self.names) for file in self.files]
        try:
            return pl.concat(frames)
        except pl.exceptions.PolarsError:
            raise TableError(f"{self.name}: a column has other types in other files; make it one") from None

    def _opened(self, file: Path) -> OpenedFile:
        """One of them, with the columns that the first has."""
        found = self.open(file)
        lacks = [each for each in self.names if each not in found.names]
        more = [each for each in found.names if each not in self.names]
        if lacks or more:
            told = [f"lacks {', '.join(map(repr, lacks))}"] if lacks else []
            told += [f"has {', '.join(map(repr, more))} besides"] if more else []
            raise TableError(f"{file}: {' and '.join(told)}; all files of a table must have the same columns")
        return found
