"""Stopping a run from elsewhere: it ends where it next tells how far it is."""

from __future__ import annotations

from threading import Event

from sfumato.errors import Cancelled
from sfumato.progress import Progress

__all__ = ["Cancelling"]


class Cancelling:
    """Whether somebody has called it off; once said, it stays so. Any thread may say it."""

    def __init__(self) -> None:
        self._said = Event()

    @property
    def said(self) -> bool:
        return self._said.is_set()

    def say(self) -> None:
        self._said.set()

    def require_going(self) -> None:
        """Raise `Cancelled` if it was said."""
        if self.said:
            raise Cancelled("cancelled; nothing was published")

    def heeded(self, progress: Progress) -> Progress:
        """The same progress, which ends the run if it was called off before the call, or by it."""

        def tell(stage: str, done: int, total: int) -> None:
            self.require_going()
            progress(stage, done, total)
            self.require_going()

        return tell
