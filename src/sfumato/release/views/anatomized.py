"""Anatomized: one table with exact quasi-identifiers, one that counts the sensitive values of every group.

The adversary knows everybody's quasi-identifiers, and so the group of each person. All that leads from there to a
sensitive value is the group id: a column in both tables, or an entry for one person among several alike, would be
another way and is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from sfumato.errors import InputError
from sfumato.policy.document import Policy
from sfumato.policy.sections import CountShown
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.table.dictionaries import codes_of, values_of

__all__ = ["see_anatomized"]

_COUNT = "^[1-9][0-9]{0,17}$"


def see_anatomized(opened: Opened, policy: Policy) -> Seen:
    """The counted table, an entry repeated as often as it counts."""
    tables = opened.tables
    if set(tables) != {"quasi", "sensitive"}:
        raise InputError("release.json: a release of the form anatomized has the tables 'quasi' and 'sensitive'")
    people, entries = tables["quasi"], tables["sensitive"]
    name, group_id = opened.shown(CountShown).count, opened.group_id
    if name is None or group_id is None or not {name, group_id} <= set(entries.columns):
        raise InputError("release.json: the table 'sensitive' lacks the columns that it names as group id and count")
    if group_id not in people.columns or not _counts(entries[name]):
        raise InputError("the table 'quasi' has no group id, or the table 'sensitive' has counts that are no numbers")
    counts = values_of(entries[name]).cast(pl.Int64).to_numpy()[codes_of(entries[name])]
    if sum(counts.tolist()) > 2 * people.height:  # before they are spread out
        raise InputError(f"the table 'sensitive' counts more than twice the rows of the table 'quasi', {people.height}")
    quasi = [column for column in policy.quasi if column in people.columns]
    secrets = entries.drop(name)[np.repeat(np.arange(len(counts)), counts)]
    return Seen(
        table=secrets,
        exact=True,
        singled=(people.select(quasi),) if quasi else (),
        parts=(people, secrets),
        people=(people.select(*quasi, group_id),),
        problems=tuple(_faults(people, entries, counts, group_id, name, policy)),
        notes=(
            "anatomized: judged by group id, for a reader who knows all quasi-identifiers; that rows and entries"
            " stand in orders that have nothing to do with each other cannot be seen from the release",
        ),
    )


def _counts(column: pl.Series) -> bool:
    """Whether every cell is a number of rows."""
    return not column.null_count() and bool(values_of(column).str.contains(_COUNT).all())


def _faults(
    people: pl.DataFrame,
    entries: pl.DataFrame,
    counts: np.typing.NDArray[np.int64],
    group_id: str,
    name: str,
    policy: Policy,
) -> Iterator[str]:
    for column in people.columns:
        if column != group_id and column in entries.columns:
            yield f"column {column!r}: stands in both tables, and tells whose value is whose"
        if column in policy.secret:
            yield f"column {column!r}: a sensitive column stands beside quasi-identifiers"
    for column in entries.columns:
        if column not in (group_id, name) and column not in policy.secret:
            yield f"column {column!r}: stands in the table of sensitive values, and is none"
    values = [column for column in entries.columns if column != name]
    again = entries.height - entries.select(values).n_unique()
    if again:
        yield f"the table 'sensitive': entries for what another one counts already: {again}"
    sizes = people.group_by(pl.col(group_id).alias("id")).len("rows")
    told = pl.DataFrame({"id": entries[group_id], "told": counts}).group_by("id").agg(pl.sum("told"))
    as_text = pl.col("id").cast(pl.String)  # of a row per group: dictionaries of two tables differ
    both = sizes.with_columns(as_text).join(told.with_columns(as_text), on="id", how="full", nulls_equal=True)
    wrong = both.filter(pl.col("rows").fill_null(0) != pl.col("told").fill_null(0)).height
    if wrong:
        yield f"groups with other numbers of rows in one table than in the other: {wrong}"
