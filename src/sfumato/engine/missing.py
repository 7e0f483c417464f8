"""Rows that are left out where the form shows who is missing.

Who knows how often each value occurs in the whole table knows what the missing hold: the difference. So they must keep
what is promised of sensitive values as a class of their own, or what follows from it for classes that look alike.
"""

from __future__ import annotations

import numpy as np

from sfumato.errors import NoneFound
from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition
from sfumato.policy.promises import Promise, all_of
from sfumato.publish.contract import Publisher, shows_missing
from sfumato.table.coded import CodedTable

__all__ = ["require_unseen", "what_missing_keep"]


def what_missing_keep(form: Publisher, promise: Promise, facts: Facts) -> Model | None:
    """None where the form does not show who is missing, or nothing is promised of values."""
    parts = [bind(part, facts) for part in all_of(promise).promises if part.about_values]
    merged = [part.promise if part.survives_merging else part.relaxed() for part in parts]
    kept = [part for part in merged if part is not None]
    return bind(all_of(*kept), facts) if kept and shows_missing(form) else None


def require_unseen(grouped: Partition, table: CodedTable, missed: Model) -> None:
    """`NoneFound` if the rows without a group break what they must keep."""
    left = grouped.labels < 0
    statistics = tuple(columns for columns in missed.statistics if columns)
    groups = Groups.of_rows(table, np.where(left, 0, -1).astype(np.int64), statistics)
    if left.any() and not missed.holds(groups)[0]:
        raise NoneFound(
            f"{missed.promise}: {int(left.sum())} rows find no group, this form shows who is missing, and as a class of"
            " their own they break it. Publish generalized, or promise less"
        )
