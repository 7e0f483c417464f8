"""One view per form; a form without one is judged as a table of published values. Others join by entry point."""

from __future__ import annotations

from sfumato.extension import registered
from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.anatomized import see_anatomized
from sfumato.release.views.contract import Seen, View, only_table
from sfumato.release.views.generalized import see_generalized
from sfumato.release.views.permuted import see_permuted
from sfumato.release.views.randomized import see_randomized
from sfumato.release.views.ring import see_ring
from sfumato.release.views.sliced import see_sliced

__all__ = ["ENTRY_POINTS", "VIEWS", "Seen", "View", "seen"]

ENTRY_POINTS = "sfumato.views"

VIEWS: dict[str, View] = {
    "generalized": see_generalized,
    "anatomized": see_anatomized,
    "permuted": see_permuted,
    "sliced": see_sliced,
    "ring": see_ring,
    "randomized": see_randomized,
}


def seen(opened: Opened, policy: Policy) -> Seen:
    """The release as a recipient of its form sees it, or the holder if there is a manifest."""
    if opened.document is None:
        return Seen(only_table(opened.tables, ""))
    form = str(opened.form.get("publish"))
    view = registered(VIEWS, ENTRY_POINTS, form)
    return Seen(only_table(opened.tables, form)) if view is None else view(opened, policy)
