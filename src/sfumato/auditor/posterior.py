"""What an audit says of an adversary who knows the population: beliefs before and after, and what was asked of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pydantic import Field

from sfumato.auditor.levels import Level, readable
from sfumato.errors import InputError, one_line
from sfumato.exact import as_fraction, as_text
from sfumato.policy.sections import Part

__all__ = ["BayesAsked", "Posterior"]

_NAMES = ("delta", "epsilon", "rho1", "rho2")


@dataclass(frozen=True)
class BayesAsked:
    """Bounds on beliefs; None: not asked.

    delta        no belief in a value of somebody's group is above 1 - delta
    epsilon      no belief that was epsilon or more is below it afterwards
    rho1, rho2   no belief rises from below rho1 to above rho2, nor falls from above 1 - rho1 to below 1 - rho2
    """

    delta: Fraction | None = None
    epsilon: Fraction | None = None
    rho1: Fraction | None = None
    rho2: Fraction | None = None

    @classmethod
    def of(cls, given: Mapping[str, object] | None) -> BayesAsked:
        given = given or {}
        unknown = [name for name in given if name not in _NAMES]
        if unknown:
            raise InputError(f"bayes: no such bound: {', '.join(map(repr, unknown))}; there are {', '.join(_NAMES)}")
        if ("rho1" in given) != ("rho2" in given):
            raise InputError("bayes: rho1 and rho2 go together; give both or neither")
        try:
            bounds = {name: as_fraction(number) for name, number in given.items()}
        except ValueError as error:
            raise InputError(f"bayes: a bound {error}") from None
        wrong = [name for name, number in bounds.items() if not 0 <= number <= 1]
        if wrong:
            raise InputError(f"bayes: {', '.join(wrong)} must be from 0 to 1")
        return cls(**bounds)

    @property
    def parameters(self) -> dict[str, str]:
        """Those that were asked, as they are written."""
        return {name: as_text(number) for name in _NAMES if (number := getattr(self, name)) is not None}


class Posterior(Part):
    """A sensitive column before an adversary who knows how its values go with quasi-identifiers in the population.

    parameters     the bounds that were asked; without any, nothing is judged, only told
    combinations   of quasi-identifiers that the population has and some group covers
    strange        groups that cover nobody of the population
    posterior      the largest belief in a value of a group
    change         the largest difference between a belief before and after
    positive, negative, breaches   pairs of a combination and a value whose belief breaks what was asked
    """

    on: str
    verdict: Literal["holds", "fails", "undecidable", "told"]
    parameters: dict[str, str] = Field(default_factory=dict)
    combinations: int = 0
    strange: int = 0
    posterior: Level = None
    change: Level = None
    positive: int | None = None
    negative: int | None = None
    breaches: int | None = None
    needs: str = ""

    def line(self) -> str:
        """One line for a person."""
        asked = ", ".join(f"{name}={number}" for name, number in self.parameters.items())
        text = f"{self.verdict:<11} population{f' ({asked})' if asked else ''} on {one_line(self.on)}"
        if self.verdict == "undecidable":
            return f"{text}: needs {self.needs}"
        text += f": largest belief {readable(self.posterior)}, largest change {readable(self.change)}"
        counts = {"positive disclosures": self.positive, "negative": self.negative, "breaches": self.breaches}
        text += "".join(f"; {what}: {count}" for what, count in counts.items() if count is not None)
        text += f"; groups that cover nobody of the population: {self.strange}" if self.strange else ""
        return f"{text} ({self.combinations} combinations of quasi-identifiers)"
