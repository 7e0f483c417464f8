"""Who is missing where a release shows quasi-identifiers as they are.

Whoever knows a person's quasi-identifiers sees that no row is theirs; and who knows how often each value occurs in the
whole table knows what the missing hold together. So whoever is left out, for whatever reason, must keep what is
promised of values and terms as a class of their own; promises that do not survive merging as far as they do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .case import Finding, named
from .definitions import about_rows, relaxed

if TYPE_CHECKING:
    from .judge import Held, Judge

__all__ = ["left_out_findings"]


def left_out_findings(judge: Judge) -> Iterator[Finding]:
    """Promises that the missing break as a class; an opinion where it hangs on whether null is a value."""
    rows = _missing_rows(judge)
    why = _why(judge)
    for promise in judge.case.policy["privacy"]:
        if about_rows(promise):
            continue
        columns = _columns(judge, promise)
        members = [judge.originals[place] for place in rows] if rows is not None else _difference(judge, columns)
        if not members:
            continue
        asked = relaxed(promise)
        known = [held for held in members if all(held[name] is not None for name in columns)]
        as_values, without = judge.keeps(asked, members), judge.keeps(asked, known)
        if not as_values:
            kind = "left out, if null is a value" if without else f"left out ({why})"
            yield Finding(kind, named(promise), f"{len(members)} people are missing and break it as a class")


def _columns(judge: Judge, promise: Mapping[str, Any]) -> list[str]:
    return list(judge.secrets) if promise["model"] == "multi-attribute" else [judge.about(promise)]


def _why(judge: Judge) -> str:
    """Whether they were dropped for a missing value, suppressed, or both."""
    counted = judge.published.document["rows"]
    suppressed = counted["suppressed"] and not counted["kept"]
    return " and ".join(word for word, so in (("dropped", counted["dropped"]), ("suppressed", suppressed)) if so)


def _missing_rows(judge: Judge) -> list[int] | None:
    """Original rows of which nothing is published; None if that cannot be told person by person."""
    people, rows = judge.published.people, judge.case.rows
    if people and "tag" in people[0]:
        present = {row["tag"] for row in people}
        return [place for place, row in enumerate(rows) if row["tag"] not in present]
    counted = judge.published.document["rows"]
    if not _side_by_side(judge) or (counted["kept"] and counted["suppressed"]):
        return None
    shown = Counter(judge.quasi_key(row) for row in people)
    places: dict[Any, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(judge.quasi_key(row), []).append(place)
    missing: list[int] = []
    for key, mine in places.items():
        away = len(mine) - shown[key]
        if 0 < away < len(mine) and len({repr(judge.originals[place]) for place in mine}) > 1:
            return None
        missing += mine[:away]
    return missing


def _side_by_side(judge: Judge) -> bool:
    """Whether all quasi-identifiers of a row are those of one person."""
    slices, quasi = judge.published.document["shown"].get("slices", ()), set(judge.case.with_role("quasi"))
    return not slices or any(quasi <= set(part) for part in slices)


def _difference(judge: Judge, columns: Sequence[str]) -> list[Held]:
    """What the missing hold, by what the table had less what is published; nothing where that is not told."""
    if judge.form == "randomized" or any(name in judge.sets for name in columns):
        return []
    before = Counter(tuple(held[name] for name in columns) for held in judge.originals)
    after = Counter(tuple(held[name] for name in columns) for _, held in judge.secret_rows)
    if after - before:
        return []
    return [dict(zip(columns, values, strict=True)) for values in (before - after).elements()]
