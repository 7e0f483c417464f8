"""`partition.slack` in what a person reads: groups are searched with a higher l than the one that is promised."""

from __future__ import annotations

from sfumato.errors import Infeasible, PolicyError
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise

__all__ = ["with_reason", "without_slack"]


def without_slack(nearest: Promise | None, slack: int) -> Promise | None:
    """The promise that can be kept where this is what can be searched with; None if there is none."""
    if nearest is None or not slack:
        return nearest
    try:
        return nearest.with_slack(-slack)
    except PolicyError:  # no l is left
        return None


def with_reason(error: Infeasible, method: Method, promise: Promise) -> Infeasible:
    """The same error, which says why it speaks of another l than the policy."""
    if not method.slack:
        return error
    why = f"partition.slack {method.slack} raises every l that groups are searched with; the promise is {promise}"
    return Infeasible(f"{error.reason}\n  {why}", without_slack(error.nearest, method.slack))
