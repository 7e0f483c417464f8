"""From Arrow to polars and numpy, with every kind of index, and without Arrow's functions."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from sfumato.table.positions import positions, series


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int16(), pa.uint32(), pa.int32(), pa.int64()])
def test_positions_of_any_index(kind: Any) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1], kind), pa.array(["a", "b"]))
    assert positions(column, -1).tolist() == [1, -1, 0, 1]
    assert positions(column.slice(1), 2).tolist() == [2, 0, 1]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_texts_are_the_same(kind: Any) -> None:
    assert series(pa.array(["b", None, ""], kind)).equals(pl.Series(["b", None, ""]))


def test_nothing_else_is_loaded() -> None:
    """In a process of its own: Arrow loads pandas for a missing value, and many functions for nothing."""
    program = """
import sys, pyarrow as pa
from sfumato.table.positions import positions, series
def array(kind, length, *parts):
    return pa.Array.from_buffers(kind, length, [None if each is None else pa.py_buffer(each) for each in parts])
words = array(pa.string(), 1, None, bytes([0, 0, 0, 0, 1, 0, 0, 0]), b"a")
column = pa.DictionaryArray.from_arrays(array(pa.int32(), 2, bytes([1]), bytes(8)), words)
assert positions(column, 1).tolist() == [0, 1]
assert series(column.dictionary).to_list() == ["a"]
assert not {"pyarrow.compute", "pandas.core"} & {*sys.modules}
"""
    subprocess.run([sys.executable, "-c", program], check=True)
