"""Read a table: a CSV or Parquet file, standard input, or a frame of another library."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from sfumato.errors import InputError, SfumatoWarning, TableError
from sfumato.policy.document import Input, Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.table.csv import read_csv
from sfumato.table.digest import digest
from sfumato.table.doubts import doubts
from sfumato.table.frames import from_frame, is_frame
from sfumato.table.missing import apply_missing_rules, mark_missing
from sfumato.table.origin import Origin
from sfumato.table.parquet import read_parquet
from sfumato.table.sets import expected, listed, with_sets
from sfumato.table.source import is_parquet, load, name_of
from sfumato.table.table import Table
from sfumato.table.types import base_values, own_types

__all__ = ["read", "read_raw"]


def read(source: object, policy: PolicyLike) -> Table:
    """The table in a file, in standard input (``-``) or in a frame, checked against its policy.

    A frame is anything that streams Arrow data: pandas, polars, pyarrow, DuckDB. A `Table` that was read under the
    same columns and input settings is taken as it is. `TableError` says what does not fit; doubts are warnings.
    """
    policy = read_policy(policy)
    if isinstance(source, Table):
        return _again(source, policy)
    frame, origin = _frame(source, policy.input, policy.sets)
    _require_columns(frame.columns, policy, origin)
    lists = listed(frame, policy)
    frame = with_sets(frame, policy, origin)
    content = digest(frame)
    frame = mark_missing(frame, policy.input)
    policy = policy.typed(own_types(frame, policy))
    base = base_values(frame, policy, origin)
    kept = apply_missing_rules(base, policy, origin)
    if kept.rows is not None:
        frame, base = frame.filter(kept.rows), base.filter(kept.rows)
    table = Table(frame, policy, origin, kept.dropped, kept.notes, content, base, lists)
    for doubt in doubts(table):
        warnings.warn(f"{origin.name}: {doubt}", SfumatoWarning, stacklevel=2)
    return table


def read_raw(path: str | Path, settings: Input | None = None, lists: Sequence[str] | None = ()) -> pl.DataFrame:
    """The table in a file or in standard input (``-``) without a policy: text for CSV, own types for Parquet.

    `lists` are columns that may hold lists of texts; None: any.
    """
    return _from_file(path, settings or Input(), lists)[0]


def _frame(source: object, settings: Input, lists: Sequence[str]) -> tuple[pl.DataFrame, Origin]:
    if isinstance(source, (str, Path)):
        return _from_file(source, settings, lists)
    if is_frame(source):
        return from_frame(source, lists=lists)
    allowed = "a path, '-' for standard input, or a pandas, polars, pyarrow or DuckDB table"
    raise TableError(f"cannot read a table from {type(source).__name__}; give {allowed}")


def _from_file(path: str | Path, settings: Input, lists: Sequence[str] | None = ()) -> tuple[pl.DataFrame, Origin]:
    name, data = name_of(path), load(path)
    if is_parquet(data):
        return read_parquet(data, name, lists), Origin("parquet", name)
    frame, by_line = read_csv(data, name, settings)
    return frame, Origin("csv", name, by_line)


def _again(table: Table, policy: Policy) -> Table:
    before, policy = table.policy.given, policy.given
    if policy == before and policy.base == before.base:
        return table
    if (policy.columns, policy.missing, policy.input) != (before.columns, before.missing, before.input):
        raise InputError("the table was read under a policy with other columns or settings; read its source again")
    return replace(table, policy=policy.typed({name: each.kind for name, each in table.policy.columns.items()}))


def _require_columns(names: Sequence[str], policy: Policy, origin: Origin) -> None:
    """Data and policy name the same columns; every difference is reported at once."""
    patterns = [place for place, name in enumerate(names, 1) if name == "*" or (name[:1] == "^" and name[-1:] == "$")]
    if patterns:
        raise TableError(
            f"{origin.name}: column {', '.join(map(str, patterns))}: a name that is '*', or begins with '^' and ends"
            " with '$', would be taken for a pattern; rename it"
        )
    wanted = expected(policy)
    unknown = [name for name in names if name not in wanted]
    absent = [name for name in wanted if name not in names]
    if len(unknown) == len(names):  # what stands there may be the first row
        raise TableError(
            f"{origin.name}: none of its {len(names)} columns is in the policy; does the first line name the columns?"
        )
    lines = [f"  column {name!r} of the data is not in the policy{_near(name, absent)}" for name in unknown]
    lines += [f"  column {name!r} of the policy is not in the data{_near(name, unknown)}" for name in absent]
    if lines:
        remedy = "  give every column of the data a role under columns: (identifier leaves it out), and no other"
        raise TableError("\n".join([f"{origin.name}: columns of data and policy differ", *lines, remedy]))


def _near(name: str, others: Sequence[str]) -> str:
    plain = {_plain(other): other for other in others}
    if _plain(name) in plain:
        return f" (but for case, outer spaces or Unicode form it is {plain[_plain(name)]!a})"
    close = get_close_matches(_plain(name), plain, n=1)
    return f" (did you mean {plain[close[0]]!r}?)" if close else ""


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()
