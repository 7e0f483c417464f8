"""What is found of risk: before and after a release, in numbers, and in a few lines that a steward understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sfumato.displayed import Displayed
from sfumato.errors import one_line
from sfumato.risk.attackers import Above, Attacker
from sfumato.risk.believed import BestGuess, Guessed
from sfumato.risk.sizes import SizeCounts
from sfumato.risk.uniques import Uniques

__all__ = ["Reidentification", "Side"]

_NAMED = 3
"""Sets of columns that a summary names."""


@dataclass(frozen=True)
class Side:
    """Risk by one table: the original by its quasi-identifiers, or the release as its reader has it.

    prosecutor           who knows that the person is in the table
    journalist           who has a register of the population; None without one, and without sampling weights
    marketer             the expected share of right links: the mean of the journalist's risk, else of the prosecutor's
    sizes                classes by size
    unique               rows that no other equals, and the columns that make them so
    population_uniques   people who are the only one in the population that fits; expected, where weights tell it
    right_if_unique      by weights, how likely a match with a unique row is right
    """

    prosecutor: Attacker
    journalist: Attacker | None
    marketer: float
    sizes: SizeCounts
    unique: Uniques
    population_uniques: float | None = None
    right_if_unique: float | None = None

    def __repr__(self) -> str:
        return f"<Side: risk at most {self.prosecutor.largest:.4g}, unique rows: {self.unique.rows}>"


@dataclass(frozen=True)
class Reidentification(Displayed):
    """Risk before and after.

    before       by the original table; None without it
    after        by the release; None where it cannot be told without the original
    register     what a journalist's risk rests on: "population", "weights" (an estimate), or "" if there is none
    population   how many people the register has, or the weights sum to
    guesses      how sure one may be of each sensitive column
    lacks        what is needed for what is None
    notes        what to know when reading the numbers
    """

    before: Side | None
    after: Side | None
    register: str
    population: float | None
    guesses: tuple[Guessed, ...]
    lacks: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        if self.before is None and self.after is None:
            return f"<Reidentification: needs {self.lacks}>"
        told = self._told(lambda side: f"{side.prosecutor.largest:.4g}")
        return f"<Reidentification: risk of {self._people} people at most {told}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """In words: before → after."""
        after = self.after or self.before
        if after is None:
            yield f"risk: needs {self.lacks}"
            return
        yield f"risk of being found, {'before → after' if self._both else self._which}, of {self._people} people:"
        yield f"  prosecutor: {self._told(_surest_and_mean(lambda side: side.prosecutor))}"
        if after.journalist is not None:
            yield f"  journalist: {self._told(_surest_and_mean(lambda side: side.journalist))}, by {self._by}"
        yield f"  marketer: right links {self._told(lambda side: f'{side.marketer:.4g}')}"
        for at, above in enumerate(after.prosecutor.above):
            what = f"above {above.threshold}" if above.convention == "at most" else f"of {above.threshold} or more"
            yield f"  risk {what} (fewer than {above.k} rows): {self._told(_people_above(at))} people"
        yield f"  smallest class: {self._told(lambda side: str(side.sizes.smallest))} rows"
        yield f"  unique rows: {self._told(lambda side: str(side.unique.rows))}"
        yield from self._sets()
        for each in self.guesses:
            yield f"  {_guess(each)}"
        yield from (f"  note: {each}" for each in self.notes)

    @property
    def _both(self) -> bool:
        return self.before is not None and self.after is not None

    @property
    def _which(self) -> str:
        return "before" if self.after is None else "after"

    @property
    def _people(self) -> int:
        return max(side.prosecutor.people for side in (self.before, self.after) if side is not None)

    @property
    def _by(self) -> str:
        whom = f"{self.population:,.0f} people"
        return f"a population of {whom}" if self.register == "population" else f"weights for {whom} (an estimate)"

    def _told(self, tell: Callable[[Side], str]) -> str:
        return " → ".join(tell(side) for side in (self.before, self.after) if side is not None)

    def _sets(self) -> Iterator[str]:
        """The columns by which most rows are unique, in the table of which it is of use."""
        side = self.before if self.before is not None and self.before.unique.sets else self.after
        if side is None or not side.unique.sets:
            return
        told = (f"{' + '.join(map(one_line, each.columns))} ({each.unique})" for each in side.unique.sets[:_NAMED])
        yield f"  columns that make rows unique: {'; '.join(told)}"


def _surest_and_mean(whose: Callable[[Side], Attacker | None]) -> Callable[[Side], str]:
    def tell(side: Side) -> str:
        found = whose(side)
        return "none" if found is None else f"at most {found.largest:.4g} (mean {found.mean:.4g})"

    return tell


def _people_above(at: int) -> Callable[[Side], str]:
    def tell(side: Side) -> str:
        above: Above = side.prosecutor.above[at]
        return str(above.people)

    return tell


def _guess(each: Guessed) -> str:
    told = [each.before, each.people or each.groups]
    name = f"best guess of {one_line(each.column)}"
    if not any(told):
        return f"{name}: needs {each.lacks}"
    totals = "" if each.totals is None else f", by totals alone {each.totals:.4g}"
    return f"{name}: {' → '.join(_surest(guess) for guess in told if guess is not None)}{totals}"


def _surest(guess: BestGuess) -> str:
    return f"at most {guess.largest:.4g} (mean {guess.mean:.4g})"
