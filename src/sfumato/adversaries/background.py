"""Background knowledge: what somebody cannot have is struck out, and what is left may be sure.

Two kinds. *Eliminations* are facts about one person: the adversary knows of so many values that it is not these. What
they know is true, and the worst of it: the likeliest values but for the person's own. If these are E and values have
the chances p, the true value v is believed with p(v) / (1 - p(E)). A class with l well spread values withstands l - 2
of them; that is what l-diversity is about. *Rules* hold for everybody whom they describe: "men have no breast cancer",
"Japanese have no heart disease" (001's, for what is very rare). A person whom a rule describes loses its values, and
the rest is taken as the whole; eliminations come on top.

Deviations: a rule is followed for each person by themselves. That somebody cannot have a value makes it likelier for
the others of their class, which is not followed up. Where rules leave nothing, they contradict the release, and nothing
is believed of these people.

Reference: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 1, 2007,
section 2.2. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.given import given_rules
from sfumato.adversaries.guesses import Guesses
from sfumato.adversaries.ranked import NEAR, Ranked
from sfumato.errors import InputError
from sfumato.release.fits import Chances
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Subject

__all__ = ["Background"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Background:
    """Exposed is whose true value is believed with a chance of `sure` or more after so many eliminations."""

    eliminations: int = 1
    sure: float = 1.0
    name: ClassVar[str] = "background"
    persona: ClassVar[Persona] = Persona(
        title="an acquaintance who can rule values out",
        assumes="knows everybody's quasi-identifiers, and, by themselves or by rules, values that are not theirs",
        exposes="their value is what is left",
        reference="Machanavajjhala et al., TKDD 2007, section 2.2, https://doi.org/10.1145/1217299.1217302",
    )

    def __post_init__(self) -> None:
        if self.eliminations < 0:
            raise InputError(f"background: eliminations must be 0 or more (got {self.eliminations})")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        rules = () if arms.rules is None else given_rules(arms.rules)
        found = [Guesses.of(subject, name) for name in subject.sensitive]
        _require_known(rules, subject)
        return tuple(self._of(subject, each, rules) for each in found)

    def _of(self, subject: Subject, guesses: Guesses, rules: Sequence[Mapping[str, Any]]) -> Exposure:
        truth, details, chances = guesses.truth, dict[str, Any](), guesses.chances
        if rules:
            chances, described = _struck(subject, guesses, rules)
            lost = (np.diff(chances.starts) == 0) & (np.diff(guesses.chances.starts) > 0)
            alone = Ranked.of(chances).left(truth, 0).belief >= self.sure - NEAR
            details["people whom rules describe"] = described
            details["exposed by rules alone"] = int(truth.counts[alone].sum())
            if lost.any():
                details["people of whom rules leave nothing"] = int(guesses.known.counts[lost].sum())
        ranked = Ranked.of(chances)
        left = ranked.left(truth, self.eliminations)
        details["mean belief in the truth"] = float(truth.counts @ left.belief / max(guesses.people, 1))
        if guesses.fits.looked > 1:
            details["looked at one person in"] = guesses.fits.looked
        return Exposure(
            people=guesses.people,
            exposed=int(truth.counts[left.belief >= self.sure - NEAR].sum()),
            surest=float(ranked.surest(self.eliminations).max(initial=0.0)),
            right=float(truth.counts @ left.right / max(guesses.people, 1)),
            baseline=guesses.baseline,
            on=guesses.secret,
            details=details,
        )


def _require_known(rules: Sequence[Mapping[str, Any]], subject: Subject) -> None:
    """Rules name published columns, and values that these can have."""
    for place, rule in enumerate(rules, 1):
        for part, names in (("where", subject.quasi), ("never", subject.sensitive)):
            unknown = [name for name in rule[part] if name not in names]
            if unknown:
                kind = "quasi-identifier" if part == "where" else "sensitive column"
                raise InputError(
                    f"rule {place}, {part}: no published {kind} is called {', '.join(map(repr, unknown))};"
                    f" there are: {', '.join(names)}"
                )
            for name, values in rule[part].items():
                foreign = int((_meant(subject, name, values).values == 0).sum())
                if foreign:
                    raise InputError(
                        f"rule {place}, {part}: {foreign} of {len(values)} values of column {name!r} stand for nothing"
                        " that it can hold; write them as the data has them, or as a label or interval"
                    )


def _meant(subject: Subject, name: str, values: Sequence[str]) -> CellSpans:
    return CellSpans.of(values, subject.domain(name), subject.policy.columns[name])


def _among(subject: Subject, name: str, values: Sequence[str]) -> Flags:
    """Per code of a column, whether one of some values, labels or intervals stands for it."""
    spans, codes = _meant(subject, name, values), np.arange(subject.domain(name).size)
    held = np.zeros(len(codes), dtype=np.bool_)
    for cell in range(len(spans)):
        held |= spans.has(np.full(len(codes), cell), codes)
    return held


def _struck(subject: Subject, guesses: Guesses, rules: Sequence[Mapping[str, Any]]) -> tuple[Chances, int]:
    """What may be believed after all rules, and how many people they describe."""
    chances, known = guesses.chances, guesses.known
    kept, owner = np.ones(len(chances.values), dtype=np.bool_), chances.owner
    described = np.zeros(len(known.counts), dtype=np.bool_)
    for rule in rules:
        if guesses.secret not in rule["never"]:
            continue
        meant = np.ones(len(known.counts), dtype=np.bool_)
        for name, values in rule["where"].items():
            meant &= _among(subject, name, values)[known.codes[:, known.names.index(name)]]
        never = _among(subject, guesses.secret, rule["never"][guesses.secret])
        kept &= ~(meant[owner] & never[chances.values])
        described |= meant
    whole = np.bincount(owner[kept], weights=chances.chances[kept], minlength=len(described))
    starts = np.concatenate(([0], np.cumsum(np.bincount(owner[kept], minlength=len(described)))))
    left = chances.chances[kept] / whole[owner[kept]]
    return Chances(starts, chances.values[kept], left, chances.size), int(known.counts[described].sum())
