"""What is shown of sensitive columns: themselves, the nodes that an algorithm generalized them to, or fewer terms.

Terms stand in the order of their texts, whatever was suppressed. Where it is known how many a row had, each that was
suppressed leaves a `*`, so that a reader sees what an adversary knows anyway; otherwise it leaves no trace.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.columns import Column
from sfumato.publish.contract import Material
from sfumato.table.coded import SetColumn
from sfumato.table.sets import separator_of

__all__ = ["set_technique", "shown_secrets"]


def shown_secrets(material: Material) -> pl.DataFrame:
    """The table's columns as they are published, with the edits of the partition."""
    frame = material.table.published()
    edited = [_edited(material, frame[name]) for name in material.partition.edits]
    for column in material.coded.sets:
        stays = material.partition.terms.get(column.name)
        if stays is not None:
            spec = material.table.policy.columns[column.name]
            edited.append(_without(column, stays, separator_of(spec)))
    return frame.with_columns(edited) if edited else frame


def set_technique(spec: Column, suppressed: bool) -> str:
    """How the cells of a quasi-sensitive column are to be read."""
    shown = f"set of terms in order: a list, or a text parted by {separator_of(spec)!r}; empty: none"
    if not suppressed:
        return shown
    return f"{shown}; some terms suppressed" + (", each shown as *" if spec.lengths == "known" else "")


def _edited(material: Material, column: pl.Series) -> pl.Series:
    """The label of every row's node; a leaf as the data has it."""
    tree = material.coded[column.name].taxonomy
    if tree is None:
        raise ValueError(f"column {column.name!r} was generalized without a hierarchy")
    nodes = pl.Series(material.partition.edits[column.name])
    labels = pl.Series(column.name, tree.labels, dtype=pl.String).gather(nodes)
    return (
        pl.select(pl.when(nodes < tree.size).then(column.cast(pl.String)).otherwise(labels))
        .to_series()
        .alias(column.name)
    )


def _without(column: SetColumn, stays: NDArray[np.bool_], separator: str) -> pl.Series:
    """The cells of every row without the terms that do not stay."""
    texts = column.values.to_list()
    shown = [texts[code] for code in column.codes.tolist()]
    lost = np.add.reduceat(np.append(~stays, False).astype(np.int64), column.offsets[:-1]) if len(shown) else stays
    lost = np.where(np.diff(column.offsets) > 0, lost, 0)
    for row in np.flatnonzero(lost).tolist():
        begin, end = int(column.offsets[row]), int(column.offsets[row + 1])
        code = int(column.codes[row])
        terms = [term for term, stay in zip(column.sets[code], stays[begin:end].tolist(), strict=True) if stay]
        shown[row] = separator.join([*terms, *["*"] * column.marks(code, stays[begin:end])]) or None
    return pl.Series(column.name, shown, dtype=pl.String)
