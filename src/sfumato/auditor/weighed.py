"""What generalized values come to under both natural weights: all values alike, and by their rows in the table.

An adversary who knows how frequent values are overall does not spread a general value evenly. Where the promise holds
with one weighting and not with the other, the holder should know.
"""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.auditor.court import Court
from sfumato.auditor.rules.tau_l import policy_weights, stands_for_something, tau_reached
from sfumato.exact import as_text
from sfumato.policy.promises import TauL

__all__ = ["weighed"]


def weighed(court: Court) -> Iterator[str]:
    """A note for every column with generalized values and a (tau,l) promise, if the original table is known."""
    for promise in court.policy.promise.promises:
        if not isinstance(promise, TauL):
            continue
        secrets = court.secrets.get(promise.on or court.policy.sensitive[0])
        if secrets is None or not secrets.generalized or secrets.unknown:
            continue
        even, by_rows = policy_weights((), secrets), policy_weights("table", secrets)
        if even is None or by_rows is None or not stands_for_something(secrets, even):
            continue
        case = court.case(secrets.name, ())
        levels = [as_text(tau_reached(promise, case, weights)) for weights in (even, by_rows)]
        yield (
            f"column {secrets.name!r}: rows with a generalized value: {secrets.generalized}; tau-l reaches tau ="
            f" {levels[0]} with equal weights and {levels[1]} with those of the table"
        )
