"""Cells that hold a set of terms: split, cleaned, and written in one way.

A cell is text split at the column's separator, or a list; or several columns are one set, each with a term in it, or
each a term by its own name and 0 or 1 in it. Spaces around terms are dropped, a term counts once, and terms stand in
the order of their texts, so that two rows with the same terms have the same cell. A cell without terms is empty, and so
is a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from sfumato.errors import TableError
from sfumato.policy.columns import Column
from sfumato.policy.document import Policy
from sfumato.table.dictionaries import codes_of, tidy, values_of
from sfumato.table.distinct import Distinct, Distincts, combined
from sfumato.table.origin import Origin
from sfumato.table.spelling import one_spelling
from sfumato.table.types import is_text

__all__ = ["SEPARATOR", "as_lists", "consumed", "listed", "separator_of", "with_sets"]

SEPARATOR = "|"
"""What parts terms where the policy says nothing."""

# What Python calls a space, as the auditor does: four control characters more than polars strips by itself.
_SPACES = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
_YES, _NO = ("1", "true", "yes"), ("0", "false", "no")


def separator_of(column: Column) -> str:
    return column.separator or SEPARATOR


def consumed(policy: Policy) -> list[str]:
    """Distincts of the data that are parts of a set and have no other role."""
    return [part for column in policy.columns.values() for part in column.parts]


def listed(columns: Distincts, policy: Policy) -> tuple[str, ...]:
    """Sets that the data has as lists."""
    return tuple(name for name in policy.sets if name in columns and isinstance(columns[name].values.dtype, pl.List))


def as_lists(frame: pl.DataFrame, policy: Policy, names: Iterable[str]) -> pl.DataFrame:
    """The frame with some sets as lists of terms instead of texts; a row without terms has an empty one."""
    shown = [_as_list(frame[name], separator_of(policy.columns[name])) for name in names if name in frame.columns]
    return frame.with_columns(shown)


def _as_list(column: pl.Series, separator: str) -> pl.Series:
    """Different cells taken apart once; that of a missing one has no terms."""
    coded = tidy(column)
    lists = values_of(coded).str.split(separator).extend(pl.Series([[]], dtype=pl.List(pl.String)))
    return lists.gather(codes_of(coded)).alias(column.name)


def with_sets(columns: Distincts, policy: Policy, origin: Origin) -> dict[str, Distinct]:
    """The columns with every quasi-sensitive one as texts in one notation; missing is a row without terms."""
    made = {name: _column(columns, name, policy, origin) for name in policy.sets}
    gone = consumed(policy)
    return {name: found for name, found in columns.items() if name not in gone} | made


def _column(columns: Distincts, name: str, policy: Policy, origin: Origin) -> Distinct:
    column = policy.columns[name]
    separator = separator_of(column)
    cells = _cells(columns, name, column, origin)
    terms = (
        pl.DataFrame({"cell": pl.int_range(len(cells.values), eager=True), "term": cells.values, "rows": cells.counts})
        .explode("term")
        .drop_nulls("term")
        .with_columns(pl.col("term").str.strip_chars(_SPACES))
    )
    _require_plain(cells, terms, name, separator, origin)
    absent = ["", *policy.input.missing_values]
    changes = _respelled(terms, name, column, policy) if column.merged else {}
    kept = (
        terms.with_columns(pl.col("term").replace(changes))
        .filter(pl.col("term").is_not_null() & ~pl.col("term").is_in(absent))
        .unique(["cell", "term"])
        .sort("cell", "term")
        .group_by("cell", maintain_order=True)
        .agg("term", pl.col("rows").first())
        .with_columns(pl.col("term").list.join(separator).alias("text"))
    )
    torn = int(kept.filter(pl.col("text").str.split(separator) != pl.col("term"))["rows"].sum())
    if torn:
        raise TableError(
            f"{origin.name}: column {name!r}: terms of {torn} rows could not be told apart once they are joined with"
            " its separator; choose another separator"
        )
    texts = pl.repeat(None, len(cells.values), dtype=pl.String, eager=True).scatter(kept["cell"], kept["text"])
    return cells.mapped(texts.alias(name))


def _cells(columns: Distincts, name: str, column: Column, origin: Origin) -> Distinct:
    """The column as lists of terms, as they came."""
    if column.binary is not None:
        return _binary({part: columns[part] for part in column.binary}, name, origin)
    if column.wide is not None:
        return _wide({part: columns[part] for part in column.wide}, name, origin)
    found = columns[name]
    dtype = found.values.dtype
    if isinstance(dtype, pl.List):
        return found
    if isinstance(dtype, pl.Null):
        return found.renamed(found.values.cast(pl.List(pl.String)))
    if not is_text(dtype):
        raise TableError(
            f"{origin.name}: column {name!r} holds {dtype} where the policy says quasi-sensitive; give"
            " lists of terms, or texts with a separator"
        )
    if column.separator is None:
        raise TableError(
            f"{origin.name}: column {name!r} holds texts; say in the policy what parts the terms of a cell, such as"
            " separator: '|'"
        )
    return found.renamed(found.values.str.split(separator_of(column)))


def _respelled(terms: pl.DataFrame, name: str, column: Column, policy: Policy) -> dict[str, str | None]:
    """How terms are written that the policy makes one with another: as the knowledge has them, if it does."""
    from sfumato.knowledge.named import knowledge_of  # for tables that have such a column

    found = terms.group_by("term").agg(pl.col("rows").sum())
    counts = dict(zip(found["term"].to_list(), found["rows"].to_list(), strict=True))
    known = knowledge_of(name, column, policy.base, separator_of(column)).terms
    return one_spelling(counts, column.merged, known)


def _binary(parts: Distincts, name: str, origin: Origin) -> Distinct:
    """Per row the names of the columns that say yes."""
    flags = []
    for part, found in parts.items():
        dtype = found.values.dtype
        texts = found.values.cast(pl.Int8 if isinstance(dtype, pl.Boolean) else dtype).cast(pl.String)
        if dtype.is_float():
            texts = texts.str.strip_suffix(".0")
        words = texts.str.strip_chars().str.to_lowercase()
        yes = words.is_in(_YES)
        wrong = (~(yes | words.is_in(_NO) | (words == ""))).to_numpy()
        if wrong.any():
            raise TableError(
                f"{origin.name}: column {part!r}: must be 1 or 0, for it is a term of {name!r}; it is not in"
                f" {int(found.counts[wrong].sum())} cells, the first in {origin.place(found.first(wrong))}. Correct"
                " them, or take it out of the column's binary:"
            )
        named = pl.select(pl.when(yes).then(pl.lit(part))).to_series()
        flags.append(found.mapped(named))
    return _together(flags, name)


def _wide(parts: Distincts, name: str, origin: Origin) -> Distinct:
    """Per row the terms that stand in several columns."""
    types = {part: found.values.dtype for part, found in parts.items()}
    odd = [repr(part) for part, dtype in types.items() if not (is_text(dtype) or isinstance(dtype, pl.Null))]
    if odd:
        raise TableError(f"{origin.name}: column {', '.join(odd)}: must hold text, for it has terms of {name!r}")
    return _together([found.mapped(found.values.cast(pl.String)) for found in parts.values()], name)


def _together(columns: Sequence[Distinct], name: str) -> Distinct:
    """Per entry a list of what the columns hold."""
    codes, places = combined(columns)
    held = [Distinct(each.values, places[:, at]).spread().alias(str(at)) for at, each in enumerate(columns)]
    lists = pl.DataFrame(held).select(pl.concat_list(pl.all()).list.drop_nulls()).to_series()
    return Distinct(lists.alias(name), codes, columns[0].entries)


def _require_plain(cells: Distinct, terms: pl.DataFrame, name: str, separator: str, origin: Origin) -> None:
    """A reader must be able to take the published cell apart again."""
    for wrong, why, remedy in (
        (
            pl.col("term").str.contains(separator, literal=True),
            "that hold its separator",
            "choose another separator",
        ),
        (pl.col("term") == "*", "that are '*', which a reader would take for suppressed", "rename them"),
    ):
        odd = terms.filter(wrong)
        if odd.height:
            which = np.zeros(len(cells.values), np.bool_)
            which[odd["cell"].to_numpy()] = True
            raise TableError(
                f"{origin.name}: column {name!r} has {int(odd['rows'].sum())} terms {why}, the first in"
                f" {origin.place(cells.first(which))}; {remedy}"
            )
