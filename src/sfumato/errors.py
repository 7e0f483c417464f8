"""What can go wrong, as a tree.

::

    SfumatoError
    ├── InputError            bad data or usage                      exit 2
    │   ├── PolicyError       the policy document: every mistake at once
    │   ├── HierarchyError    a taxonomy or its file
    │   ├── TableError        the data
    │   └── Refused           a request that cannot be kept by any run: says why
    ├── Infeasible            no release of this table keeps the promise   exit 3
    └── AuditFailed           a release that does not, or cannot be shown to   exit 4

Messages carry column names, places, counts and remedies; never a value of the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.audit.verdict import Audit
    from sfumato.policy.promises import Promise

__all__ = [
    "AuditFailed",
    "HierarchyError",
    "Infeasible",
    "InputError",
    "PolicyError",
    "Problem",
    "Refused",
    "SfumatoError",
    "SfumatoWarning",
    "TableError",
    "one_line",
]


class SfumatoError(Exception):
    """Base of every error that sfumato raises on purpose."""

    exit_code = 1


class SfumatoWarning(UserWarning):
    """Something a person should look at; the run goes on."""


class InputError(SfumatoError, ValueError):
    """The data, the policy or the call is wrong; nothing was written."""

    exit_code = 2


class HierarchyError(InputError):
    """A taxonomy that is not a tree, or does not fit its column."""


class TableError(InputError):
    """Data that cannot be read as the policy describes it."""


class Refused(InputError):
    """A combination or role that no run could serve, with the reason."""


def one_line(name: str) -> str:
    """A name as it stands in a line of output: control characters of it as Python writes them.

    >>> print(one_line("age"), one_line("a\\nb"))
    age a\\nb
    """
    return name if name.isprintable() else repr(name)[1:-1]


@dataclass(frozen=True)
class Problem:
    """One mistake in a policy: where it is, what was found, what is allowed there."""

    path: str
    got: str
    allowed: str

    def __str__(self) -> str:
        got = f" (got {self.got})" if self.got else ""
        return f"{one_line(self.path)}: {self.allowed}{got}" if self.path else f"{self.allowed}{got}"


class PolicyError(InputError):
    """Every mistake found in a policy, not only the first."""

    def __init__(self, problems: Sequence[Problem], source: str = "policy") -> None:
        self.problems = tuple(problems)
        self.source = source
        count = len(self.problems)
        head = f"{source}: {count} mistake{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class Infeasible(SfumatoError):
    """No release of this table can keep the promise; `nearest` is one that could be kept."""

    exit_code = 3

    def __init__(self, reason: str, nearest: Promise | None = None) -> None:
        self.reason = reason
        self.nearest = nearest
        remedy = f"\n  nearest promise that can be kept: {nearest}" if nearest is not None else ""
        super().__init__(reason + remedy)


class AuditFailed(SfumatoError):
    """The auditor could not confirm the promise; nothing was published."""

    exit_code = 4

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        super().__init__(audit.summary())
