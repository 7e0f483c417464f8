"""What a rule is: it judges one promise on histograms of classes, from the promise's definition alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.auditor.beliefs import Beliefs
    from sfumato.auditor.exactly import Flags, Ints
    from sfumato.auditor.secrets import Secrets
    from sfumato.auditor.terms import TermColumn
    from sfumato.auditor.verdict import Within
    from sfumato.policy.promise import Promise
    from sfumato.release.classes import Classes

__all__ = ["Case", "Rule", "Ruling", "Undecidable"]


@dataclass(frozen=True, eq=False)
class Case:
    """What a rule sees: the classes of a release under one view, counted by one sensitive column.

    classes    every histogram that occurs, once: classes that are alike share a verdict
    secrets    the column, or None for a promise about sizes: every class then counts one value, its rows
    original   rows of the whole original table per code of the column, or None if they are not known
    needs      what the original distribution would need, if it is not known
    left_out   rows that the table does not show, if that is known
    terms      for a promise about terms, the column instead of `secrets`
    prior      of its labels, estimated from the original table, or None if it is not known
    """

    classes: Classes
    secrets: Secrets | None = None
    original: Ints | None = None
    needs: str = ""
    left_out: int | None = None
    terms: TermColumn | None = None
    prior: Mapping[str, Fraction] | None = None


@dataclass(frozen=True, eq=False)
class Ruling:
    """Which classes keep the promise, the level that all of them reach, and the class that decides it.

    order   all classes, the worst first, if that is known anyway
    """

    kept: Flags
    level: Fraction | str | None
    worst: int
    required: str
    beliefs: Beliefs | None = None
    order: Ints | None = None


@dataclass(frozen=True)
class Undecidable:
    """No judgement: what it would need, and what can be said without."""

    needs: str
    bounds: Within | None = None


@dataclass(frozen=True)
class Rule:
    """How a promise is judged.

    by_id    it speaks of groups that survive no merging, so only a published group id shows them
    values   it counts values of a sensitive column
    rows     it speaks of rows that quasi-identifiers do not tell apart
    general  these may be generalized: it knows what an inner node of the hierarchy stands for
    coarse   these may be labels of which none lies above another: where such labels keep it, values do
    shape    it asks how even the counts of values are, and of which values does not matter
    often    it limits how often a value may occur; otherwise it counts different values alone
    terms    it speaks of a quasi-sensitive column, and `values` of none
    weighed  what generalized values come to under weights that somebody may have in mind, in words for the holder; None
             where there is nothing to say
    merged   for a promise that survives no merging: the one that follows from it for classes that look alike, which
             rows that are left out must keep; None: itself
    """

    judge: Callable[[Any, Case], Ruling | Undecidable]
    by_id: bool = False
    values: bool = True
    rows: bool = False
    general: bool = False
    coarse: bool = False
    shape: bool = False
    often: bool = True
    terms: bool = False
    merged: Callable[[Any], Promise] | None = None
    weighed: Callable[[Any, Case], str | None] | None = None
