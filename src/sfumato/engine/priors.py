"""What is believed of labels beforehand, by the original table: what promises such as QS t-closeness compare with."""

from __future__ import annotations

from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.table.table import Table

__all__ = ["estimated_priors"]


def estimated_priors(table: Table) -> dict[str, dict[str, str]]:
    """Per quasi-sensitive column of such a promise, how likely every label is; those that never occur left out."""
    about = [promise for promise in table.policy.promise.parts if promise.about_terms]
    facts = Facts.of(table.encode()) if about else None
    asked = [] if facts is None else [bind(promise, facts).terms_asked for promise in about]
    return {
        each.column.name: {label: str(share) for label, share in each.prior.items() if share}
        for each in asked
        if each is not None and each.prior is not None
    }
