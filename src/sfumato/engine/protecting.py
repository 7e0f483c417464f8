"""Excessive protection of a release that was just made, where a promise of its policy caps shares."""

from __future__ import annotations

from sfumato.release.documents import InMemory
from sfumato.table.table import Table

__all__ = ["protection_of"]


def protection_of(shown: InMemory, table: Table) -> float | None:
    """Of what is shown of a table; None: no promise caps shares, or classes cannot be told without the manifest."""
    policy = table.policy
    asked = policy.promise.asked_of(policy.sensitive)
    if all(promise.capping is None for _, promise in asked):
        return None
    from sfumato.measures.contract import Circumstances
    from sfumato.measures.excess import ExcessiveProtection
    from sfumato.release.received import receive
    from sfumato.release.subject import Lacking, Subject

    try:
        found = ExcessiveProtection().of(Subject(receive(shown, policy), table), Circumstances())
    except Lacking:  # a promise that is broken is told by the audit
        return None
    return found.value
