"""`partition.slack` in what a person reads: groups are searched with a higher l than the one that is promised."""

from __future__ import annotations

from sfumato.errors import PolicyError
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise

__all__ = ["because_of_slack", "without_slack"]


def without_slack(nearest: Promise | None, slack: int) -> Promise | None:
    """The promise that can be kept where this is what can be searched with; None if there is none."""
    if nearest is None or not slack:
        return nearest
    try:
        return nearest.with_slack(-slack)
    except PolicyError:  # no l is left
        return None


def because_of_slack(method: Method, promise: Promise) -> str:
    """Why a reason speaks of another l than the policy; empty where it does not."""
    if not method.slack:
        return ""
    return f"\n  partition.slack {method.slack} raises every l that groups are searched with; the promise is {promise}"
