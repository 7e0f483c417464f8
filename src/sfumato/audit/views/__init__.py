"""One view per form; a form without one is judged as a table of published values. Others join by entry point."""

from __future__ import annotations

from sfumato.audit.evidence import Evidence
from sfumato.audit.views.anatomized import see_anatomized
from sfumato.audit.views.contract import Seen, View, only_table
from sfumato.audit.views.generalized import see_generalized
from sfumato.audit.views.permuted import see_permuted
from sfumato.audit.views.sliced import see_sliced
from sfumato.extension import registered
from sfumato.policy.document import Policy

__all__ = ["ENTRY_POINTS", "VIEWS", "Seen", "View", "seen"]

ENTRY_POINTS = "sfumato.views"

VIEWS: dict[str, View] = {
    "generalized": see_generalized,
    "anatomized": see_anatomized,
    "permuted": see_permuted,
    "sliced": see_sliced,
}


def seen(evidence: Evidence, policy: Policy) -> Seen:
    """The release as a recipient of its form sees it."""
    document, tables = evidence.document, evidence.tables
    if document is None:
        return Seen(only_table(tables, ""))
    form = str(document.form.get("publish"))
    view = registered(VIEWS, ENTRY_POINTS, form)
    return Seen(only_table(tables, form)) if view is None else view(tables, document, policy)
