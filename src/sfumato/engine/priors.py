"""What is believed of labels beforehand, by the original table: QS t-closeness is compared with it."""

from __future__ import annotations

from sfumato.models.contract import Facts
from sfumato.models.qs_t import QsTModel
from sfumato.policy import promises
from sfumato.table.table import Table

__all__ = ["estimated_priors"]


def estimated_priors(table: Table) -> dict[str, dict[str, str]]:
    """Per quasi-sensitive column of such a promise, how likely every label is; those that never occur left out."""
    asked = [
        promise
        for promise in table.policy.promise.promises
        if isinstance(promise, promises.QsT) and promise.prior == "table"
    ]
    found = {}
    for promise in asked:
        model = QsTModel.bind(promise, Facts.of(table.encode()))
        shares = zip(model.column.told.labels, model.asked.prior, strict=True)
        found[model.column.name] = {label: str(share) for label, share in shares if share}
    return found
