"""One view per form; a form without one is judged as a table of published values. Others join by entry point."""

from __future__ import annotations

from sfumato.audit.evidence import Evidence
from sfumato.audit.views.anatomized import see_anatomized
from sfumato.audit.views.contract import Seen, Unsealed, View, only_table
from sfumato.audit.views.generalized import see_generalized
from sfumato.audit.views.permuted import see_permuted
from sfumato.audit.views.randomized import see_randomized, unseal_blocks
from sfumato.audit.views.ring import see_ring, unseal_rings
from sfumato.audit.views.sliced import see_sliced
from sfumato.extension import registered
from sfumato.policy.document import Policy

__all__ = ["ENTRY_POINTS", "SEALED", "VIEWS", "Seen", "View", "seen"]

ENTRY_POINTS = "sfumato.views"

VIEWS: dict[str, View] = {
    "generalized": see_generalized,
    "anatomized": see_anatomized,
    "permuted": see_permuted,
    "sliced": see_sliced,
    "ring": see_ring,
    "randomized": see_randomized,
}

SEALED: dict[str, Unsealed] = {"ring": unseal_rings, "randomized": unseal_blocks}
"""Forms that cannot be judged without the manifest."""


def seen(evidence: Evidence, policy: Policy) -> Seen:
    """The release as a recipient of its form sees it."""
    document, tables = evidence.document, evidence.tables
    if document is None:
        return Seen(only_table(tables, ""))
    form = str(document.form.get("publish"))
    view = registered(VIEWS, ENTRY_POINTS, form)
    made = Seen(only_table(tables, form)) if view is None else view(tables, document, policy)
    return SEALED[form](made, document, evidence.manifest) if form in SEALED and evidence.manifest is not None else made
