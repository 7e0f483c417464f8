"""Write a Stata or SPSS file: the same bytes for the same cells and labels, and nothing that tells when.

A column of texts that are all labels of known codes is written as these codes with their labels; another one as texts.
What such a file cannot hold as it is makes an error that names the column; nothing is cut or rounded.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import BinaryIO

import polars as pl

from sfumato.errors import TableError
from sfumato.table.formats.statistics.dialect import CATEGORY, Dialect, Stored, library, writer_of
from sfumato.table.labels import Code, Labels, LabelsOf
from sfumato.table.types import is_text

__all__ = ["written_by"]

_NONE = Labels()
_REMEDY = "write CSV or Parquet"


def written_by(dialect: Dialect, frame: pl.DataFrame, labels: LabelsOf, file: BinaryIO) -> None:
    """The frame as a file of the dialect; `TableError` for what it cannot hold."""
    pyreadstat = library(dialect.called)
    for fault in dialect.named(frame.columns):
        raise TableError(f"{dialect.called} cannot hold {fault}; rename it, or {_REMEDY}")
    columns, stored, called = [], {}, {}
    for column in frame.get_columns():
        told = labels.get(column.name, _NONE)
        made, stored[column.name] = _stored(dialect, column, told)
        columns.append(made)
        called[column.name] = _label(dialect, column.name, told)
    with tempfile.TemporaryDirectory() as private:  # which only its owner can enter
        path = Path(private, "table")
        getattr(pyreadstat, dialect.writes)(
            pl.DataFrame(columns),
            path,
            file_label=writer_of(pyreadstat.__version__),
            column_labels={name: label for name, label in called.items() if label},
            variable_value_labels={name: dict(each.labels) for name, each in stored.items() if each.labels},
            variable_format={name: each.format for name, each in stored.items() if each.format},
            **dialect.options,
        )
        file.write(dialect.undated(path.read_bytes()))


def _label(dialect: Dialect, name: str, told: Labels) -> str:
    if len(told.label.encode()) > dialect.column_label:
        raise TableError(
            f"column {name!r}: its label has more than the {dialect.column_label} bytes that {dialect.called} holds;"
            f" shorten it in the data, set output.labels: drop, or {_REMEDY}"
        )
    return told.label


def _stored(dialect: Dialect, column: pl.Series, told: Labels) -> tuple[pl.Series, Stored]:
    """A column as it is written."""
    for fault in _faults(dialect, column):
        raise TableError(f"column {column.name!r}: {fault}, which {dialect.called} cannot hold; {_REMEDY}")
    dtype, formats = column.dtype, dialect.formats
    if is_text(dtype) or isinstance(dtype, (pl.Boolean, pl.Null)):
        texts = column.cast(pl.String)
        codes = _codes(dialect, texts, told)
        if codes is None:
            return texts.fill_null(""), Stored("", {})
        numbers = texts.replace_strict({label: code for code, label in codes.items()}, return_dtype=pl.Int32)
        return numbers, Stored(formats[CATEGORY], codes)
    if isinstance(dtype, pl.Date):
        days = column.to_physical().cast(pl.Float64) + dialect.epoch
        return days * dialect.day, Stored(formats["day"], {})
    if isinstance(dtype, pl.Datetime):
        thousandths = column.dt.cast_time_unit("ms").to_physical() + dialect.epoch * 86_400_000
        return thousandths.cast(pl.Float64) / (1000 / dialect.second), Stored(formats["moment"], {})
    kept = _of_numbers(dialect, column, told)
    if dtype.is_integer():
        small = column.is_between(dialect.least, dialect.most).all()
        return column.cast(pl.Int32 if small else pl.Float64), Stored(formats["whole"], kept)
    return column.cast(pl.Float64), Stored(formats["number"], kept)


def _codes(dialect: Dialect, texts: pl.Series, told: Labels) -> dict[Code, str] | None:
    """The codes that texts are stored as; None: they are stored as texts."""
    shown = set(texts.unique().drop_nulls())
    codes = {code: label for code, label in told.values if label in shown and _may_have_label(dialect, code, label)}
    return codes if shown and len(codes) == len(shown) and set(codes.values()) == shown else None


def _of_numbers(dialect: Dialect, column: pl.Series, told: Labels) -> dict[Code, str]:
    """Labels of numbers that stay numbers."""
    if not told.values:
        return {}
    shown = set(column.unique().drop_nulls())
    return {code: label for code, label in told.values if code in shown and _may_have_label(dialect, code, label)}


def _may_have_label(dialect: Dialect, code: Code, label: str) -> bool:
    within = isinstance(code, int) and dialect.least <= code <= dialect.most
    return within and len(label.encode()) <= dialect.label_bytes and label == label.rstrip() and "\0" not in label


def _faults(dialect: Dialect, column: pl.Series) -> Iterator[str]:
    """What such a file cannot hold as it is."""
    dtype = column.dtype
    if is_text(dtype):
        texts = column.cast(pl.String).unique().drop_nulls()
        if (texts == "").any():
            yield "empty texts, which would become missing values"
        if (texts.str.len_bytes() > dialect.text_bytes).any():
            yield f"texts of more than {dialect.text_bytes} bytes"
        if texts.str.contains("\0", literal=True).any():
            yield "texts with a NUL character"
        if not dialect.trailing and texts.str.ends_with(" ").any():
            yield "texts that end with a space"
    elif dtype.is_integer():
        if ((column > dialect.largest) | (column < -dialect.largest)).any():
            yield "whole numbers that are too large"
    elif dtype.is_float():
        numbers = column.cast(pl.Float64)
        if (~numbers.is_finite()).any() or (numbers.abs() > 8e307).any():
            yield "numbers that are not finite, or too large"
    elif isinstance(dtype, pl.Date):
        if (column < date(1583, 1, 1)).any():
            yield "dates before 1583"
    elif isinstance(dtype, pl.Datetime):
        if dtype.time_zone is not None:
            yield "times with a time zone"
        elif (column.dt.date() < date(1583, 1, 1)).any():
            yield "dates before 1583"
        elif (column.dt.cast_time_unit("ms").cast(dtype) != column).any():
            yield "times finer than a thousandth of a second"
    elif not isinstance(dtype, (pl.Boolean, pl.Null)):
        yield f"cells of the type {dtype}"
