"""A table with the columns of Adult, small enough to measure in a test, coded as the benchmarks code the real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import sfumato as sf
from benchmarks.adult import QUASI, SENSITIVE, document
from sfumato.table.tuples import Tuples

__all__ = ["ROWS", "tiny_adult"]

ROWS = 240
_VALUES = {
    "age": [str(year) for year in range(17, 37)],
    **{name: ["a", "b", "c"] for name in QUASI if name != "age"},
    SENSITIVE: list("opqrstuvwx"),
}


def tiny_adult(folder: Path) -> tuple[Tuples, dict[str, Any], pl.DataFrame]:
    """Its codes, its policy and its values; every column has a hierarchy file of three levels."""
    files = {}
    for name, values in _VALUES.items():
        files[name] = folder / f"{name}.csv"
        lines = ["level0,level1,level2", *(f"{value},{name} {place // 2},*" for place, value in enumerate(values))]
        files[name].write_text("\n".join(lines) + "\n", encoding="utf-8")
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({name: rng.choice(values, ROWS) for name, values in _VALUES.items()})
    frame = frame.with_columns(pl.col("age").cast(pl.Int64))
    policy = document(files)
    return sf.read(frame, policy).encode(), policy, frame
