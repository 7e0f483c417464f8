"""One view per form; a form without one is judged as a table of published values. Others join by entry point."""

from __future__ import annotations

from sfumato.extension import Pieces, registered
from sfumato.policy.document import Policy
from sfumato.release.opening import Opened
from sfumato.release.views.contract import Seen, View, only_table

__all__ = ["ENTRY_POINTS", "VIEWS", "Seen", "View", "seen"]

ENTRY_POINTS = "sfumato.views"

VIEWS: Pieces[View] = Pieces(
    {
        "generalized": "sfumato.release.views.generalized:see_generalized",
        "anatomized": "sfumato.release.views.anatomized:see_anatomized",
        "permuted": "sfumato.release.views.permuted:see_permuted",
        "sliced": "sfumato.release.views.sliced:see_sliced",
        "ring": "sfumato.release.views.ring:see_ring",
        "randomized": "sfumato.release.views.randomized:see_randomized",
    }
)


def seen(opened: Opened, policy: Policy) -> Seen:
    """The release as a recipient of its form sees it, or the holder if there is a manifest."""
    if opened.document is None:
        return Seen(only_table(opened.tables, ""))
    form = str(opened.form.get("publish"))
    view = registered(VIEWS, ENTRY_POINTS, form)
    return Seen(only_table(opened.tables, form)) if view is None else view(opened, policy)
