"""Data and policy as they are given to any function, made one: a table under its policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sfumato.errors import InputError, TableError
from sfumato.policy.forms import Form
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent
from sfumato.table.read import read
from sfumato.table.table import Table

__all__ = ["prepared"]


def prepared(
    data: object,
    policy: PolicyLike | None,
    promise: Promise | Mapping[str, Any] | None,
    partition: Method | Mapping[str, Any] | None,
    form: Form | Mapping[str, Any] | None,
    progress: Progress = silent,
) -> Table:
    """The data under the policy that results from the arguments; it has rows."""
    if policy is None and not isinstance(data, Table):
        raise InputError("this needs a policy: pass policy=..., or data from sfumato.read(data, policy)")
    given = data.policy if policy is None and isinstance(data, Table) else policy or {}
    table = read(data, read_policy(given, promise=promise, partition=partition, form=form), progress=progress)
    if table.rows == 0:
        raise TableError(f"{table.origin.name}: the table has no rows")
    return table
