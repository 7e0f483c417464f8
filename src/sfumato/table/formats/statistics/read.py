"""Read a Stata or SPSS file: values by their labels, dates as dates, and missing values of every kind as missing.

A column of codes is read as the labels of its values if each of them has one; else as numbers, and the labels that
there are go with it. `input.codes` names columns that are read as codes all the same. What the package takes for
missing (`.a` to `.z`, user-missing values) is missing here, and counted.
"""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw
from sfumato.table.calendar import no_panic, require_calendar
from sfumato.table.formats.statistics.dialect import CATEGORY, Dialect, library, writer_of
from sfumato.table.labels import Code, Labels
from sfumato.table.origin import Origin
from sfumato.table.words import counted

__all__ = ["OWN", "StatisticsFile", "opened_by"]

OWN = re.compile(re.escape(writer_of("")) + r"([0-9A-Za-z.]{1,20})", re.ASCII)
"""The label of a file that was written here, and the version of the library."""

_WHOLE = 2**53


@dataclass(frozen=True, eq=False)
class _Column:
    """A column, its labels, and what was done to it."""

    cells: pl.Series
    labels: Labels
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class StatisticsFile:
    """A Stata or SPSS file whose columns are known; its rows are still to come."""

    dialect: Dialect
    name: str
    names: Sequence[str]
    data: bytes = field(repr=False)
    settings: Input = field(repr=False)
    meta: Any = field(repr=False)

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        found = self._columns(wanted)
        labels = {name: column.labels for name, column in found.items() if column.labels}
        notes = tuple(note for column in found.values() for note in column.notes)
        origin = Origin(self.dialect.kind, self.name, labels=labels, notes=notes)
        yield {name: column.cells for name, column in found.items()}, origin

    def frame(self) -> pl.DataFrame:
        return pl.DataFrame([column.cells for column in self._columns(self.names).values()])

    @cached_property
    def own(self) -> bool:
        """Whether it was written here: then its display formats tell texts from numbers."""
        return OWN.fullmatch(str(self.meta.file_label or "")) is not None

    def _columns(self, wanted: Sequence[str]) -> dict[str, _Column]:
        cells, _ = loaded(self.dialect, self.data, self.name, self.settings, usecols=list(wanted))
        rows = self.meta.number_rows
        if rows is not None and any(len(cells[name]) != rows for name in wanted):
            raise _damaged(self.dialect, self.name)
        made = {name: self._column(name, cells[name]) for name in wanted}
        with no_panic(self.name):
            require_calendar(pl.DataFrame([column.cells for column in made.values()]), self.name)
        return made

    def _column(self, name: str, cells: Sequence[Any]) -> _Column:
        missing = self.dialect.missings(self.meta, name)
        known, kinds = _without_missing(cells, missing)
        notes = [_told(name, kinds)] if kinds else []
        values = self.meta.variable_value_labels.get(name) or {}
        labels = {_code(code): str(text) for code, text in values.items() if text and not missing(_code(code))}
        text = self.meta.readstat_variable_types[name] == "string"
        column = pl.Series(name, known, dtype=pl.String if text else pl.Float64)
        occurring = [_code(code) for code in column.unique().drop_nulls().sort()] if labels else []
        kept = {code: labels[code] for code in occurring if code in labels}
        told = Labels((self.meta.column_names_to_labels.get(name) or "").strip(), tuple(kept.items()))
        if kept and len(kept) == len(occurring) and self._by_label(name):
            _require_apart(kept, name, self.name)
            shown = [None if code is None else kept[_code(code)] for code in column]
            return _Column(pl.Series(name, shown, dtype=pl.String), told, tuple(notes))
        if kept and not self.own and name not in self.settings.codes:
            notes.append(f"column {name!r}: {len(kept)} of {len(occurring)} values have labels; read as codes")
        return _Column(column if text else self._typed(column), told, tuple(notes))

    def _by_label(self, name: str) -> bool:
        if self.own:
            return str(self.meta.original_variable_types[name]) == self.dialect.formats[CATEGORY]
        return not {name, "*"} & {*self.settings.codes}

    def _typed(self, numbers: pl.Series) -> pl.Series:
        """Numbers as what their display format says that they are."""
        dialect, name = self.dialect, numbers.name
        shown = str(self.meta.original_variable_types[name])
        whole = bool(((numbers == numbers.floor()) & (numbers.abs() <= _WHOLE)).all())
        match dialect.measured(shown):
            case "whole" if whole:
                return numbers.cast(pl.Int64)
            case "day" | "moment" | "clock" | "period" if not (numbers.is_finite() & (numbers.abs() < _WHOLE)).all():
                raise TableError(f"{self.name}: column {name!r}: dates outside the calendar; correct them")
            case "day":
                days = (numbers / dialect.day).floor() - dialect.epoch
                return days.clip(-(2**31), 2**31 - 1).cast(pl.Int32).cast(pl.Date)
            case "moment":
                thousandths = (numbers * (1000 / dialect.second)).round() - dialect.epoch * 86_400_000
                return thousandths.cast(pl.Int64).cast(pl.Datetime("ms"))
            case "clock":
                within = (numbers >= 0) & (numbers < 86_400)
                if not within.all():
                    raise TableError(
                        f"{self.name}: column {name!r}: durations, which are no times of day; make them numbers"
                    )
                return (numbers * 1e9).round().cast(pl.Int64).cast(pl.Time)
            case "period" if whole:
                texts = [None if each is None else dialect.period(shown, int(each)) for each in numbers]
                return pl.Series(name, texts, dtype=pl.String)
            case "number" | "whole":
                return numbers
            case _:
                raise TableError(
                    f"{self.name}: column {name!r}: its display format {shown!r} is that of a date or time which is not"
                    " read; give it another, or drop the column from the file"
                )


def opened_by(dialect: Dialect, data: bytes, name: str, settings: Input) -> StatisticsFile:
    """`TableError` if the bytes are not those of such a file."""
    _, meta = loaded(dialect, data, name, settings, metadataonly=True)
    if not meta.column_names:
        raise TableError(f"{name}: has no columns")
    names = [each for each in meta.column_names if each]
    rows = meta.number_rows or 0
    if len(set(names)) < len(meta.column_names) or rows * len(names) > len(data) * _most_packed(data):
        raise _damaged(dialect, name)  # so many cells have no room in it: nothing is made ready for them
    return StatisticsFile(dialect, name, names, data, settings, meta)


def _most_packed(data: bytes) -> int:
    """How many cells a byte can stand for: one, but for the packed files of SPSS."""
    return 1100 if data.startswith(b"$FL3") else 1


def loaded(dialect: Dialect, data: bytes, name: str, settings: Input, **options: Any) -> tuple[Mapping[str, Any], Any]:
    """Columns and what the file says of them; errors of the library in our words, for they may repeat cells."""
    reads = getattr(library(dialect.called), dialect.reads)
    encoding = None if settings.encoding.lower() in ("utf-8", "utf8") else settings.encoding
    with _undamaged(dialect, name), warnings.catch_warnings():
        warnings.filterwarnings("error", ".*is duplicated")
        cells, meta = reads(
            io.BytesIO(data),
            encoding=encoding,
            user_missing=True,
            disable_datetime_conversion=True,
            output_format="dict",
            **options,
        )
    return cells, meta


@contextlib.contextmanager
def _undamaged(dialect: Dialect, name: str) -> Iterator[None]:
    try:
        yield
    except (MemoryError, ImportError):
        raise
    except UserWarning:
        raise TableError(f"{name}: several columns have one name; rename them") from None
    except UnicodeDecodeError:
        raise TableError(
            f"{name}: its texts are not valid in the encoding it is read by; set input.encoding, such as cp1252"
        ) from None
    except Exception as error:
        if "encod" in str(error) or "convert a string" in str(error):
            raise TableError(f"{name}: its texts are in another encoding; set input.encoding, such as cp1252") from None
        raise _damaged(dialect, name) from None


def _damaged(dialect: Dialect, name: str) -> TableError:
    return TableError(f"{name}: the {dialect.called} file is damaged or cut off; fetch or save it again")


def _code(value: Any) -> Code:
    """A stored value as it is told: whole numbers without a fraction."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _without_missing(cells: Sequence[Any], missing: Any) -> tuple[list[Any], Counter[str]]:
    """The cells with None for what is missing, and how often which kind was."""
    kinds: Counter[str] = Counter()
    seen: dict[Any, str] = {}
    known: list[Any] = []
    for cell in cells:
        if cell is None or cell == "" or cell != cell:
            known.append(None)
            continue
        if cell not in seen:
            seen[cell] = missing(_code(cell))
        kind = seen[cell]
        known.append(None if kind else cell)
        if kind:
            kinds[kind] += 1
    return known, kinds


def _told(name: str, kinds: Counter[str]) -> str:
    listed = ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items()))
    return f"column {name!r}: {counted(sum(kinds.values()), 'missing value')} of the file's own kinds: {listed}"


def _require_apart(labels: Mapping[Code, str], name: str, source: str) -> None:
    same = len(labels) - len(set(labels.values()))
    if same:
        raise TableError(
            f"{source}: column {name!r}: {same + 1} codes or more share a label, so that it does not tell them apart;"
            " give them labels of their own, or read codes: set input.codes"
        )
