"""What generalized values come to under both natural weights: all values alike, and by their rows in the table.

An adversary who knows how frequent values are overall does not spread a general value evenly. Where the promise holds
with one weighting and not with the other, the holder should know. What to say of it, a promise's rule knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.auditor.court import Court
from sfumato.auditor.rules import rule_of

__all__ = ["weighed"]


def weighed(court: Court) -> Iterator[str]:
    """A note for every column with generalized values and a promise whose rule weighs them."""
    for _, promise, column, others in court.asked():
        rule, secrets = rule_of(promise.name), court.secrets.get(column)
        if rule is None or rule.weighed is None or others or secrets is None or not secrets.generalized:
            continue
        said = rule.weighed(promise, court.case(column, ()))
        if said is not None:
            yield f"column {column!r}: rows with a generalized value: {secrets.generalized}; {said}"
