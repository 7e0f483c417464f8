"""How well two choices go together: an algorithm or a form with a promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["NATIVE", "Fit", "Status", "adapted", "refused"]

Status = Literal["native", "adapted", "refused"]


@dataclass(frozen=True)
class Fit:
    """native: as it is; adapted: `why` says by what; refused: `why` says for what reason and what would help."""

    status: Status
    why: str = ""


NATIVE = Fit("native")


def adapted(how: str) -> Fit:
    """It goes, and says how."""
    return Fit("adapted", how)


def refused(reason: str) -> Fit:
    """It does not go, and says why."""
    return Fit("refused", reason)
