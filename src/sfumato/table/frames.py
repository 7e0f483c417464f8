"""Tables of other libraries: any object that streams Arrow data, and the same type given back.

pandas and DuckDB are imported only if the object came from them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import polars as pl
import pyarrow as pa

from sfumato.errors import SfumatoWarning, TableError
from sfumato.table.arrow import Raw, is_dictionary
from sfumato.table.calendar import no_panic, require_calendar
from sfumato.table.origin import Origin
from sfumato.table.spark import is_spark

__all__ = [
    "Frame",
    "finer",
    "from_frame",
    "give_back",
    "is_frame",
    "raw_of",
    "refusal",
    "require_names",
    "require_plain_schema",
]

_NO_TABLE = (pa.ArrowException, TypeError, ValueError, OverflowError)


def is_frame(thing: object) -> bool:
    """Whether `from_frame` can try to read it."""
    return isinstance(thing, pl.LazyFrame) or hasattr(thing, "__arrow_c_stream__")


@dataclass(frozen=True, eq=False)
class Frame:
    """A table of another library, taken over; its columns are still to be looked at."""

    whole: pl.DataFrame = field(repr=False)
    origin: Origin

    @classmethod
    def of(cls, frame: object, lists: Sequence[str]) -> Frame:
        return cls(*from_frame(frame, lists=lists))

    @property
    def name(self) -> str:
        return self.origin.name

    @property
    def names(self) -> Sequence[str]:
        return self.whole.columns

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        yield {name: self.whole[name] for name in wanted}, self.origin

    def frame(self) -> pl.DataFrame:
        return self.whole


def from_frame(
    frame: object, called: str | None = None, lists: Sequence[str] | None = ()
) -> tuple[pl.DataFrame, Origin]:
    """The table as a polars frame with its own column types, and where it came from.

    `called` is what messages call it, by default library and type; `lists` are columns that may hold lists of texts;
    None: any.
    """
    kind = _kind(frame)
    name = called or f"{type(frame).__module__.partition('.')[0]} {type(frame).__name__}"
    origin = Origin(kind, name)
    if is_spark(frame):
        raise TableError(
            f"{name}: is on a cluster, and may be large; hand over a part of it, frame.limit(100_000).toArrow()"
        )
    with no_panic(name):
        if isinstance(frame, pl.LazyFrame):
            frame = frame.collect()
        if not isinstance(frame, pl.DataFrame):
            frame = _from_arrow(_from_pandas(frame, name) if kind == "pandas" else _streamed(frame, name), name, lists)
        require_names(frame.columns, name)
        _require_plain(frame, name, lists)
        require_calendar(frame, name)
    return frame, origin


def give_back(frame: pl.DataFrame, origin: Origin) -> object:
    """The frame as the type that the data came in; polars for files."""
    match origin.kind:
        case "lazy":
            return frame.lazy()
        case "arrow":
            return frame.to_arrow()
        case "pandas":
            return _to_pandas(frame)
        case "duckdb":
            import duckdb

            return duckdb.from_arrow(frame.to_arrow())
        case _:
            return frame


def _to_pandas(frame: pl.DataFrame) -> Any:
    """As polars does it, but lists stay lists."""
    made = frame.to_pandas()
    for column in frame.select(pl.selectors.by_dtype(pl.List)).get_columns():
        made[column.name] = column.to_list()
    return made


def _require_plain(frame: pl.DataFrame, name: str, lists: Sequence[str] | None) -> None:
    """Refuse columns whose cells are not single values, by name."""
    odd = (pl.Binary, pl.Object, pl.Duration, pl.Unknown)
    refused = [
        f"{column!r} ({dtype})"
        for column, dtype in frame.schema.items()
        if (dtype.is_nested() or isinstance(dtype, odd)) and not ((lists is None or column in lists) and _texts(dtype))
    ]
    if refused:
        raise TableError(f"{name}: {refusal(refused)}")


def _texts(dtype: pl.DataType) -> bool:
    """Whether cells are lists of texts; a column of empty lists does not know of what."""
    return isinstance(dtype, pl.List) and isinstance(dtype.inner, (pl.String, pl.Categorical, pl.Enum, pl.Null))


def refusal(columns: list[str]) -> str:
    """Why some columns cannot be used, and what to do."""
    return (
        f"cannot use column{'s' if len(columns) > 1 else ''} {', '.join(columns)}: a cell must be one text, number, "
        "truth value, date or time; convert or drop the column"
    )


def _kind(frame: object) -> str:
    libraries = {cls.__module__.partition(".")[0] for cls in type(frame).__mro__}
    if isinstance(frame, pl.LazyFrame):
        return "lazy"
    if isinstance(frame, pl.DataFrame):
        return "polars"
    if "pandas" in libraries and hasattr(frame, "columns"):
        return "pandas"
    return "duckdb" if libraries & {"duckdb", "_duckdb"} else "arrow"


def _from_pandas(frame: Any, name: str) -> pa.Table:
    require_names(list(frame.columns), name)
    if any(level is not None for level in frame.index.names):
        warnings.warn(f"{name}: the index is left out; reset_index() makes it a column", SfumatoWarning, stacklevel=2)
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except _NO_TABLE:
        mixed = [repr(column) for column in frame.columns if not _converts(frame[[column]])]
    raise TableError(f"{name}: column {', '.join(mixed)} mixes types; make it one, for example with astype(str)")


def _converts(frame: Any) -> bool:
    try:
        pa.Table.from_pandas(frame, preserve_index=False)
    except _NO_TABLE:
        return False
    return True


def _streamed(frame: object, name: str) -> pa.Table:
    try:
        return pa.table(frame)
    except _NO_TABLE:
        raise TableError(f"{name}: is not a table with named columns") from None


def _from_arrow(table: pa.Table, name: str, lists: Sequence[str] | None) -> pl.DataFrame:
    require_plain_schema(table.schema, name, lists)
    return cast(pl.DataFrame, pl.from_arrow(finer(table, name)))


def require_plain_schema(schema: pa.Schema, name: str, lists: Sequence[str] | None) -> None:
    """Refuse names that are none, and columns whose cells are not single values, by name."""
    require_names(schema.names, name)
    refused = [
        f"{column.name!r} ({column.type})"
        for column in schema
        if not (_plain(column.type) or ((lists is None or column.name in lists) and _listed(column.type)))
    ]
    if refused:
        raise TableError(f"{name}: {refusal(refused)}")


def raw_of(table: pa.Table, name: str) -> Raw:
    """The columns of an Arrow table whose texts have dictionaries, and whose types are plain."""
    coded = [each.name for each in table.schema if is_dictionary(each.type)]
    with no_panic(name):
        rest = cast(pl.DataFrame, pl.from_arrow(finer(table.drop_columns(coded), name)))
        require_calendar(rest, name)
    return {each: table.column(each) if each in coded else rest[each] for each in table.column_names}


def finer(table: pa.Table, name: str) -> pa.Table:
    """Seconds as milliseconds, which polars has: it would make other moments of those that do not fit."""
    for at, each in enumerate(table.schema):
        if pa.types.is_timestamp(each.type) and each.type.unit == "s":
            try:
                column = table.column(at).cast(pa.timestamp("ms", each.type.tz))
            except pa.ArrowException:
                raise TableError(f"{name}: column {each.name!r}: dates outside the calendar; correct them") from None
            table = table.set_column(at, each.name, column)
    return table


def _listed(kind: pa.DataType) -> bool:
    """Whether cells are lists of texts."""
    types = pa.types
    if not (types.is_list(kind) or types.is_large_list(kind)):
        return False
    inner = kind.value_type.value_type if types.is_dictionary(kind.value_type) else kind.value_type
    tests = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(test(inner) for test in tests)


def _plain(kind: pa.DataType) -> bool:
    """Whether polars holds the type as one value per cell; asked before, as polars cannot recover from some types."""
    types = pa.types
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    tests = (
        types.is_boolean,
        types.is_integer,
        types.is_floating,
        types.is_decimal128,
        types.is_string,
        types.is_large_string,
        types.is_string_view,
        types.is_date,
        types.is_timestamp,
        types.is_time,
        types.is_null,
    )
    return any(test(kind) for test in tests)


def require_names(names: list[Any], name: str) -> None:
    """Refuse names that are no texts, or empty, or several times the same."""
    wrong = [place for place, each in enumerate(names, 1) if not isinstance(each, str) or not each.strip()]
    if wrong:
        raise TableError(f"{name}: column {', '.join(map(str, wrong))} has no name that is a text; name every column")
    twice = [each for each, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(f"{name}: several columns are called {', '.join(map(repr, twice))}; rename them")
