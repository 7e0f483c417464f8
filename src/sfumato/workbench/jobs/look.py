"""A first look at a table: a suggestion for every column, with what it is made from, and a small picture of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import polars as pl

    import sfumato as sf

__all__ = ["ColumnLook", "Looked", "look"]

_BARS = 24
_SHOWN = 3


@dataclass(frozen=True)
class ColumnLook:
    """What was seen of one column.

    role, type, hierarchy, reasons, separator   as suggested; role None: a person has to decide
    rows, distinct, missing, unique   all rows; different values, rows without one, rows whose value no other has
    most        rows of the most frequent value
    bars        rows in ranges of numbers and dates, or of the most frequent values
    examples    from least to largest, or the most frequent; empty where every row has its own
    """

    name: str
    role: str | None
    type: str
    hierarchy: Any
    reasons: tuple[str, ...]
    separator: str | None
    rows: int
    distinct: int
    missing: int
    unique: int
    most: int
    bars: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()
    ranged: bool = False


@dataclass(frozen=True)
class Looked:
    """A table at first sight.

    input   how it is written, as far as it has to be said
    """

    rows: int
    columns: tuple[ColumnLook, ...]
    input: Mapping[str, Any] = field(default_factory=dict)

    def column(self, name: str) -> ColumnLook:
        return next(each for each in self.columns if each.name == name)


def look(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> Looked:
    """given: source (path, name, input)."""
    import sfumato as sf

    source = given["source"]
    path = bench.called(source)
    tell("read", 0, 1)
    found = sf.suggest(path, source["input"])
    if not found or found[0].evidence.rows == 0:
        raise sf.TableError(f"{source['name']}: has no rows")
    settings = {**source["input"], **{key: value for each in found for key, value in each.settings.items()}}
    marks = sorted({mark for each in found for mark in each.marks})
    if marks:
        settings["missing_values"] = ["", *marks]
    tell("look", 0, len(found))
    table = bench.table({**source, "input": settings, "columns": [each.name for each in found]})
    columns = []
    for number, each in enumerate(found):
        columns.append(_column(each, table.columns[each.name].values, table.columns[each.name].counts))
        tell("look", number, len(found))
    return Looked(table.rows, tuple(columns), settings)


def _column(found: sf.Suggestion, values: pl.Series, counts: Any) -> ColumnLook:
    bars, examples, ranged = _picture(found, values, counts)
    evidence = found.evidence
    return ColumnLook(
        found.name,
        found.role,
        found.type,
        None if found.hierarchy is None else _plain(found.hierarchy),
        tuple(_readable(reason, found.evidence.date) for reason in found.reasons),
        found.separator,
        evidence.rows,
        evidence.distinct,
        evidence.missing,
        evidence.unique,
        evidence.most,
        bars,
        examples,
        ranged,
    )


def _readable(reason: str, format_: str | None) -> str:
    """A reason with a date in place of how dates are written."""
    return reason if format_ is None else reason.replace(format_, date(2024, 12, 31).strftime(format_))


def _plain(hierarchy: Any) -> Any:
    """A hierarchy as a policy document has it."""
    return hierarchy if isinstance(hierarchy, (str, dict)) else hierarchy.model_dump(mode="json", exclude_defaults=True)


def _picture(found: sf.Suggestion, values: pl.Series, counts: Any) -> tuple[tuple[int, ...], tuple[str, ...], bool]:
    import numpy as np
    import polars as pl

    if found.evidence.distinct == 0 or found.evidence.unique == found.evidence.rows:
        return (), (), False
    texts = values.cast(pl.String)
    if found.type in ("integer", "number"):
        decimal = str(found.settings.get("decimal", "."))
        numbers = texts.str.strip_chars().str.replace(decimal, ".", literal=True).cast(pl.Float64, strict=False)
        known = numbers.is_not_null().to_numpy()
        if known.any():
            held, weights = numbers.drop_nulls().to_numpy(), np.asarray(counts)[known]
            ends = f"{held.min():g}", f"{held.max():g}"
            return tuple(np.histogram(held, _BARS, weights=weights)[0].astype(int).tolist()), ends, True
    if found.type == "date" and found.evidence.distinct > _BARS:
        parts = np.array_split(np.asarray(counts), _BARS)  # values stand in order, as ISO dates do
        return tuple(int(part.sum()) for part in parts), (texts[0], texts[-1]), True
    order = np.argsort(-np.asarray(counts), kind="stable")
    frequent = [str(texts[int(place)]) for place in order[:_SHOWN]]
    return tuple(int(counts[place]) for place in order[:_BARS]), tuple(frequent), False
