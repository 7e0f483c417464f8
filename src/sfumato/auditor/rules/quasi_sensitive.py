"""QS (c,l)-diversity and QS t-closeness: what the terms of a class make believe of labels.

Every row spreads one unit over the labels that its terms may stand for, equally or as the knowledge says; a row without
any adds nothing, to no label. With sums m(L) over a class of M linked rows:

qs-cl   m_1 <= c (m_l + m_(l+1) + ...), the m in descending order
qs-t    Σ (m(L)/M - prior(L))² <= t², over all labels; earth mover's: Σ max(0, m(L)/M - prior(L)) <= t, or by a tree

A class without linked rows keeps both, and its rows are counted beside. Sums are integers in units of 1/u, u the least
number that makes them so for the class.

P. Shi, L. Xiong, B. C. M. Fung, Anonymizing Data with Quasi-Sensitive Attribute Values, CIKM 2010.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from sfumato.auditor.beliefs import Beliefs, GroupBelief
from sfumato.auditor.rules.believed import Change, Prior, Sums, sums_of
from sfumato.auditor.rules.contract import Case, Rule, Ruling, Undecidable
from sfumato.auditor.terms import TermColumn
from sfumato.exact import as_text
from sfumato.policy import promises

__all__ = ["QS_CL", "QS_T"]

_MILLION = 10**6


def judge_qs_cl(promise: promises.QsCL, case: Case) -> Ruling | Undecidable:
    """The level is the largest l that all classes with linked rows reach under this c."""
    if case.terms is None:
        return Undecidable("the column's terms")
    up, down = promise.c.numerator, promise.c.denominator

    def reached(sums: Sums) -> Fraction:
        """Tails fall as l grows, so the largest l is their number."""
        rising = sorted(sums.parts.values())
        tail, found = 0, 0
        for part in rising:
            tail += part
            found += rising[-1] * down <= up * tail
        return Fraction(found)

    def believed(sums: Sums) -> Change:
        top = max(sums.parts, key=lambda label: (sums.parts[label], -label))
        return Change(top, None, sums.belief(top))

    weighed = _weighed(case, case.terms, reached, believed)
    return _ruling(
        weighed,
        1,
        lambda level: level >= promise.l,
        lambda level: level,
        f"l at least {promise.l} under c={as_text(promise.c)}",
    )


def judge_qs_t(promise: promises.QsT, case: Case) -> Ruling | Undecidable:
    """The level is the largest distance, rounded up to six decimals where it is a root."""
    if case.terms is None:
        return Undecidable("the column's terms")
    shares = _shares(promise, case.terms, case.prior)
    if shares is None:
        return Undecidable(case.needs if promise.prior == "table" else "priors of labels in the column's knowledge")
    place = {label: at for at, label in enumerate(case.terms.knowledge.labels)}
    if not shares.keys() <= place.keys() or sum(shares.values()) != 1:
        return Undecidable("a prior that speaks of the labels of the knowledge, and sums to 1")
    prior = Prior.of({place[label]: share for label, share in shares.items()})
    tree = case.terms.tree
    measures: dict[str, Callable[[Sums], Fraction]] = {"euclidean": prior.square, "emd": prior.moved}
    if promise.distance not in measures:
        if tree is None:
            return Undecidable("a hierarchy of the column's labels")
        measures[promise.distance] = partial(prior.carried, tree, case.terms.knowledge.labels)
    emd = promise.distance != "euclidean"
    source = {"table": "estimated from the original table", "knowledge": "that of the knowledge"}
    weighed = _weighed(case, case.terms, measures[promise.distance], prior.changed)
    bound = promise.t if emd else promise.t**2
    return _ruling(
        weighed,
        -1,
        lambda level: level <= bound,
        (lambda level: level) if emd else _root,
        f"distance at most {as_text(promise.t)} from the prior, {source.get(promise.prior, 'as given')}",
    )


def _shares(
    promise: promises.QsT, terms: TermColumn, estimated: Mapping[str, Fraction] | None
) -> Mapping[str, Fraction] | None:
    """What is believed of labels beforehand, if it is known."""
    if promise.prior == "table":
        return estimated
    if promise.prior != "knowledge":
        return dict(promise.prior)
    known = terms.knowledge
    return None if known.priors is None else dict(zip(known.labels, known.priors, strict=True))


@dataclass(frozen=True)
class Weighed:
    """A class and the level that it reaches: None if it has no linked row."""

    group: int
    level: Fraction | None
    alike: int
    linked: int
    unlinked: int
    labels: int
    name: str | None = None
    change: Change | None = None

    def key(self, sign: int) -> tuple[bool, Fraction, int, int, Fraction, int, int]:
        """The worst level first, no level last; then the fewest labels, the fewest rows, the largest change."""
        size, label = (Fraction(0), 0) if self.change is None else (self.change.size, self.change.label)
        level = sign * (self.level or Fraction(0))
        return self.level is None, level, self.labels, self.linked, -size, label, self.group

    def shown(self, kept: bool, level: Fraction | None) -> GroupBelief:
        change = self.change
        before, after = (None, None) if change is None else (change.before, change.after)
        return GroupBelief(
            groups=self.alike,
            rows=self.linked + self.unlinked,
            linked=self.linked,
            labels=self.labels,
            kept=kept,
            level=level,
            label=self.name,
            prior=before,
            posterior=after,
            change=None if before is None or after is None else after - before,
        )


def _weighed(
    case: Case, terms: TermColumn, measure: Callable[[Sums], Fraction], believed: Callable[[Sums], Change]
) -> list[Weighed]:
    """Every class, one after the other: the sums of all of them might not fit into memory."""
    classes, found = case.classes, []
    for group, alike in enumerate(classes.alike.tolist()):
        mine = slice(int(classes.starts[group]), int(classes.starts[group + 1]))
        sums = sums_of(terms, classes.values[mine].tolist(), classes.counts[mine].tolist())
        facts = (alike, sums.linked, sums.unlinked, len(sums.parts))
        if not sums.linked:
            found.append(Weighed(group, None, *facts))
            continue
        level, change = measure(sums), believed(sums)
        found.append(Weighed(group, level, *facts, terms.knowledge.labels[change.label], change))
    return found


def _ruling(
    weighed: Sequence[Weighed],
    sign: int,
    keeps: Callable[[Fraction], bool],
    level_of: Callable[[Fraction], Fraction],
    required: str,
) -> Ruling:
    """`sign` is 1 where a small level is bad, -1 where a large one is."""
    kept = [each.level is None or keeps(each.level) for each in weighed]
    levels = [None if each.level is None else level_of(each.level) for each in weighed]
    order = sorted(range(len(weighed)), key=lambda group: weighed[group].key(sign))
    groups = [weighed[group].shown(kept[group], levels[group]) for group in order]
    return Ruling(np.array(kept), levels[order[0]], order[0], required, Beliefs.of(groups), np.array(order))


def _root(square: Fraction) -> Fraction:
    """The least number with six decimals whose square is not less."""
    scaled = math.ceil(square * _MILLION**2)
    return Fraction(math.isqrt(scaled - 1) + 1 if scaled else 0, _MILLION)


QS_CL = Rule(judge_qs_cl, values=False, terms=True)
QS_T = Rule(judge_qs_t, values=False, terms=True)
