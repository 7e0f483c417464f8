"""How well two choices go together: an algorithm or a form with a promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sfumato.models.contract import Model

__all__ = ["NATIVE", "Fit", "KeepsPersonsApart", "Status", "adapted", "refused"]

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


@runtime_checkable
class KeepsPersonsApart(Protocol):
    """What an algorithm or a form has besides, if it can serve tables in which somebody has several rows.

    An algorithm then puts no two rows of one person into a group, nor into the class of kept suppressed rows. A form
    shows groups so that they are told apart, and says of which row of the table each published one is. Models count
    rows; only so are rows persons. Whatever does not have it is refused for such tables.
    """

    def fit_persons(self, model: Model) -> Fit:
        """Whether it can serve the model on such a table."""
        ...
