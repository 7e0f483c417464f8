"""What labels tell of rows that are not published.

A bound or value that public files name must follow from published rows, or from the policy's own words. Told is what
only rows that were left out have: the value itself, unless it is round, or a bound beyond all that is published.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .case import Case, Finding
from .reading import folded

if TYPE_CHECKING:
    from .reading import Published

__all__ = ["told_by_labels"]

_TOKEN = re.compile(r"[^\s,{}\[\]()\"]+")


def told_by_labels(case: Case, published: Published, whole: Sequence[int]) -> Iterator[Finding]:
    """Columns of which a label names what only rows that were left out have. Needs to know who is published."""
    people = published.people
    if not people or "tag" not in people[0]:
        return
    present = {row["tag"] for row in people}
    shown = [row for row in case.rows if row["tag"] in present]
    hidden = [row for row in case.rows if row["tag"] not in present]
    for name in case.with_role("quasi", "sensitive"):
        seen = {row[name] for row in shown}
        spelt = {folded(value) for value in seen if value is not None}
        secret = {value for row in hidden if (value := row[name]) is not None and folded(value) not in spelt}
        public = _tokens(published, name)
        words = _words(case.columns[name]) | _words(case.policy["privacy"])
        told = {value for value in secret & public - words if not _round(value, case.columns[name])}
        if told:
            yield Finding("label", name, f"{len(told)} values of left-out rows alone are named ({_kind(case, name)})")
        elif _beyond(case.columns[name], public - words, seen, secret):
            yield Finding("label", name, f"a bound lies beyond all that is published ({_kind(case, name)})")


def _kind(case: Case, name: str) -> str:
    """What makes the labels of a column."""
    column = case.columns[name]
    hierarchy = column.get("hierarchy")
    made = next(iter(hierarchy)) if isinstance(hierarchy, Mapping) else hierarchy
    return str(made or next((key for key in ("difference", "bins") if key in column), "none"))


def _tokens(published: Published, name: str) -> set[str]:
    """Everything that the tables and the document name of a column."""
    texts: list[str] = []
    for table in published.tables.values():
        texts += [str(row[name]) for row in table if row.get(name) is not None]
    entry = published.document["dictionary"].get(name, {})
    texts += [text for pair in (entry.get("values") or {}).items() for text in pair]
    texts += list((published.document.get("weights") or {}).get(name, {}))
    return {token for text in texts for token in (text, *_TOKEN.findall(text))}


def _words(given: Any) -> set[str]:
    """Words and numbers that the policy itself has."""
    text = json.dumps(given, ensure_ascii=False)
    return set(_TOKEN.findall(text.replace('"', " ").replace(":", " ")))


def _round(value: str, column: Mapping[str, Any]) -> bool:
    """Whether a bound could have been chosen without knowing the value: tens, firsts of a month, the policy's grid."""
    if column.get("type") == "date":
        return value.endswith("-01")
    if column.get("type") != "integer":
        return len(value) < 3
    number, hierarchy = int(value), column.get("hierarchy")
    if isinstance(hierarchy, Mapping) and "intervals" in hierarchy:
        return (number - int(hierarchy.get("origin", 0))) % int(hierarchy["intervals"][0]) == 0
    if isinstance(column.get("bins"), Mapping):
        return number % int(column["bins"]["width"]) == 0
    return number % 10 == 0


def _beyond(column: Mapping[str, Any], public: set[str], seen: set[str | None], secret: set[str]) -> bool:
    """Whether a number of a hierarchy made from the data lies further out than any rounding of what is published."""
    hierarchy = column.get("hierarchy")
    if column.get("type") != "integer" or not isinstance(hierarchy, Mapping) or "balanced" not in hierarchy:
        return False
    numbers = [int(value) for value in seen if value is not None]
    bounds = [int(token) for token in public if token.lstrip("-").isdigit()]
    if not numbers or not secret:
        return False
    step = 10 ** (len(str(max(map(abs, numbers)))) - 1)
    low, high = min(numbers) // step * step - step, -(-max(numbers) // step) * step + step
    return any(bound < low or bound > high for bound in bounds)
