"""Which card shows what: one table, each card in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sfumato.extension import Pieces
from sfumato.reports.markup import Markup

__all__ = ["CARDS", "card_of"]

CARDS: Pieces[Callable[[Any], Markup]] = Pieces(
    {
        "Advice": "sfumato.notebook.advice:advice_card",
        "Attacked": "sfumato.notebook.attacked:attacked_card",
        "Audit": "sfumato.notebook.audit:audit_card",
        "Compared": "sfumato.notebook.compared:compared_card",
        "LatticeMap": "sfumato.notebook.lattice:lattice_card",
        "Measured": "sfumato.notebook.measured:measured_card",
        "Reidentification": "sfumato.notebook.measured:risk_card",
        "Release": "sfumato.notebook.release:release_card",
        "Suggestion": "sfumato.notebook.suggestions:suggestion_card",
        "Suggestions": "sfumato.notebook.suggestions:suggestions_card",
        "Written": "sfumato.notebook.audit:written_card",
    }
)


def card_of(result: object) -> str:
    """The fragment for a result, by the name of its class."""
    return str(CARDS[type(result).__name__](result))
