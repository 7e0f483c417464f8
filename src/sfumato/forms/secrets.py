"""What is shown of sensitive columns: themselves, the nodes that an algorithm generalized them to, or fewer terms.

Terms stand in the order of their texts, whatever was suppressed. Where it is known how many a row had, each that was
suppressed leaves a `*`, so that a reader sees what an adversary knows anyway; otherwise it leaves no trace.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.forms.contract import Material
from sfumato.table.domain import SetDomain
from sfumato.table.sets import separator_of

__all__ = ["Shown", "shown_secrets"]


@dataclass(frozen=True, eq=False)
class Shown:
    """What every part of a partition shows of a column: ``values[codes[part]]``."""

    values: pl.Series
    codes: NDArray[np.int32]


def shown_secrets(material: Material) -> dict[str, Shown]:
    """The sensitive columns of which the partition shows other values than the table has."""
    made = {name: _edited(material, name) for name in material.partition.edits}
    for domain in material.table.sets:
        stays = material.partition.terms.get(domain.name)
        if stays is not None:
            separator = separator_of(material.policy.columns[domain.name])
            made[domain.name] = _without(material, domain, stays, separator)
    return made


def _edited(material: Material, name: str) -> Shown:
    """The label of every part's node; a leaf as the data has it."""
    domain = material.table[name]
    tree = domain.taxonomy
    if tree is None:
        raise ValueError(f"column {name!r} was generalized without a hierarchy")
    inner = pl.Series(name, tree.labels[tree.size :], dtype=pl.String)
    values = pl.concat([domain.published.cast(pl.String), inner])
    return Shown(values, material.partition.edits[name].astype(np.int32))


def _without(material: Material, domain: SetDomain, stays: NDArray[np.bool_], separator: str) -> Shown:
    """What is left of every part's set without the terms that do not stay."""
    codes = material.table.codes[domain.name][material.partition.tuples].copy()
    begins = domain.offsets(codes)
    gone = np.concatenate(([0], np.cumsum(~stays)))
    texts = domain.published.to_list()
    place: dict[str | None, int] = {}
    for part in np.flatnonzero(np.diff(gone[begins])).tolist():
        begin, end, code = int(begins[part]), int(begins[part + 1]), int(codes[part])
        terms = [term for term, stay in zip(domain.sets[code], stays[begin:end].tolist(), strict=True) if stay]
        left = separator.join([*terms, *["*"] * domain.marks(code, stays[begin:end])]) or None
        codes[part] = place.setdefault(left, len(texts) + len(place))
    return Shown(pl.Series(domain.name, [*texts, *place], dtype=pl.String), codes)
