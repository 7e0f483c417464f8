"""How well two choices go together: an algorithm or a form with a promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sfumato.forms.contract import Publisher
    from sfumato.models.contract import Model
    from sfumato.partition.contract import Partitioner

__all__ = [
    "IN_BLOCKS",
    "NATIVE",
    "Fit",
    "FitsBlocks",
    "KeepsPersonsApart",
    "Status",
    "adapted",
    "fit_apart",
    "fit_in_blocks",
    "refused",
    "shown_apart",
]

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


def fit_apart(partitioner: Partitioner, model: Model) -> Fit:
    """Whether an algorithm serves a model where somebody has several rows."""
    return partitioner.fit_persons(model) if isinstance(partitioner, KeepsPersonsApart) else refused(_mixed(model))


def shown_apart(publisher: Publisher, model: Model) -> Fit:
    """Whether a form does."""
    return publisher.fit_persons(model) if isinstance(publisher, KeepsPersonsApart) else refused(_UNTOLD)


@runtime_checkable
class FitsBlocks(Protocol):
    """What an algorithm has besides, if it says itself what becomes of it where rows are not all held at a time."""

    def fit_blocks(self) -> Fit:
        """native: the same groups as with all rows; adapted: within blocks; refused: it needs all rows."""
        ...


def fit_in_blocks(partitioner: object) -> Fit:
    """What becomes of an algorithm, with its steps, where rows come in blocks, cut as Mondrian cuts."""
    if isinstance(partitioner, FitsBlocks):
        return partitioner.fit_blocks()
    base = getattr(partitioner, "base", None)
    below = IN_BLOCKS if base is None else fit_in_blocks(base)
    return below if below.status == "refused" else IN_BLOCKS


IN_BLOCKS = adapted("rows are grouped within blocks, which are cut as Mondrian cuts")

_UNTOLD = "this form does not say of whose rows its groups are, so that nothing shows they are of different persons"


def _mixed(model: Model) -> str:
    from sfumato.models.contract import concerned  # numpy, which an answer alone does not need

    if model.uniform_l() is None:
        who = concerned(model, lambda part: part.uniform_l() is None)
        return (
            "only groups of different values are sure to hold no two rows of one person, and no number of them keeps"
            f" {who}; keep one row per person (rows: one), or promise something else"
        )
    return (
        "this algorithm may put two rows of one person into a group; cut its groups with refine: true, or take one that"
        " makes groups of different values (`sfumato methods --persons`)"
    )
