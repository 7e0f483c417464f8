"""Read a table: a file, standard input, a table of a database, or a frame of another library."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, SfumatoWarning, TableError
from sfumato.policy.document import Input, Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.progress import Progress, silent
from sfumato.table.arrow import Raw, columns_of
from sfumato.table.databases import Address
from sfumato.table.digest import digest
from sfumato.table.distinct import Distincts
from sfumato.table.doubts import doubts
from sfumato.table.formats.contract import CountedSource, OpenedFile
from sfumato.table.formats.source import opened
from sfumato.table.frames import Frame, is_frame
from sfumato.table.gathering import Most, gathered
from sfumato.table.missing import apply_missing_rules, counted_as_category, mark_missing
from sfumato.table.once import keep_once
from sfumato.table.origin import Origin
from sfumato.table.sampling import require_weights
from sfumato.table.sets import listed, with_sets
from sfumato.table.spark import is_spark
from sfumato.table.spelling import spelled_alike
from sfumato.table.table import Lost, Table
from sfumato.table.types import base_values, own_types
from sfumato.table.words import counted

__all__ = ["described", "needed", "read", "source_of"]


def read(
    source: object,
    policy: PolicyLike,
    *,
    progress: Progress = silent,
    most: Callable[[int], int] | None = None,
    part: int | None = None,
) -> Table:
    """The table in a file, in several, in standard input, in a database or in a frame, checked against its policy.

    source    a path, a pattern or a folder of several files, ``-``, a frame, or the address of a table:
              ``postgresql://USER@HOST/DATABASE?table=SCHEMA.NAME`` or ``sqlite:PATH?table=NAME``
    policy    what each column is: a file, a mapping or a `Policy`
    progress  is told how far a cluster is that counts rows
    most      how many different rows of so many columns may be held; None: any
    part      of about how many bytes large files are read at a time; None: as many as are usual

    A frame is anything that streams Arrow data: pandas, polars, pyarrow, DuckDB. That of Spark is counted where it is,
    and only its different rows come here (`SparkTable` says how much memory they may take). A `Table` that was read
    under the same columns and input settings is taken as it is. `TableError` says what does not fit; doubts are
    warnings.
    """
    policy = read_policy(policy)
    if isinstance(source, Table):
        return _again(source, policy)
    found, policy = described(source, policy, part)
    apart = policy.individual is not None or policy.weight is not None
    if isinstance(found, CountedSource):
        columns, origin = found.counted(needed(found.names, policy), apart, progress, most)
    else:
        parts = ((columns_of(raw), origin) for raw, origin in source_of(found, policy))
        limit = None if most is None else Most(most, getattr(found, "rows", None))
        del found  # the bytes of a file are let go
        columns, origin = gathered(parts, apart, limit)
    lists = listed(columns, policy)
    columns = with_sets(columns, policy, origin)
    content = digest(columns)
    columns = mark_missing(columns, policy.input)
    policy = policy.typed(own_types(columns, policy))
    columns, respelled = spelled_alike(columns, policy)
    base: Distincts = base_values(columns, policy, origin)
    require_weights(base, policy, origin)
    kept = apply_missing_rules(base, policy, origin)
    once = keep_once(columns, base, policy, kept.rows)
    dropped, lost, whole = next(iter(columns.values())).rows_where(once.dropped), None, None
    if dropped:
        lost = Lost.of(columns, base, policy, once.dropped)
    if not once.stay.all():
        whole = {name: found.values for name, found in base.items()}
        columns, base = _where(columns, base, once.stay)
    notes = (*_by_rule(policy), *origin.notes, *respelled, *kept.notes, *counted_as_category(base, policy), *once.notes)
    table = Table(columns, policy, origin, dropped, notes, content, base, lists, lost, once.repeated, whole)
    for doubt in doubts(table):
        warnings.warn(f"{origin.name}: {doubt}", SfumatoWarning, stacklevel=2)
    return table


def described(source: object, policy: Policy, part: int | None = None) -> tuple[OpenedFile | CountedSource, Policy]:
    """A source whose rows are still to be read, and the policy with every column of it; they name the same ones."""
    found = _opened(source, policy.input, policy.sets, part)
    _require_names(found.names, found.name)
    policy = policy.resolved(found.names)
    _require_columns(found.names, policy, found.name)
    return found, policy


def source_of(found: OpenedFile, policy: Policy) -> Iterator[tuple[Raw, Origin]]:
    """The columns whose cells matter, of all rows, part after part."""
    return found.parts(needed(found.names, policy))


def _opened(source: object, settings: Input, lists: Sequence[str], part: int | None) -> OpenedFile | CountedSource:
    if isinstance(source, (str, Path, Address)):
        return opened(source, settings, lists, part)
    if is_spark(source):
        from sfumato.table.spark.counting import CountedRows  # with what speaks to a cluster

        return CountedRows.of(source, lists)
    if is_frame(source):
        return Frame.of(source, lists)
    allowed = (
        "a path, '-' for standard input, the address of a database, or a pandas, polars, pyarrow, DuckDB or Spark table"
    )
    raise TableError(f"cannot read a table from {type(source).__name__}; give {allowed}")


def needed(names: Sequence[str], policy: Policy) -> Sequence[str]:
    """Distincts whose cells matter: of an identifier, or of a column that is dropped, only the name does."""
    aside = policy.with_role("identifier", "drop")
    return [name for name in names if name not in aside] or names[:1]  # one at least, for the number of rows


def _where(columns: Distincts, base: Distincts, rows: NDArray[np.bool_]) -> tuple[Distincts, Distincts]:
    """Some of the rows; what is one column in both stays one."""
    kept = {id(found): found.where(rows) for found in (*columns.values(), *base.values())}
    return {name: kept[id(found)] for name, found in columns.items()}, {
        name: kept[id(found)] for name, found in base.items()
    }


def _again(table: Table, policy: Policy) -> Table:
    before = table.policy.given
    policy = policy.given.resolved(before.names)
    if policy == before and policy.base == before.base:
        return table
    if (policy.columns, policy.missing, policy.input) != (before.columns, before.missing, before.input):
        raise InputError("the table was read under a policy with other columns or settings; read its source again")
    return replace(table, policy=policy.typed({name: each.kind for name, each in table.policy.columns.items()}))


def _by_rule(policy: Policy) -> Iterator[str]:
    """Which columns got their role by a wildcard or by `others:`, one sentence for each."""
    for rule, names in policy.by_rule.items():
        if names:
            role, listed = policy.columns[names[0]].role, ", ".join(map(repr, names))
            rest = f"wildcard {rule!r}" if rule else "others:"
            yield f"{counted(len(names), 'column')} by {rest}, role {role}: {listed}"


def _require_names(names: Sequence[str], source: str) -> None:
    patterns = [place for place, name in enumerate(names, 1) if name == "*" or (name[:1] == "^" and name[-1:] == "$")]
    if patterns:
        raise TableError(
            f"{source}: column {', '.join(map(str, patterns))}: a name that is '*', or begins with '^' and ends"
            " with '$', would be taken for a pattern; rename it"
        )


def _require_columns(names: Sequence[str], policy: Policy, source: str) -> None:
    """Data and policy name the same columns; every difference is reported at once."""
    wanted = policy.names
    unknown = [name for name in names if name not in wanted]
    absent = [name for name in wanted if name not in names]
    if len(unknown) == len(names):  # what stands there may be the first row
        raise TableError(
            f"{source}: none of its {len(names)} columns is in the policy; does the first line name the columns?"
        )
    lines = _listed(unknown, absent, "of the data", "not in the policy")
    lines += _listed(absent, unknown, "of the policy", "not in the data")
    if lines:
        remedy = "  give every column of the data a role under columns:, and no other (drop leaves it out)"
        if unknown:
            remedy += "; or all that have none with others: {role: drop}"
        raise TableError("\n".join([f"{source}: columns of data and policy differ", *lines, remedy]))


def _listed(names: Sequence[str], others: Sequence[str], whose: str, lacking: str) -> list[str]:
    """One line for each name that resembles another, and one for all the rest."""
    near = {name: found for name in names if (found := _near(name, others))}
    plain = [repr(name) for name in names if name not in near]
    lines = [f"  column {name!r} {whose} is {lacking}{found}" for name, found in near.items()]
    if len(plain) == 1:
        return [*lines, f"  column {plain[0]} {whose} is {lacking}"]
    return [*lines, f"  {len(plain)} columns {whose} are {lacking}: {', '.join(plain)}"] if plain else lines


def _near(name: str, others: Sequence[str]) -> str:
    plain = {_plain(other): other for other in others}
    if _plain(name) in plain:
        return f" (but for case, outer spaces or Unicode form it is {plain[_plain(name)]!a})"
    close = get_close_matches(_plain(name), plain, n=1)
    return f" (did you mean {plain[close[0]]!r}?)" if close else ""


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()
