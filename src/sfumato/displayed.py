"""How a result shows itself where HTML can be shown: by a card of the folder `notebook`, which nothing else loads."""

from __future__ import annotations

__all__ = ["Displayed"]


class Displayed:
    """A result that has a card in a notebook. What is printed of it is one line, which each says by itself."""

    def _repr_html_(self) -> str:
        from sfumato.notebook.cards import card_of

        return card_of(self)
