"""A time after which nothing more is begun, and what runs is given up."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

__all__ = ["Deadline", "Late"]


class Late(Exception):  # nothing went wrong
    """What runs is given up: something else was found before the time was over."""


@dataclass(frozen=True)
class Deadline:
    """So many seconds from when it was made."""

    seconds: float
    begun: float

    @classmethod
    def of(cls, seconds: float | None) -> Deadline | None:
        return None if seconds is None else cls(seconds, monotonic())

    def spent(self) -> float:
        return monotonic() - self.begun

    def has_room(self, more: float) -> bool:
        """Whether so many seconds more are left."""
        return self.spent() + more < self.seconds

    def require_room(self) -> None:
        if not self.has_room(0):
            raise Late
