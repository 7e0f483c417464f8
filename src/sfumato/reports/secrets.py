"""How a secret is spread over the groups of a release, by what it shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.release.codes import Codes
from sfumato.release.subject import Subject
from sfumato.reports.facts import ShareFact
from sfumato.table.packing import Packed

__all__ = ["SecretSpread", "spread_of"]

_DRAWN = 12


@dataclass(frozen=True)
class SecretSpread:
    """Values of a secret, most frequent first; how many more there are; and how many the least varied group has."""

    values: tuple[ShareFact, ...]
    rarer: int
    different: int


def spread_of(subject: Subject, secret: str) -> SecretSpread:
    """The share of every published value in the whole release, and the least and largest in any group."""
    _, rows, _ = subject.classes
    codes, texts = Codes.of(subject.seen.table[secret])
    groups = int(rows.max(initial=-1)) + 1
    counted = Packed.of_rows([(codes.rows, codes.size), (rows, groups)])
    group, value = counted.codes(1), counted.codes(0)
    sizes = np.bincount(rows, minlength=groups)
    different = np.bincount(group, minlength=groups)
    shares = counted.counts / sizes[group]
    total = np.bincount(value, weights=counted.counts, minlength=len(texts))
    most, least = np.zeros(len(texts)), np.ones(len(texts))
    np.maximum.at(most, value, shares)
    np.minimum.at(least, value, shares)
    least[np.bincount(value, minlength=len(texts)) < (sizes > 0).sum()] = 0  # some group does not have it
    order = np.argsort(-total, kind="stable")[:_DRAWN]
    told = tuple(
        ShareFact(texts[at] or "", float(total[at] / max(total.sum(), 1)), float(least[at]), float(most[at]))
        for at in order.tolist()
    )
    return SecretSpread(told, max(len(texts) - _DRAWN, 0), int(different[different > 0].min(initial=len(texts))))
