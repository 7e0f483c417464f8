"""The applied mapping of a full-domain recoding: what every value of the data became."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sfumato.partition.contract import Recoding
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.build import text_of

__all__ = ["applied_mapping", "mapped"]


def applied_mapping(coded: Tuples, recoding: Recoding | None) -> Mapping[str, Mapping[str, str]]:
    """Per quasi-identifier, the published text of every value that a row has; empty if it varies from row to row."""
    levels = recoding.levels if recoding is not None else {}
    return {column.name: mapped(column, *levels[column.name]) for column in coded.quasi if column.name in levels}


def mapped(column: Domain, level: int, height: int) -> Mapping[str, str]:
    """The published text of every value of a column that a row has, at a level."""
    texts = ["" if value is None else text_of(value) for value in column.values]
    if column.taxonomy is not None:
        labels = (*texts, *column.taxonomy.labels[len(texts) :])
        shown = [labels[node] for node in column.taxonomy.at_level(level).tolist()]
    else:
        shown = ["*"] * len(texts) if level and level == height else texts
    return {texts[code]: shown[code] for code in np.flatnonzero(column.counts).tolist()}
