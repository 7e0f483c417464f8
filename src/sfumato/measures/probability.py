"""Mean probability and reconstruction error: how surely the release gives everybody their own secret.

In a class of n rows with counts c of its values, rows have their own value with probability Σ (c/n)² on average. The
mean probability is the mean over all rows, the reconstruction error the sum of what is missing to 1: n minus the number
of groups, where the rows of every group all differ. A generalized value is any of those that it stands for, a value
that was changed at random as likely as the recipient may believe. In rings, with the manifest, a class is who a person
may be. A suppressed row has its own value with the share that this has of the release.

Reference: Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility. Properties 1, 5, 6, 8.
Deviation: Property 6 is right with (y − z)/(ℓ|B|) as its last term; nothing here rests on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.release.shares import Shares
from sfumato.release.subject import Lacking, Subject

__all__ = ["MeanProbability", "ReconstructionError"]

_REFERENCE = "Zhu, Tian, Du, Xie: Anonymization on refining partition"
_NEEDS = ("the original table", "a sensitive column")


@dataclass(frozen=True)
class MeanProbability:
    """Mean over rows of the probability of their own value."""

    name: ClassVar[str] = "mean-probability"
    about: ClassVar[About] = About(
        title="probability with which a row is given its own secret",
        formula="sum over classes of rows * sum over values of share², / rows",
        range="least where classes hold many values evenly, to 1; at most 1/l where no value fills more than 1/l",
        better="higher",
        reference=f"{_REFERENCE}, Properties 1, 5 and 6",
        needs=_NEEDS,
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = _probabilities(subject)
        return Figure(sum(found.values()) / len(found), found)


@dataclass(frozen=True)
class ReconstructionError:
    """Sum over rows of one minus that probability."""

    name: ClassVar[str] = "reconstruction-error"
    about: ClassVar[About] = About(
        title="rows that are not given their own secret, as expected",
        formula="sum over rows of 1 - probability of their own value; rows - groups, if values of a group all differ",
        range="0 to the rows of the table",
        better="lower",
        reference=f"{_REFERENCE}, Property 8",
        needs=_NEEDS,
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = {name: subject.rows * (1 - share) for name, share in _probabilities(subject).items()}
        return Figure(sum(found.values()) / len(found), found)


def _probabilities(subject: Subject) -> dict[str, float]:
    """Per sensitive column, the mean over all rows."""
    if not subject.sensitive:
        raise Lacking("a sensitive column")
    return {name: _probability(subject, name) for name in subject.sensitive}


def _probability(subject: Subject, secret: str) -> float:
    people, shares = _believed(subject, secret)
    each = np.bincount(shares.owner, weights=shares.shares**2, minlength=len(people))
    right = float(people @ each)
    if subject.suppressed:
        mass = np.bincount(shares.values, weights=shares.shares * people[shares.owner], minlength=shares.size)
        missing = np.maximum(subject.domain(secret).counts - mass, 0.0)
        right += subject.suppressed * float(missing @ mass) / max(missing.sum() * mass.sum(), 1e-300)
    return right / max(subject.rows, 1)


def _believed(subject: Subject, secret: str) -> tuple[NDArray[np.float64], Shares]:
    """How many people each class is of, and what is believed of them."""
    windows = subject.seen.windows
    if windows is None:
        numbered = subject.numbered(secret)
        return numbered.sizes.astype(np.float64), numbered.shares
    rows, window = windows
    cells, many = subject.cells(secret), int(window.max(initial=-1)) + 1
    shares = Shares.counted(window, cells.codes[rows], many, cells.spans, cells.domain.occurring)
    often = np.bincount(rows, minlength=subject.published)  # a row is in as many windows as it may be people
    return np.bincount(window, weights=1 / often[rows], minlength=many).astype(np.float64), shares
