"""What an adversary is: somebody who has the release and knows something besides, and what they learn from it.

Each says what it assumes, and answers how many people it exposes, how surely, and how often it would be right: scored
against the truth, which the holder has. A baseline who knows only the table's totals stands beside: what that one would
get right as well, nobody has learnt from who is in which class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from sfumato.progress import Progress, silent

if TYPE_CHECKING:
    import polars as pl

    from sfumato.release.received import Received
    from sfumato.release.subject import Subject

__all__ = ["Adversary", "Arms", "Exposure", "Persona", "Remake"]

Remake: TypeAlias = "Callable[[pl.DataFrame, int], Received | None]"
"""The algorithm: what it would have released of a table, with chance that falls by a seed; None: nothing."""


@dataclass(frozen=True)
class Persona:
    """An adversary in words.

    title       who that is
    assumes     what they are taken to know and do
    exposes     when somebody counts as exposed
    reference   where the attack is described, with a DOI where there is one
    needs       what must be there beside the release
    """

    title: str
    assumes: str
    exposes: str
    reference: str
    needs: tuple[str, ...] = ("the original table",)


@dataclass(frozen=True)
class Exposure:
    """What one adversary learns, of one secret or of who is who.

    on          the sensitive column it is about; None: which row is whose
    people      of how many people something was tried
    exposed     how many of them are exposed, as the persona says it
    surest      the largest chance that anything is believed with
    right       the share of guesses that are right, by the truth that the holder has; None if it is not known
    baseline    the share that a guess by the table's totals alone gets right
    details     what stands behind it, as plain values; never a value of the data
    """

    people: int
    exposed: int
    surest: float
    right: float | None = None
    baseline: float | None = None
    on: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Arms:
    """What an attack may use besides the release and its original.

    seed         of what is drawn at random
    progress     told of what takes long; who watches may end it there
    register     a table of people from outside: a path or a frame, with some of the quasi-identifiers
    population   a table of the population that the people are from, or of its combinations with their `count`
    rules        what cannot be: a path, or mappings such as ``{"where": {"sex": "male"}, "never": {"ill": ["cyst"]}}``
    remake       the algorithm that made the release, with its policy, if it is known
    others       further releases that may be about the same people, each beside the same original
    """

    seed: int = 0
    progress: Progress = silent
    register: object | None = None
    population: object | None = None
    rules: object | None = None
    remake: Remake | None = None
    others: tuple[Subject, ...] = ()


class Adversary(Protocol):
    """A frozen dataclass whose fields are its settings, each with a default."""

    name: ClassVar[str]
    persona: ClassVar[Persona]

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        """What they learn, of each secret; `Lacking` if something is not there."""
        ...
