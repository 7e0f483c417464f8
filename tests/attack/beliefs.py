"""What terms make believe of labels, by the definitions of quasi-sensitive attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .definitions import carried, tree_of

__all__ = ["Terms", "keeps_about_terms", "linked", "mean_belief", "read_terms"]


@dataclass(frozen=True)
class Terms:
    """The terms of a cell, and how many suppressed ones it shows."""

    shown: frozenset[str]
    marks: int = 0


def read_terms(cell: str | Sequence[str] | None, separator: str) -> Terms:
    """A cell of text or a list; ``*`` marks a suppressed term."""
    parts = cell.split(separator) if isinstance(cell, str) else list(cell or ())
    terms = [part.strip() for part in parts]
    return Terms(frozenset(term for term in terms if term not in ("", "*")), terms.count("*"))


def _ways(column: Mapping[str, Any]) -> list[tuple[str, frozenset[str]]]:
    """Labels with each set of terms that is enough for them."""
    made = []
    for label, given in column["knowledge"]["labels"].items():
        sets = given if given and isinstance(given[0], list) else [given]
        made += [(label, frozenset(terms)) for terms in sets]
    return made


def linked(column: Mapping[str, Any], terms: Terms) -> dict[str, Fraction]:
    """The labels that a row may stand for, and how likely each is; none: it is unlinked."""
    ways = _ways(column)
    known = terms.shown & frozenset().union(*(held for _, held in ways))
    if terms.shown and (not known or (column.get("unknown") == "strict" and known != terms.shown)):
        return {}
    least = len(known) + terms.marks if column.get("lengths") == "known" else 0
    labels = {label for label, held in ways if known <= held and len(held) >= least}
    priors = column["knowledge"].get("priors")
    weights = {label: Fraction(1 if priors is None else priors[label]) for label in labels}
    whole = sum(weights.values(), Fraction(0))
    return {label: weight / whole for label, weight in weights.items()}


def mean_belief(column: Mapping[str, Any], rows: Sequence[Terms]) -> dict[str, Fraction]:
    """Of the linked rows together; empty if there is none."""
    links = [found for found in (linked(column, terms) for terms in rows) if found]
    sums: dict[str, Fraction] = {}
    for found in links:
        for label, chance in found.items():
            sums[label] = sums.get(label, Fraction(0)) + chance / len(links)
    return sums


def keeps_about_terms(
    promise: Mapping[str, Any], column: Mapping[str, Any], rows: Sequence[Terms], whole: Sequence[Terms]
) -> bool:
    """Whether a group of such rows keeps the promise; one without a linked row does."""
    belief = mean_belief(column, rows)
    if not belief:
        return True
    if promise["model"] == "qs-cl":
        ranked = sorted(belief.values(), reverse=True)
        return ranked[0] <= Fraction(promise["c"]) * sum(ranked[promise["l"] - 1 :], Fraction(0))
    prior = _prior(promise.get("prior", "table"), column, whole)
    extra = {label: belief.get(label, Fraction(0)) - prior.get(label, Fraction(0)) for label in {*belief, *prior}}
    t, kind = Fraction(promise["t"]), promise.get("distance", "euclidean")
    if kind == "hierarchical":
        return carried(tree_of(column["hierarchy"]["tree"]), extra) <= t
    if kind == "emd":
        return sum((part for part in extra.values() if part > 0), Fraction(0)) <= t
    return sum((part**2 for part in extra.values()), Fraction(0)) <= t**2


def _prior(given: Any, column: Mapping[str, Any], whole: Sequence[Terms]) -> dict[str, Fraction]:
    if given == "table":
        return mean_belief(column, whole)
    shares = column["knowledge"]["priors"] if given == "knowledge" else given
    total = sum((Fraction(share) for share in shares.values()), Fraction(0))
    return {label: Fraction(share) / total for label, share in shares.items()}
