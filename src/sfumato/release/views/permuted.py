"""Permuted: exact quasi-identifiers, sensitive values in a random order within every group.

The adversary knows everybody's quasi-identifiers, and so the group of each person; which value of the group is whose,
nothing says. So a group is what shares an id, and nothing else tells its values apart. That values were permuted at
random cannot be seen from a release: the holder vouches for it.
"""

from __future__ import annotations

from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, only_table, shown_id

__all__ = ["see_permuted"]


def see_permuted(opened: Opened, policy: Policy) -> Seen:
    """The table itself; groups by id alone."""
    table = only_table(opened.tables, "permuted")
    quasi = [name for name in policy.quasi if name in table.columns]
    sensitive = [name for name in policy.secret if name in table.columns]
    together = opened.form.get("together", True) is True
    carried = [sensitive] if together else [[name] for name in sensitive]
    return Seen(
        table=table,
        exact=True,
        pieces=None if together else tuple(frozenset({name}) for name in sensitive),
        singled=(table.select(quasi),) if quasi else (),
        parts=(table.drop(sensitive), *(table.select(*part, *shown_id(opened, table)) for part in carried)),
        people=(table.select(*quasi, *shown_id(opened, table)),),
        notes=(
            "permuted: judged by group id, for a reader who knows all quasi-identifiers; that values stand in a random"
            " order within a group cannot be seen from the release",
        ),
    )
