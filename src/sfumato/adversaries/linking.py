"""Linking: a register from outside is laid beside the release, to find out which row is whose.

For every person of the register: the rows that may be theirs are those whose cells have a value in common with what the
register says, in every quasi-identifier that it has. One row only is a claim: this row is theirs. The claim is right if
they are in the table at all, for then their row is among the candidates. Somebody who is not makes a wrong one.

A register may hold fewer columns than the release, more people than the table, and general values. Without one, the
original's own quasi-identifiers serve: the worst that any register can know.

Who is scored: people each of whose cells stands for one value of the table, or for none. If more people of the register
than of the table have the same values, each of them is in the table with the share of these. A person whose row was
suppressed has a candidate only if somebody else's row covers them; such claims count as right all the same, so with
suppressed rows the score is an upper bound.

Reference: Sweeney: k-anonymity: a model for protecting privacy. International Journal of Uncertainty, Fuzziness and
Knowledge-Based Systems 10, 2002. https://doi.org/10.1142/S0218488502001648
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.register import Matches, Register
from sfumato.release.subject import Lacking, Subject

__all__ = ["Linking"]


@dataclass(frozen=True)
class Linking:
    """Exposed is who has one candidate."""

    name: ClassVar[str] = "linking"
    persona: ClassVar[Persona] = Persona(
        title="a broker with a register",
        assumes="has a register with some quasi-identifiers, exact or general; without one, everybody's in the table",
        exposes="one published row only may be theirs",
        reference="Sweeney, IJUFKS 2002, https://doi.org/10.1142/S0218488502001648",
    )

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        if not subject.tuples.rows or not subject.quasi:
            raise Lacking("published quasi-identifiers")
        return (_exposure(subject, Matches.of(subject, Register.of(subject, arms.register))),)


def _exposure(subject: Subject, found: Matches) -> Exposure:
    register, many = found.register, found.candidates
    people, one = int(register.counts.sum()), many == 1
    chance = np.divide(1.0, many, out=np.zeros(len(many)), where=many > 0)
    known = register.inside >= 0
    there = np.clip(register.inside / register.counts, 0, 1)  # the share of them who are in the table
    scored, claims = int(register.counts[known].sum()), register.counts[known & one]
    details: dict[str, Any] = {
        "mean chance": float(register.counts @ chance / max(people, 1)),
        "no candidate": int(register.counts[many == 0].sum()),
    }
    if len(claims):
        details["unique claims that are right"] = float(claims @ there[known & one] / claims.sum())
    if scored < people:
        details["people with general values, not scored"] = people - scored
    if found.looked == 1:
        details["rows that one person alone may claim"] = int(found.rows[found.claimants == 1].sum())
    else:
        details["looked at one row of the register in"] = found.looked
    return Exposure(
        people=people,
        exposed=int(register.counts[one].sum()),
        surest=float(chance.max(initial=0.0)),
        right=float(register.counts[known] @ (chance * there)[known] / scored) if scored else None,
        baseline=1 / max(subject.published, 1),
        details=details,
    )
