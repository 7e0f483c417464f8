"""Generalized, and any table of which nothing else is known: rows are told apart by what they show.

The adversary knows everybody's quasi-identifiers; a person may be any row that covers them.
"""

from __future__ import annotations

from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, only_table

__all__ = ["see_generalized"]


def see_generalized(opened: Opened, policy: Policy) -> Seen:
    """The table itself."""
    return Seen(only_table(opened.tables, "generalized"))
