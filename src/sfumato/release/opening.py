"""Open a release: the published tables as dictionaries of texts, and the documents that go with them.

Nothing is judged here. What is wrong with the files is listed; who judges them may have every table file inspected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

import polars as pl

from sfumato.errors import InputError, SfumatoError, TableError
from sfumato.extension import registered
from sfumato.policy.columns import Type
from sfumato.policy.document import Input
from sfumato.policy.forms import FORMS, Form
from sfumato.policy.sections import Section
from sfumato.release.document_bytes import is_plain, read_manifest, read_release_document, read_section, to_bytes
from sfumato.release.documents import InMemory, Manifest, ReleaseDocument
from sfumato.release.table_files import Piece, TableFiles
from sfumato.release.unfinished import unfinished
from sfumato.release.upgrade import MANIFEST, RELEASE
from sfumato.table.databases import address_of
from sfumato.table.dictionaries import dictionary_of
from sfumato.table.formats import FORMATS
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.reread import reread
from sfumato.table.formats.source import read_raw
from sfumato.table.storages import uri_of
from sfumato.table.words import counted

__all__ = [
    "JOINT",
    "Inspection",
    "KeptElsewhere",
    "ManifestLike",
    "Opened",
    "accept",
    "described_by_form",
    "has_document",
    "open_release",
]

ManifestLike: TypeAlias = Manifest | Mapping[str, Any] | str | Path

T = TypeVar("T")
S = TypeVar("S", bound=Section)

Inspection = Callable[[Path, str, Reread, bool], Iterable[str]]
"""What is wrong with a table file apart from its cells: the file, its kind, what was read of it, and whether the
manifest vouches for its bytes."""

JOINT = "\x1f"
"""Parts the terms of a list in its text: the control character that is made for it."""

_DOCUMENT = "release.json"


@dataclass(frozen=True, eq=False)
class Opened:
    """A release as it was found.

    tables     by name, every column as a dictionary of texts (`polars.Enum`) in ascending order; null is missing
    lists      sets of terms that stand there as lists; their text is joined by `JOINT`
    document   the public ``release.json``, and the SHA-256 of its bytes
    problems   what is wrong with the files
    notes      what a person should know
    types      of columns, as release.json says or, of a bare table, as they stand there; text is not said
    kept       what the manifest says of the form
    places     where the rows stand that the manifest tells of by number; None: in that order
    """

    tables: Mapping[str, pl.DataFrame]
    document: ReleaseDocument | None = None
    document_sha256: str | None = None
    manifest: Manifest | None = None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    lists: frozenset[str] = frozenset()
    types: Mapping[str, Type] = field(default_factory=dict)
    kept: Section | None = None
    places: Sequence[int] | None = None

    @property
    def form(self) -> Mapping[str, Any]:
        """The settings of its form; none of a bare table."""
        return {} if self.document is None else self.document.form

    @property
    def group_id(self) -> str | None:
        """The column that names the group of each row, if there is one."""
        return None if self.document is None else self.document.group_id

    def shown(self, kind: type[S]) -> S:
        """What the form says in public, by the kind of section that it declares."""
        said = None if self.document is None else self.document.shown
        if not isinstance(said, kind):
            raise InputError("release.json: it is of another form than the one that it is read as")
        return said

    def sealed(self, kind: type[S]) -> S | None:
        """What the form says to the holder alone; None if there is no manifest, or it is that of another release."""
        return self.kept if isinstance(self.kept, kind) else None


@runtime_checkable
class KeptElsewhere(Protocol):
    """A release that stands elsewhere than in files or in memory, and finds itself there."""

    def found(self, manifest: Manifest | None, sets: Sequence[str]) -> Opened:
        """What there is, its tables with the types that they have."""
        ...


def accept(table: Path, kind: str, read: Reread, vouched: bool) -> Iterable[str]:
    """Nothing is inspected."""
    return ()


def open_release(
    release: object,
    manifest: ManifestLike | None,
    given: Input,
    sets: Sequence[str] = (),
    inspect: Inspection = accept,
) -> Opened:
    """Find and read everything; `sets` may stand there as lists. `InputError` if there is nothing to be read."""
    kept = None if manifest is None else read_manifest(manifest)
    found = _opened(release, kept, given, sets, inspect)
    lists = {name: _lists(table, sets) for name, table in found.tables.items()}
    tables = {name: _texts(table.with_columns(lists[name])) for name, table in found.tables.items()}
    joined = frozenset(column.name for each in lists.values() for column in each)
    made = replace(found, tables=tables, lists=joined, types=_types(found), kept=_kept(found, manifest))
    return made if found.places is None else _in_their_places(made, found.places)


def _in_their_places(found: Opened, places: Sequence[int]) -> Opened:
    """What the manifest tells of rows, told of the places where they stand."""
    manifest = None if found.manifest is None else found.manifest.moved(places)
    return replace(found, manifest=manifest, kept=None if found.kept is None else found.kept.moved(places))


def _kept(found: Opened, given: ManifestLike | None) -> Section | None:
    """What a manifest says of the form. Of another form than the release, it is that of another release."""
    document, manifest = found.document, found.manifest
    form = None if document is None else _form(document)
    if manifest is None or form is None:
        return None
    source = str(given) if isinstance(given, (str, Path)) else "manifest"
    try:
        return read_section(manifest.sealed, form.sealed, "sealed", MANIFEST, source)
    except InputError:
        if manifest.release_sha256 == found.document_sha256:
            raise
        return None


def _types(found: Opened) -> dict[str, Type]:
    if found.document is not None:
        words = {name: entry.type for name, entry in found.document.dictionary.items() if entry.type is not None}
        owned = {name: words.get(columns[0]) for name, columns in found.document.shown.stands_for.items() if columns}
        return {**words, **{name: kind for name, kind in owned.items() if kind is not None}}
    made: dict[str, Type] = {}
    for name, column in ((each.name, each) for table in found.tables.values() for each in table.get_columns()):
        if column.dtype.is_numeric():
            made[name] = "integer" if column.dtype.is_integer() else "number"
        elif column.dtype == pl.Date:
            made[name] = "date"
    return made


def _opened(
    release: object, manifest: Manifest | None, given: Input, sets: Sequence[str], inspect: Inspection
) -> Opened:
    """What was found, its tables with the types that they have."""
    if isinstance(release, InMemory):
        return _in_memory(release, manifest)
    if isinstance(release, KeptElsewhere):
        return release.found(manifest, sets)
    uri = uri_of(release)
    if uri is not None:
        from sfumato.release.in_storage import fetched  # with what speaks to storages

        with fetched(uri) as (folder, wrong):
            found = _folder(folder, manifest, sets, inspect)
            return replace(found, problems=(*found.problems, *wrong))
    address = address_of(release)
    if address is not None:
        from sfumato.release.in_database import found_at  # with what speaks to databases

        return found_at(address, manifest, sets)
    if not isinstance(release, (str, Path)):
        from sfumato.table.frames import from_frame

        return Opened({"table": from_frame(release, lists=sets)[0]}, manifest=manifest)
    found = _in_files(Path(release), manifest, given, sets, inspect)
    return replace(found, problems=(*found.problems, *unfinished(Path(release))))


def _in_files(path: Path, manifest: Manifest | None, given: Input, sets: Sequence[str], inspect: Inspection) -> Opened:
    if path.is_dir():
        return _folder(path, manifest, sets, inspect)
    if not path.exists():
        half = "".join(f"\n  {problem}" for problem in unfinished(path))
        raise InputError(f"{path}: no such release; give a folder with {_DOCUMENT}, a table file or a frame{half}")
    beside = _document_beside(path)
    if beside is None:
        return Opened({"table": _read(path, lambda each: read_raw(each, given, sets))}, manifest=manifest)
    return _described(beside, manifest, sets, inspect, (), path)


def _in_memory(release: InMemory, manifest: Manifest | None) -> Opened:
    document = described_by_form(release.document, "the release in memory")
    for entry in document.tables:
        if entry.name not in release.tables:
            raise InputError(f"the release in memory: has no table {entry.name!r}")
    sha256 = hashlib.sha256(to_bytes(release.document)).hexdigest()
    tables = {entry.name: release.tables[entry.name] for entry in document.tables}
    return Opened(tables, document, sha256, manifest)


def _folder(folder: Path, manifest: Manifest | None, sets: Sequence[str], inspect: Inspection) -> Opened:
    if not (folder / _DOCUMENT).is_file():
        raise InputError(
            f"{folder}: has no {_DOCUMENT}, so it is no release; give the table file itself to judge it alone"
        )
    document, _ = read_release_document(folder / _DOCUMENT)
    named = {_DOCUMENT, *(file for table in document.tables for file, _ in table.files)}
    extra = sorted(entry.name for entry in folder.iterdir() if entry.name not in named)
    found = [f"the folder holds {counted(len(extra), 'thing')} that {_DOCUMENT} does not name"] if extra else []
    return _described(folder / _DOCUMENT, manifest, sets, inspect, found)


def _described(
    source: Path,
    manifest: Manifest | None,
    sets: Sequence[str],
    inspect: Inspection,
    found: Sequence[str],
    only: Path | None = None,
) -> Opened:
    """The tables with their document, which tells their bytes. `only`: the one table asked for."""
    document, sha256 = read_release_document(source)
    document = described_by_form(document, str(source))
    entries = document.tables
    problems, tables = [*found], {}
    if source.is_symlink():
        problems.append(f"{source.name}: is a link to a file elsewhere")
    if not is_plain(document, source.read_bytes(), str(source)):
        problems.append(f"{source.name}: its bytes are more than its settings: spaces, escapes or another order")
    for entry in entries:
        if entry.kind not in FORMATS:
            raise InputError(f"{source}: says that its table stands in a database, yet it lies beside files")
        files, pieces = TableFiles(source, entry, only if len(entries) == 1 and not entry.parts else None), []
        for table, wanted in files:
            if not table.is_file():
                raise InputError(f"{table}: {source.name} names this table, but there is no such file")
            read = replace(_read(table, lambda path: reread(path, sets)), labels=document.labels)
            same = read.sha256 == wanted
            vouched = manifest is not None and manifest.release_sha256 == sha256 and same
            problems += inspect(table, entry.kind, read, vouched)
            if not same:
                problems.append(f"{table.name}: its bytes are not those that {source.name} describes (SHA-256 differs)")
            pieces.append(Piece(read.frame, not entry.parts))
            del read
        problems += files.problems(pieces)
        tables[entry.name] = files.in_one(pieces)
    return Opened(tables, document, sha256, manifest, tuple(problems))


def described_by_form(document: ReleaseDocument, source: str) -> ReleaseDocument:
    """The document with the section that its form declares."""
    form = _form(document)
    if form is None:
        raise InputError(f"{source}: this version judges releases of the form {', '.join(FORMS)}, and no other yet")
    if len({entry.name for entry in document.tables}) < len(document.tables):
        raise InputError(f"{source}: two of its tables have one name")
    return document.model_copy(update={"shown": read_section(document.shown, form.shown, "shown", RELEASE, source)})


def _form(document: ReleaseDocument) -> type[Form] | None:
    return registered(FORMS, "sfumato.form_settings", str(document.form.get("publish")))


def has_document(release: object) -> bool:
    """Whether something is a release by itself: in memory, in a storage, a folder, or a table with its document."""
    if isinstance(release, InMemory):
        return True
    if uri_of(release) is not None:
        return True
    if not isinstance(release, (str, Path)):
        return False
    path = Path(release)
    return path.is_dir() or (path.is_file() and _document_beside(path) is not None)


def _document_beside(path: Path) -> Path | None:
    """``out.release.json`` next to ``out.csv``; or the ``release.json`` of its folder, if that names the file."""
    stem = path.name.removesuffix(".gz")
    own = path.with_name(stem.rpartition(".")[0] + f".{_DOCUMENT}")
    if own.is_file():
        return own
    shared = path.with_name(_DOCUMENT)
    if shared.is_file() and path.name in {
        file for table in read_release_document(shared)[0].tables for file, _ in table.files
    }:
        return shared
    return None


def _read(path: Path, reader: Callable[[Path], T]) -> T:
    try:
        return reader(path)
    except SfumatoError:
        raise
    except Exception as error:  # a reader's own words may repeat cells
        raise InputError(f"{path}: cannot be read as a table: {error.__class__.__name__}") from None


def _texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Every cell as text, as a CSV file would show it, in a dictionary for each column."""
    odd = [
        repr(name)
        for name, dtype in frame.schema.items()
        if dtype.is_nested() or isinstance(dtype, (pl.Binary, pl.Object, pl.Unknown))
    ]
    if odd:
        raise TableError(f"column {', '.join(odd)}: a cell must be a single value; convert or drop the column")
    return pl.DataFrame([dictionary_of(column) for column in frame.get_columns()])


def _lists(frame: pl.DataFrame, sets: Sequence[str]) -> list[pl.Series]:
    """The sets that stand there as lists of texts, joined."""
    found = [frame[name] for name in sets if name in frame.columns and isinstance(frame[name].dtype, pl.List)]
    return [_joined(column) for column in found]


def _joined(column: pl.Series) -> pl.Series:
    """A column of lists of texts as texts; an empty list is missing."""
    lists = column.cast(pl.List(pl.String)).list.drop_nulls()
    torn = int(lists.list.eval(pl.element().str.contains(JOINT, literal=True)).list.any().sum())
    if torn:
        raise TableError(
            f"column {column.name!r}: the control character U+001F is in terms of {counted(torn, 'row')}; remove it"
        )
    return pl.select(pl.when(lists.list.len() > 0).then(lists.list.join(JOINT))).to_series().alias(column.name)
