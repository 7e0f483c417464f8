"""A hierarchy that comes with the package, where the values of a new table are ones that it knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from sfumato.suggestions.fitting import Hierarchy

if TYPE_CHECKING:
    from sfumato.suggestions.suggest import Suggestion

__all__ = ["ready_for", "with_ready"]

_LEAST, _MOST = 5, 20_000
_NEARLY = 0.95
_SHAPES = {"icd10": r"(?i)^[a-z][0-9]{2}", "icd9": r"(?i)^[ve]?[0-9]+\.[0-9]|^[ve][0-9]", "countries": r"(?i)^[a-zå]"}
"""What a value of each looks like that is not also something else: plain numbers may be anything."""


def ready_for(tally: pl.DataFrame) -> Hierarchy | None:
    """The ready hierarchy that knows nearly all of the distinct texts, if there are a few of them."""
    from sfumato.taxonomy.ready import READY

    values = tally.to_series(0)
    if values.dtype != pl.String or not _LEAST <= values.drop_nulls().len() <= _MOST:
        return None
    texts = values.drop_nulls()
    for name, shape in _SHAPES.items():
        if not texts.str.contains(shape).any():
            continue
        known = sum(READY[name].place(text) is not None for text in texts)
        if known == len(texts):
            return {"ready": name}
        if known >= _NEARLY * len(texts):
            return {"ready": name, "unknown": "other"}
    return None


def with_ready(given: Suggestion, found: Hierarchy | None) -> Suggestion:
    """The suggestion with that hierarchy, if it is one for a text that may be a quasi-identifier."""
    if (
        not isinstance(found, Mapping)
        or given.type != "text"
        or given.hierarchy is None
        or given.role not in (None, "quasi")
    ):
        return given
    reasons = tuple(reason for reason in given.reasons if not reason.startswith("grouped by frequency alone"))
    return replace(given, hierarchy=found, reasons=(*reasons, f"its values are known: {found['ready']}"))
