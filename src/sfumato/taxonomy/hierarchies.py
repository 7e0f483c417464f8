"""Hierarchies as a person handles them: read, write, make from a column, check against one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import polars as pl
from pydantic import ValidationError

from sfumato.errors import InputError, PolicyError
from sfumato.policy.columns import Column
from sfumato.policy.document import Input
from sfumato.policy.load import input_settings, read_policy
from sfumato.policy.problems import problems_of
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import SeenValues, Source, require_covered
from sfumato.taxonomy.files import Format, read_file, write_file
from sfumato.taxonomy.ready import READY
from sfumato.taxonomy.text import text_of, texts_of
from sfumato.taxonomy.tree import Taxonomy

if TYPE_CHECKING:
    from sfumato.table.distinct import Distinct

__all__ = [
    "HierarchyCheck",
    "ReadyFacts",
    "build_hierarchy",
    "check_hierarchy",
    "read_hierarchy",
    "ready_hierarchies",
    "write_hierarchy",
]

Type = Literal["text", "integer", "number", "date"]


@dataclass(frozen=True, eq=False)
class HierarchyCheck:
    """A hierarchy that holds every value of a column: how many distinct ones there are, in how many rows."""

    taxonomy: Taxonomy
    values: int
    rows: int


@dataclass(frozen=True)
class ReadyFacts:
    """A hierarchy that comes with the package.

    types     of the columns that it serves
    source    where its facts come from
    example   a value and what stands above it
    labels    its labels and what each covers, as far as they can be listed
    """

    types: tuple[str, ...]
    source: str
    example: tuple[str, ...]
    labels: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<ReadyFacts: {', '.join(self.types)}; {' → '.join(self.example)}>"


def ready_hierarchies() -> Mapping[str, ReadyFacts]:
    """The hierarchies that come with the package, by the name that a policy uses: ``hierarchy: {ready: icd10}``."""
    return {
        name: ReadyFacts(
            ready.types,
            ready.source,
            (text_of(ready.example), *(ready.place(ready.example) or ()), "*"),
            {label: ready.meaning(label) or "" for label in ready.labels()},
        )
        for name, ready in READY.items()
    }


def read_hierarchy(
    path: str | Path,
    header: bool | None = None,
    format: Format | None = None,
    type: str = "text",
    column: str | None = None,
) -> Taxonomy:
    """The tree in a hierarchy file; `HierarchyError` with the line if it is none.

    path     the file: ARX's CSV, CSV with a header, Amnesia text, YAML or JSON
    header   whether a CSV file has a header line; must be said if unclear
    format   arx, csv, amnesia or yaml; by the file's look, if it is not given
    type     what the values are
    column   what errors call it
    """
    source = Source(column, Path(path))
    return read_file(Path(path), header, format, column).typed(_spec(type, "flat").kind, source).taxonomy()


def write_hierarchy(taxonomy: Taxonomy, path: str | Path, format: Literal["arx", "csv"] = "arx") -> None:
    """Write a tree as CSV: ``;`` without a header (arx), or ``,`` with one.

    taxonomy   the tree
    path       of the file
    format     arx or csv
    """
    write_file(taxonomy, Path(path), format)


def build_hierarchy(
    data: object,
    column: str,
    hierarchy: Mapping[str, Any] | Literal["flat"],
    type: str | None = None,
    input: Mapping[str, Any] | None = None,
) -> Taxonomy:
    """The tree over the values of a column, as a policy's `hierarchy:` and `type:` would make it.

    data        a file or a frame
    column      of which the values are
    hierarchy   as in a policy, such as ``{"mask": "right"}`` or ``{"intervals": [5, 10, 20]}``
    type        of the values; without one, intervals take numbers, dates take dates and everything else is text, so
                that codes keep their zeros
    input       how the data is written, as in a policy

    >>> import polars as pl
    >>> import sfumato as sf
    >>> tree = sf.build_hierarchy(pl.DataFrame({"zip": ["13053", "13068"]}), "zip", {"mask": "right"})
    >>> tree, tree.path(0)
    (<Taxonomy: 2 values in 5 levels>, ['13053', '1305*', '130**', '13***', '1****', '*'])
    """
    settings = input_settings(input)
    raw = _column(data, column, settings)
    spec = _spec(type or _type(hierarchy, raw), hierarchy)
    values, seen = _values(raw, spec, settings, _name(data))
    taxonomy = build(column, spec, values, Path(), seen)
    if taxonomy is None:
        raise InputError(f"column {column!r} has no values to make a hierarchy of")
    return taxonomy


def check_hierarchy(
    path: str | Path,
    data: object,
    column: str,
    header: bool | None = None,
    format: Format | None = None,
    type: str = "text",
    input: Mapping[str, Any] | None = None,
) -> HierarchyCheck:
    """Read a hierarchy file and require that it holds every value of a column; `HierarchyError` says what lacks.

    path, header, format, type   of the file, as for `read_hierarchy`
    data, column   which values
    input          how the data is written, as in a policy
    """
    taxonomy = read_hierarchy(path, header, format, type, column)
    settings = input_settings(input)
    values, seen = _values(_column(data, column, settings), _spec(type, "flat"), settings, _name(data))
    require_covered(taxonomy, texts_of(values), Source(column, Path(path)), seen)
    return HierarchyCheck(taxonomy, len(values), sum(seen.counts))


def _spec(type: str, hierarchy: object) -> Column:
    """A column with that hierarchy, checked as a policy's would be."""
    try:
        return Column.model_validate({"role": "quasi", "type": type, "hierarchy": hierarchy})
    except ValidationError as error:
        raise PolicyError(problems_of(error), "hierarchy") from None


def _column(data: object, name: str, settings: Input) -> Distinct:
    from sfumato.table.distinct import distinct
    from sfumato.table.formats.headers import require_header
    from sfumato.table.formats.source import name_of, read_raw
    from sfumato.table.frames import from_frame
    from sfumato.table.missing import mark_missing

    frame = read_raw(data, settings) if isinstance(data, (str, Path)) else from_frame(data)[0]
    if isinstance(data, (str, Path)):
        require_header(frame, name_of(data))
    if name not in frame.columns:
        raise InputError(f"the data has no column {name!r}; it has {', '.join(map(repr, frame.columns))}")
    return mark_missing({name: distinct(frame[name])}, settings)[name]


def _name(data: object) -> str:
    from sfumato.table.formats.source import name_of

    return name_of(data) if isinstance(data, (str, Path)) else "data"


def _type(hierarchy: object, raw: Distinct) -> Type:
    if not isinstance(hierarchy, Mapping):
        return "text"
    ready = READY.get(str(hierarchy.get("ready")))
    if "dates" in hierarchy or (ready is not None and "date" in ready.types):
        return "date"
    if "intervals" not in hierarchy and (ready is None or "text" in ready.types):
        return "text"
    values = raw.values
    whole = values.str.strip_chars().cast(pl.Int64, strict=False) if values.dtype == pl.String else values
    return "integer" if whole.dtype.is_integer() and not whole.null_count() else "number"


def _values(raw: Distinct, spec: Column, settings: Input, name: str) -> tuple[pl.Series, SeenValues]:
    """The distinct base values of a column as read, and where they occur."""
    from sfumato.table.origin import Origin
    from sfumato.table.types import base_values

    column = raw.values.name
    policy = read_policy(
        {
            "columns": {column: {"role": "quasi", "type": spec.kind}},
            "privacy": [{"model": "k-anonymity", "k": 1}],
            "input": settings.model_dump(),
        }
    )
    found = base_values({column: raw}, policy, Origin("polars", name))[column]
    return found.values, SeenValues(found.counts.tolist(), (found.first_rows + 1).tolist())
