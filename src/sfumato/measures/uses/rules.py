"""Rules preserved: how many of the table's classification rules still hold in a release.

A rule, such as *health = not_recom ⇒ not_recom*, is a conjunction of quasi-identifiers' values that covers at least
`support` rows, of which at least the share `confidence` has one value of the target. It is preserved if the release, by
its estimates (`sfumato.measures.uses.answers`), says so too: rows covered by the rule, and those of them with the
target, meet the same bounds, whatever they are in the original.

Deviations and what was chosen: the paper does not say how rules are learnt, and cites a learner. It counts 62 rules of
Adult (70%, 250 rows) and 19 of Nursery (90%, 100 rows), which neither all conjunctions have (1060 of Nursery), nor the
shortest of them (35), nor the nodes (15) or leaves (9) of ID3. The one that it prints is found: it covers 4320 rows of
Nursery, and is right of all. Here rules are the shortest conjunctions (`sfumato.measures.uses.mining`), or all of them.
In the release rules are estimated, not learnt anew from values drawn at random.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
section 5.3.2. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.uses.answers import Queries, answered
from sfumato.measures.uses.classifier import target_of
from sfumato.measures.uses.mining import Mined, mined
from sfumato.measures.uses.strips import Strips
from sfumato.release.subject import Lacking, Subject

__all__ = ["RulesPreserved"]

_MOST = 2000
"""Rules that are looked for in the release, those that cover most."""


@dataclass(frozen=True)
class RulesPreserved:
    """The share of the original's rules that hold in the release.

    target       what rules lead to, by itself the sensitive column
    support      rows that a rule covers at least; by itself one in 200, and not fewer than 5
    confidence   the share of these that has the target, at least
    conditions   columns that a rule asks for, at most
    shortest     whether rules of which a part is one already are left out
    """

    target: str | None = None
    support: int | None = None
    confidence: float = 0.7
    conditions: int = 3
    shortest: bool = True
    name: ClassVar[str] = "rules-preserved"
    about: ClassVar[About] = About(
        title="classification rules of the original that still hold",
        formula="rules that hold in the original and by the release's estimates / rules that hold in the original",
        range="0 to 1",
        better="higher",
        reference="Tian, Zhang, DKE 2011, section 5.3.2, https://doi.org/10.1016/j.datak.2010.09.001",
        needs=("the original table", "a sensitive column, or a target", "rules in the original"),
    )

    def __post_init__(self) -> None:
        if (self.support is not None and self.support < 1) or self.conditions < 1:
            raise InputError(f"measure {self.name!r}: support and conditions must be 1 or more")
        if not 0 < self.confidence <= 1:
            raise InputError(f"measure {self.name!r}: confidence must be above 0 and at most 1")

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        target = target_of(subject, self.target, self.name)
        features = tuple(name for name in subject.quasi if name != target)
        support = self.support or max(subject.tuples.rows // 200, 5)
        every = mined(
            subject.tuples,
            features,
            target,
            support,
            self.confidence,
            self.conditions,
            self.shortest,
            given.progress,
        )
        if not len(every):
            raise Lacking(
                f"rules in the original: none covers {support} rows and is right of {self.confidence:.0%} of them; ask"
                " for a lower support or confidence"
            )
        rules = every.some(_MOST)
        held = self._held(subject, rules, target, support, given)
        details: dict[str, Any] = {
            "target": target,
            "rules of the original": len(every),
            "rules looked for": len(rules),
            "rules preserved": int(held.sum()),
            "support": support,
            "conditions at most": every.conditions,
        }
        return Figure(float(held.mean()), details=details)

    def _held(
        self, subject: Subject, rules: Mined, target: str, support: int, given: Circumstances
    ) -> NDArray[np.bool_]:
        """Which rules the release says to hold."""
        names, many = (*rules.names, target), len(rules)
        without = np.column_stack((rules.values, np.full(many, -1)))
        asked = np.concatenate((without, np.column_stack((rules.values, rules.targets))))
        release = Strips.published(subject, names)
        found = answered(
            release, Queries.of(names, asked, asked), subject.sensitive, given.progress, "rules of the release"
        )
        covered, right = found[:many], found[many:]
        near = 1e-9 * np.maximum(covered, 1)
        return np.asarray((covered >= support - near) & (right >= self.confidence * covered - near))
