"""Classifier accuracy: how well what is learnt from a release predicts a column of the original.

A classifier learns the target from the release, and one of the same kind from the original; both are asked about every
row of the original, and the figure is the ratio of how often they are right (rca). The classifier is ID3 of our own
(`sfumato.measures.uses.id3`), or one of scikit-learn's (`sfumato.measures.uses.natural`).

To ID3, a general value is a random one of the leaves it covers, and the figure a mean of several draws. Where drawing
again cannot give anything else it is drawn once, as for the original: the paper learns ten trees of it, all the same.

Chosen where the paper says nothing: with quasi-identifiers and sensitive values apart, each row gets a value that is
drawn from its group's (`sfumato.measures.uses.examples`); of more than 50,000 rows, so many are learnt from, of the
original as well. A suppressed row is not learnt from, but asked about. Scikit-learn takes longer: a tree learns from
20,000 rows at most, logistic regression from 10,000, three times by itself, and both are asked about 50,000.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
section 5.3.2. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from sfumato.errors import InputError
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.uses.examples import Examples, certain
from sfumato.measures.uses.id3 import COLUMNS, Id3Tree
from sfumato.measures.uses.natural import Natural
from sfumato.measures.uses.strips import Strips
from sfumato.randomness import Randomness
from sfumato.release.subject import Lacking, Subject

__all__ = ["ClassifierAccuracy", "target_of"]

_MOST = {"id3": 50_000, "tree": 20_000, "logistic": 10_000}
"""Rows that are learnt from."""
_REPEATS = {"id3": 10, "tree": 3, "logistic": 3}
_ASKED = 50_000
"""Rows that scikit-learn is asked about; ID3 is asked about all."""


@dataclass(frozen=True)
class ClassifierAccuracy:
    """Accuracy learnt from the release divided by accuracy learnt from the original.

    target    the column to predict, by itself the sensitive one, from all other quasi-identifiers
    learner   id3; tree or logistic, of scikit-learn
    repeats   how often it is drawn and learnt, where that makes a difference; 10 times by itself, scikit-learn 3 times
    """

    target: str | None = None
    learner: Literal["id3", "tree", "logistic"] = "id3"
    repeats: int | None = None
    name: ClassVar[str] = "classifier-accuracy"
    about: ClassVar[About] = About(
        title="accuracy of what the release teaches, relative to the original",
        formula="accuracy of a classifier learnt from the release / of one learnt from the original, on the original",
        range="0 upwards; 1: as good as the original",
        better="higher",
        reference="Tian, Zhang, DKE 2011, section 5.3.2, https://doi.org/10.1016/j.datak.2010.09.001",
        needs=("the original table", "a sensitive column, or a target"),
    )

    def __post_init__(self) -> None:
        if self.repeats is not None and self.repeats < 1:
            raise InputError(f"measure {self.name!r}: repeats must be 1 or more")

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        target = target_of(subject, self.target, self.name)
        names = [*(name for name in subject.quasi if name != target), target]
        if self.learner == "id3" and len(names) - 1 > COLUMNS:
            raise Lacking(f"at most {COLUMNS} columns to learn from; there are {len(names) - 1}")
        original = Strips.original(subject, names)
        right = [
            self._learnt(subject, table, original, names, given)
            for table in (original, Strips.published(subject, names))
        ]
        value = float(np.mean(right[1]) / np.mean(right[0])) if np.mean(right[0]) else 0.0
        counts = np.bincount(original.strips[0].cells[-1], weights=original.strips[0].counts)
        details: dict[str, Any] = {
            "target": target,
            "accuracy learnt from the release": float(np.mean(right[1])),
            "accuracy learnt from the original": float(np.mean(right[0])),
            "accuracy of the most frequent value": float(counts.max(initial=0) / max(counts.sum(), 1)),
            "times learnt": len(right[1]),
            "rows learnt from": min(subject.published, _MOST[self.learner]),
        }
        return Figure(value, details=details)

    def _learnt(
        self, subject: Subject, table: Strips, original: Strips, names: list[str], given: Circumstances
    ) -> list[float]:
        """How often each of several classifiers is right."""
        *features, target = (subject.domain(name) for name in names)
        drawn = [target.name] if self.learner != "id3" else names
        most = _MOST[self.learner]
        repeats = 1 if certain(table, drawn, most) else self.repeats or _REPEATS[self.learner]
        asked = Examples.whole(original, features, target)
        if self.learner != "id3":
            asked = Examples.drawn(original, features, target, _ASKED, Randomness.fixed(given.seed))
        found = []
        for number in range(repeats):
            given.progress(f"learning {target.name}", number, repeats)
            randomness = Randomness.fixed(given.seed).bound_to(f"{self.name} {number}".encode())
            rows = Examples.drawn(table, features, target, most, randomness)
            if not len(rows):
                raise Lacking("rows to learn from")
            model: Id3Tree | Natural = (
                Id3Tree.learnt(rows, randomness)
                if self.learner == "id3"
                else Natural.learnt(self.learner, rows, randomness)
            )
            found.append(float(asked.counts[model.says(asked) == asked.targets].sum() / max(asked.counts.sum(), 1)))
        given.progress(f"learning {target.name}", repeats, repeats)
        return found


def target_of(subject: Subject, named: str | None, measure: str) -> str:
    """The column that is meant: the one named, or the only sensitive one."""
    there = (*subject.sensitive, *subject.quasi)
    if named is not None:
        if named not in there:
            raise InputError(
                f"measure {measure!r}: target {named!r} is neither a sensitive column nor a quasi-identifier of the"
                f" release; there are: {', '.join(there)}"
            )
        return named
    if not subject.sensitive:
        raise Lacking("a sensitive column, or a target")
    if len(subject.sensitive) > 1:
        raise Lacking(f"a target: which of the sensitive columns {', '.join(subject.sensitive)}")
    return subject.sensitive[0]
