"""Cells that hold a set of terms: split, cleaned, and written in one way.

A cell is text split at the column's separator, or a list; or several columns are one set, each with a term in it, or
each a term by its own name and 0 or 1 in it. Spaces around terms are dropped, a term counts once, and terms stand in
the order of their texts, so that two rows with the same terms have the same cell. A cell without terms is empty, and so
is a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from sfumato.errors import TableError
from sfumato.knowledge.named import knowledge_of
from sfumato.policy.columns import Column
from sfumato.policy.document import Policy
from sfumato.table.dictionaries import codes_of, tidy, values_of
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
    """Columns of the data that are parts of a set and have no other role."""
    return [part for column in policy.columns.values() for part in column.parts]


def listed(frame: pl.DataFrame, policy: Policy) -> tuple[str, ...]:
    """Sets that the data has as lists."""
    return tuple(name for name in policy.sets if isinstance(frame.schema.get(name), pl.List))


def as_lists(frame: pl.DataFrame, policy: Policy, names: Iterable[str]) -> pl.DataFrame:
    """The frame with some sets as lists of terms instead of texts; a row without terms has an empty one."""
    shown = [_as_list(frame[name], separator_of(policy.columns[name])) for name in names if name in frame.columns]
    return frame.with_columns(shown)


def _as_list(column: pl.Series, separator: str) -> pl.Series:
    """Different cells taken apart once; that of a missing one has no terms."""
    coded = tidy(column)
    lists = values_of(coded).str.split(separator).extend(pl.Series([[]], dtype=pl.List(pl.String)))
    return lists.gather(codes_of(coded)).alias(column.name)


def with_sets(frame: pl.DataFrame, policy: Policy, origin: Origin) -> pl.DataFrame:
    """The frame with every quasi-sensitive column as texts in one notation; null is a row without terms."""
    if not policy.sets:
        return frame
    made = [_column(frame, name, policy, origin) for name in policy.sets]
    return frame.drop(consumed(policy)).with_columns(made)


def _column(frame: pl.DataFrame, name: str, policy: Policy, origin: Origin) -> pl.Series:
    column, given = policy.columns[name], policy.input
    separator = separator_of(column)
    if column.binary is not None:
        lists = _binary(frame.select(column.binary), name, origin)
    elif column.wide is not None:
        lists = _wide(frame.select(column.wide), name, origin)
    elif isinstance(frame[name].dtype, pl.List):
        lists = frame[name].cast(pl.List(pl.String))
    elif isinstance(frame[name].dtype, pl.Null):
        lists = pl.Series(name, [None] * frame.height, dtype=pl.List(pl.String))
    elif not is_text(frame[name].dtype):
        raise TableError(
            f"{origin.name}: column {name!r} holds {frame[name].dtype} where the policy says quasi-sensitive; give"
            " lists of terms, or texts with a separator"
        )
    elif column.separator is None:
        raise TableError(
            f"{origin.name}: column {name!r} holds texts; say in the policy what parts the terms of a cell, such as"
            " separator: '|'"
        )
    else:
        lists = frame[name].cast(pl.String).str.split(separator)
    terms = lists.explode(empty_as_null=False, keep_nulls=False).drop_nulls().str.strip_chars(_SPACES)
    _require_plain(lists, terms, name, separator, origin)
    absent = ["", *given.missing_values]
    changes = _respelled(terms, name, column, policy) if column.merged else {}
    kept = (
        pl.DataFrame({"row": pl.int_range(len(lists), eager=True), "term": lists})
        .explode("term")
        .with_columns(pl.col("term").str.strip_chars(_SPACES).replace(changes))
        .filter(pl.col("term").is_not_null() & ~pl.col("term").is_in(absent))
        .unique()
        .sort("row", "term")
        .group_by("row", maintain_order=True)
        .agg(pl.col("term"))
        .with_columns(pl.col("term").list.join(separator).alias("cell"))
    )
    torn = int((kept["cell"].str.split(separator) != kept["term"]).sum())
    if torn:
        raise TableError(
            f"{origin.name}: column {name!r}: terms of {torn} rows could not be told apart once they are joined with"
            " its separator; choose another separator"
        )
    rows = pl.DataFrame({"row": pl.int_range(len(lists), eager=True)})
    return rows.join(kept, on="row", how="left", maintain_order="left")["cell"].alias(name)


def _respelled(terms: pl.Series, name: str, column: Column, policy: Policy) -> dict[str, str | None]:
    """How terms are written that the policy makes one with another: as the knowledge has them, if it does."""
    found = terms.alias("term").value_counts()
    counts = dict(zip(found["term"].to_list(), found["count"].to_list(), strict=True))
    known = knowledge_of(name, column, policy.base, separator_of(column)).terms
    return one_spelling(counts, column.merged, known)


def _binary(parts: pl.DataFrame, name: str, origin: Origin) -> pl.Series:
    """Per row the names of the columns that say yes."""
    flags = []
    for part in parts.get_columns():
        dtype = part.dtype
        texts = part.cast(pl.Int8 if isinstance(dtype, pl.Boolean) else dtype).cast(pl.String)
        if dtype.is_float():
            texts = texts.str.strip_suffix(".0")
        words = texts.str.strip_chars().str.to_lowercase()
        yes = words.is_in(_YES).fill_null(False)
        wrong = ~(yes | words.is_in(_NO) | (words == "")).fill_null(True)
        if wrong.any():
            place = origin.place(int(wrong.arg_max() or 0))
            raise TableError(
                f"{origin.name}: column {part.name!r}: must be 1 or 0, for it is a term of {name!r}; it is not in"
                f" {int(wrong.sum())} cells, the first in {place}. Correct them, or take it out of the column's binary:"
            )
        flags.append(pl.select(pl.when(yes).then(pl.lit(part.name))).to_series().alias(part.name))
    return pl.DataFrame(flags).select(pl.concat_list(pl.all()).list.drop_nulls()).to_series().alias(name)


def _wide(parts: pl.DataFrame, name: str, origin: Origin) -> pl.Series:
    """Per row the terms that stand in several columns."""
    odd = [repr(part) for part, dtype in parts.schema.items() if not (is_text(dtype) or isinstance(dtype, pl.Null))]
    if odd:
        raise TableError(f"{origin.name}: column {', '.join(odd)}: must hold text, for it has terms of {name!r}")
    return parts.select(pl.concat_list(pl.all().cast(pl.String)).list.drop_nulls()).to_series().alias(name)


def _require_plain(lists: pl.Series, terms: pl.Series, name: str, separator: str, origin: Origin) -> None:
    """A reader must be able to take the published cell apart again."""
    element = pl.element().str.strip_chars(_SPACES)
    for odd, wrong, why, remedy in (
        (
            terms.str.contains(separator, literal=True),
            element.str.contains(separator, literal=True),
            "that hold its separator",
            "choose another separator",
        ),
        (terms == "*", element == "*", "that are '*', which a reader would take for suppressed", "rename them"),
    ):
        if odd.any():
            place = origin.place(int(lists.list.eval(wrong).list.any().fill_null(False).arg_max() or 0))
            raise TableError(
                f"{origin.name}: column {name!r} has {int(odd.sum())} terms {why}, the first in {place}; {remedy}"
            )
