"""What can go wrong, as a tree.

::

    SfumatoError
    ├── InputError            bad data or usage                      exit 2
    │   ├── PolicyError       the policy document: every mistake at once
    │   ├── HierarchyError    a taxonomy or its file
    │   ├── TableError        the data
    │   └── Refused           a request that cannot be kept by any run: says why
    ├── NoneFound             this policy finds no release that keeps the promise   exit 5
    │   └── Infeasible        no release of this table keeps it, by whatever method: shown   exit 3
    ├── AuditFailed           a release that does not, or cannot be shown to   exit 4
    └── Cancelled             called off while it ran; nothing was published   exit 130

Messages carry column names, places, counts and remedies; never a value of the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.auditor.verdict import Audit
    from sfumato.policy.promises import Promise

__all__ = [
    "AuditFailed",
    "Cancelled",
    "HierarchyError",
    "Infeasible",
    "InputError",
    "NoneFound",
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
    """A hierarchy that is not a tree, or does not fit its column."""


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
    """Every mistake found in a policy, not only the first.

    problems   where each is, what was found, what is allowed there
    source     the policy's name
    """

    def __init__(self, problems: Sequence[Problem], source: str = "policy") -> None:
        self.problems = tuple(problems)
        self.source = source
        count = len(self.problems)
        head = f"{source}: {count} mistake{'s' if count != 1 else ''}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


class NoneFound(SfumatoError):
    """The policy's method and form found no release that keeps the promise; another may.

    reason     what stood against it
    nearest    a promise that this policy keeps, all else left as it is; None: none is known
    instead    what to write in the policy so that it keeps the promise as it is; empty: nothing is known
    """

    exit_code = 5

    def __init__(
        self, reason: str, nearest: Promise | None = None, instead: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self.reason = reason
        self.nearest = nearest
        self.instead = {} if instead is None else instead
        super().__init__("\n  ".join([reason, *remedies(nearest, self.instead)]))


class Infeasible(NoneFound):
    """No release of this table keeps the promise, by whatever method and form: that is shown, not only not found.

    `reason`, `nearest` and `instead` are as in `NoneFound`.
    """

    exit_code = 3


def remedies(nearest: Promise | None, instead: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What would be kept, in words; every line is known to be true."""
    if instead:
        yield f"this policy keeps it with {'; '.join(f'{key}: {_flow(value)}' for key, value in instead.items())}"
    if nearest is not None:
        yield f"nearest promise that can be kept: {nearest}"


def _flow(settings: Mapping[str, Any]) -> str:
    """Settings as a policy may write them in one line."""
    words = [f"{key}: {str(value).lower() if isinstance(value, bool) else value}" for key, value in settings.items()]
    return "{" + ", ".join(words) + "}"


class AuditFailed(SfumatoError):
    """The auditor could not confirm the promise; nothing was published.

    audit   its judgement
    """

    exit_code = 4

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        super().__init__(audit.summary())


class Cancelled(SfumatoError):
    """A job was called off while it ran: by `Job.cancel`, or by whoever watches its progress and raises this."""

    exit_code = 130
