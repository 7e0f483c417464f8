"""Columns as dictionaries: the different values once, and a small number per row."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["dictionary"]


def dictionary(name: str, codes: NDArray[np.integer], values: pl.Series) -> pl.Series:
    """A column of which row i has ``values[codes[i]]``.

    Texts are an `Enum` of the values that some row has, and no other: its list would tell them. Numbers, dates and
    truth values are as short as codes, and stay what they are.
    """
    if not isinstance(values.dtype, (pl.String, pl.Categorical, pl.Enum)):
        return values.gather(codes).alias(name)
    used = np.bincount(codes, minlength=len(values)) > 0
    texts = values.cast(pl.String)
    told = used & texts.is_not_null().to_numpy()
    unique, place = np.unique(texts.filter(told).to_numpy(), return_inverse=True)
    places = np.full(len(values), len(unique), dtype=np.uint32)
    places[told] = place
    made = pl.Series(name, places[codes])
    if (used & ~told).any():
        made = made.set(made == len(unique), None)
    return made.cat.to(pl.Enum(pl.Series(unique, dtype=pl.String)))
