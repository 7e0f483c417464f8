"""Groups in which nearly all rows have the same secret, though the promise is kept.

A promise that counts different values, or rows, does not ask how often each value occurs: 70,864 of 70,865 rows may be
alike, and whoever is found among them is guessed right nearly always. So it is said, of every sensitive column, where
in some group of two rows or more at least nine in ten have the same value (`NEARLY_ALL`). It is no fault: what was
promised is judged by its rule. Where a promise that limits how often a value occurs fails, that says it already.

Values are those that a recipient sees; of a form that changes them, how surely one may be believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from sfumato.auditor.court import Court
from sfumato.auditor.exactly import largest_ratio
from sfumato.auditor.levels import Level
from sfumato.auditor.rules import rule_of
from sfumato.auditor.verdict import Criterion, Lopsided

__all__ = ["NEARLY_ALL", "lopsided"]

NEARLY_ALL = Fraction(9, 10)
"""A share of rows with the same value from which on it is said."""


def lopsided(court: Court, criteria: Iterable[Criterion]) -> Iterator[Lopsided]:
    """Every sensitive column of which it is so."""
    failing = {(each.model, each.on) for each in criteria if each.verdict == "fails"}
    for name in court.secrets:
        promises = [(promise, rule_of(promise.name)) for _, promise, about, _ in court.asked() if about == name]
        limiting = [promise.name for promise, rule in promises if rule is not None and rule.often]
        if any((model, name) in failing for model in limiting):
            continue
        found = _worst(court, name)
        if found is not None:
            named = tuple(
                dict.fromkeys(str(promise.on_column(None)) for promise, _ in promises if promise.about_values)
            )
            yield found.model_copy(update={"promises": named, "counted": not limiting})


def _worst(court: Court, name: str) -> Lopsided | None:
    seen, column = court.seen, court.secrets[name]
    believed = seen.beliefs is not None
    if seen.needs or not seen.table.height or (believed and name not in (seen.beliefs or {})):
        return None
    if not believed and (seen.changed or column.generalized):
        return None
    classes = court.case(name, ()).classes
    tops, sizes = classes.top, classes.sizes
    alike = ((sizes >= 2) | believed) & (tops * NEARLY_ALL.denominator >= sizes * NEARLY_ALL.numerator)
    if not alike.any():
        return None
    chosen = np.flatnonzero(alike)
    chosen = chosen[np.argsort(-sizes[chosen], kind="stable")]  # of equal shares the largest group is the worst
    share, at = largest_ratio(tops[chosen], sizes[chosen])
    groups, worst = int(classes.alike[alike].sum()), int(chosen[at])
    if believed:
        return Lopsided(column=name, share=share, groups=groups)
    value = int(column.published[classes.values[classes.starts[worst]]])
    return Lopsided(
        column=name,
        share=share,
        rows=int(sizes[worst]),
        alike=int(tops[worst]),
        table=_of_all(value, int(column.published.sum())),
        groups=groups,
        in_rows=int(sizes[alike] @ classes.alike[alike]),
    )


def _of_all(rows: int, every: int) -> Level:
    return Fraction(rows, max(every, 1))
