"""How much the policy allows to leave out: rows, and cells of a column that say nothing.

Rows are counted by ``release.json`` itself: its own word is enough to fail it. Cells are counted in the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import polars as pl

from sfumato.auditor.truthful import Truthfulness
from sfumato.auditor.verdict import Criterion
from sfumato.errors import SfumatoError
from sfumato.exact import as_text
from sfumato.policy.columns import FileHierarchy, TreeHierarchy
from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen
from sfumato.taxonomy.build import build

__all__ = ["NAME", "judge_limits"]

NAME = "suppression"
_SAYS_NOTHING = "*"


def judge_limits(
    evidence: Opened, seen: Seen, policy: Policy, truth: Truthfulness | None = None
) -> Iterator[Criterion]:
    """A criterion for suppressed rows if there are any, and one for every column that has a limit.

    Of a bare table, the original tells how many rows are missing.
    """
    document, allowed = evidence.document, policy.suppression
    if document is None and truth is not None and truth.suppressed:
        yield _judged(truth.suppressed, seen.table.height + truth.left_out, allowed.limit, None)
    if document is not None and document.rows.suppressed:
        rows = seen.table.height + document.rows.left_out
        yield _judged(document.rows.suppressed, rows, allowed.limit, None)
    people = next(iter(evidence.tables.values()))
    for name, limit in allowed.columns.items():
        if name not in people.columns or not people.height:
            continue  # a problem whatever it shows
        blank = _blank(name, policy)
        if blank is None:
            needs = f"the hierarchy of {name!r}, to know which of its labels says nothing"
            yield _criterion(limit, name).model_copy(update={"needs": needs})
        else:
            yield _judged(int(people[name].is_in(blank).sum()), people.height, limit, name)


def _criterion(limit: Fraction, column: str | None) -> Criterion:
    return Criterion(
        model=NAME,
        parameters={"limit": as_text(limit)},
        on=column,
        verdict="undecidable",
        required=f"a share of at most {as_text(limit)}",
    )


def _judged(found: int, rows: int, limit: Fraction, column: str | None) -> Criterion:
    verdict = "fails" if found > limit * rows else "holds"
    return _criterion(limit, column).model_copy(
        update={
            "verdict": verdict,
            "level": Fraction(found, rows),
            "violating_rows": found if verdict == "fails" else 0,
        }
    )


def _blank(name: str, policy: Policy) -> list[str] | None:
    """The texts of a column that say nothing: `*`, and what a hierarchy calls its root; None if that is not known."""
    column = policy.columns[name]
    if not isinstance(column.hierarchy, (FileHierarchy, TreeHierarchy)):
        return [_SAYS_NOTHING]
    dtype = {"text": pl.String(), "integer": pl.Int64(), "number": pl.Float64(), "date": pl.Date()}[column.kind]
    try:
        tree = build(name, column, pl.Series([], dtype=dtype), policy.base)
    except SfumatoError:
        return None
    if tree is None:
        return None
    return [_SAYS_NOTHING, *([tree.labels[tree.root]] if tree.root >= tree.size else [])]
