"""Kinds of promises that a person may choose on the page, with the numbers that each asks for.

A promise of a policy that is not among them stays as it is, and is shown in its own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["ROWS", "SECRETS", "TERMS", "Number", "chosen_of", "kinds_for", "number_of"]


@dataclass(frozen=True)
class Number:
    """A number that a promise asks for: what is meant unless somebody says otherwise, and the least there is."""

    name: str
    usual: str
    least: str
    step: str = "1"


Kinds = Mapping[str, tuple[Number, ...]]

ROWS: Kinds = {"k-anonymity": (Number("k", "5", "2"),)}
"""About rows that look alike."""
SECRETS: Kinds = {
    "distinct-l": (Number("l", "3", "2"),),
    "simple-l": (Number("l", "2", "1", "any"),),
    "entropy-l": (Number("l", "3", "1", "any"),),
    "recursive-cl": (Number("c", "2", "0", "any"), Number("l", "2", "2")),
    "t-closeness": (Number("t", "0.3", "0", "any"),),
}
"""About a sensitive column."""
TERMS: Kinds = {
    "qs-cl": (Number("c", "1", "0", "any"), Number("l", "3", "2")),
    "qs-t": (Number("t", "0.3", "0", "any"),),
}
"""About a column of terms that betray something together."""
_BY_ROLE: Mapping[str, Kinds] = {"sensitive": SECRETS, "quasi-sensitive": TERMS}


def kinds_for(role: str) -> Kinds:
    """The kinds that fit a secret of that role."""
    return _BY_ROLE[role]


def chosen_of(privacy: Sequence[Mapping[str, Any]], column: str, kinds: Kinds) -> Mapping[str, Any] | None:
    """The promise about a column that is of one of these kinds; None: there is none."""
    return next((each for each in privacy if each.get("on") == column and each["model"] in kinds), None)


def number_of(text: str) -> int | str:
    """A number as a policy has it: whole ones as such, others as they are written; a comma may be the decimal sign.

    >>> number_of("3"), number_of("2,5"), number_of("1/3")
    (3, '2.5', '1/3')
    """
    plain = text.strip().replace(",", ".")
    return int(plain) if plain.isdecimal() else plain
