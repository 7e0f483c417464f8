"""Proximity: for every number y, at most n/m of a class have a value near y.

near y means |x − y| ≤ e, or |x − y| ≤ e·|y| if relative. Every value is near the guesses of one closed interval; how
many rows a guess is near to changes only where such an interval begins or ends. So they are counted along the line. A
bin is near a guess if a number between its bounds is; a missing value is near itself alone.

J. Li, Y. Tao, X. Xiao, "Preservation of proximity privacy in publishing numerical sensitive data", 2008.
https://doi.org/10.1145/1376616.1376666
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np

from sfumato.auditor.exactly import Ints, smallest_ratio, times
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.auditor.secrets import Key, Secrets
from sfumato.exact import as_text
from sfumato.policy import promises
from sfumato.release.classes import Classes

__all__ = ["PROXIMITY"]

_NO_LINE = "a column of numbers, dates or bins, or an order: list that has all its values"


def judge_proximity(promise: promises.Proximity, case: Case) -> Ruling | Undecidable:
    """The level is the least n/near."""
    secrets = case.secrets
    bounds = None if secrets is None else _ends(promise, secrets)
    if bounds is None:
        return Undecidable(_NO_LINE)
    near = _most(case.classes, *bounds)
    kept = times(near, promise.m.numerator) <= times(case.classes.sizes, promise.m.denominator)
    level, worst = smallest_ratio(case.classes.sizes, near)
    relative = promise.neighbourhood == "relative"
    required = f"no more than 1/{as_text(promise.m)} of a group within {as_text(promise.e)}{' of it' * relative}"
    return Ruling(kept, level, worst, f"{required} of any number")


def _ends(promise: promises.Proximity, secrets: Secrets) -> tuple[Ints, Ints] | None:
    """Per code, where the guesses begin and end that it is near, as places on the line; None if one has none."""
    places = {secrets.read(text): place for place, text in enumerate(secrets.column.order or ())}
    found: list[tuple[Fraction, Fraction] | None] = []
    for key in secrets.keys:
        if key is None:
            found.append(None)
            continue
        span = (Fraction(places[key]),) * 2 if key in places else _span(key)
        measured = key not in places and not isinstance(key, date)
        if span is None or (promise.neighbourhood == "relative" and not measured):
            return None
        found.append(_guesses(promise, *span))
    line = {end: place for place, end in enumerate(sorted({end for each in found if each for end in each}))}
    low, high = (np.array([len(line) if each is None else line[each[side]] for each in found]) for side in (0, 1))
    return low, high


def _span(key: Key) -> tuple[Fraction, Fraction] | None:
    if isinstance(key, tuple):
        return key
    if isinstance(key, date):
        return (Fraction(key.toordinal()),) * 2
    return (Fraction(key),) * 2 if isinstance(key, Decimal) else None


def _guesses(promise: promises.Proximity, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """All y that some x from low to high is near."""
    e: Fraction = promise.e
    if promise.neighbourhood == "absolute":
        return low - e, high + e
    ends = [end / (1 + sign * e) for end in (low, high) for sign in (-1, 1)]
    return min(ends), max(ends)


def _most(classes: Classes, low: Ints, high: Ints) -> Ints:
    """Per class, the most rows that are near one guess."""
    owner, counts = np.tile(classes.owner, 2), np.concatenate((classes.counts, -classes.counts))
    ends = np.concatenate((2 * low[classes.values], 2 * high[classes.values] + 1))  # closed: begins before it ends
    order = np.lexsort((ends, owner))
    running = np.cumsum(counts[order])  # a class is over when all its values have ended, at 0
    return np.asarray(np.maximum.reduceat(running, 2 * classes.starts[:-1]))


PROXIMITY = Rule(judge_proximity)
