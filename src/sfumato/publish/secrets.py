"""What is shown of sensitive columns: themselves, or the nodes that an algorithm generalized them to."""

from __future__ import annotations

import polars as pl

from sfumato.publish.contract import Material

__all__ = ["shown_secrets"]


def shown_secrets(material: Material) -> pl.DataFrame:
    """The table's columns as they are published, sensitive ones with the edits of the partition."""
    frame = material.table.published()
    edited = [_edited(material, frame[name]) for name in material.partition.edits]
    return frame.with_columns(edited) if edited else frame


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
