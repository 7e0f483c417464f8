"""What a published label means, in a phrase for a data dictionary.

Values below a node are listed only if the hierarchy stands in the policy itself. A file may have been made from the
data, and a hierarchy made from data keeps its values to itself.
"""

from __future__ import annotations

import re

from sfumato.exact import as_fraction, as_text
from sfumato.policy.columns import (
    BalancedHierarchy,
    Column,
    DatesHierarchy,
    FileHierarchy,
    IntervalsHierarchy,
    MaskHierarchy,
    TreeHierarchy,
)
from sfumato.taxonomy.notation import Interval, Mask, read_interval, read_mask
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["explain", "readings"]

LISTED = 12
"""Most values that a phrase lists."""


def explain(column: Column, taxonomy: Taxonomy, node: int) -> str:
    """What the label of a node says about a value."""
    if node < taxonomy.size:
        return "exactly this value"
    if node == taxonomy.root:
        return "any value"
    label = taxonomy.labels[node]
    match column.hierarchy:
        case IntervalsHierarchy():
            interval = read_interval(label)
            return _interval(interval) if interval is not None else _several(taxonomy, node)
        case MaskHierarchy():
            mask = read_mask(label)
            return _mask(mask) if mask is not None else f"at most {_characters(len(label))}"
        case DatesHierarchy():
            return _days(label)
        case BalancedHierarchy():
            return _part(label, column)
        case FileHierarchy():
            return _written(taxonomy, node, listed=False)
        case TreeHierarchy():
            return _written(taxonomy, node, listed=True)
        case _:
            return _several(taxonomy, node)


def readings(column: Column, label: str) -> frozenset[str]:
    """What `explain` may say of a label without knowing the values below it."""
    found = set()
    interval, mask = read_interval(label), read_mask(label)
    if interval is not None:
        found.add(_interval(interval))
    if mask is not None:
        found.add(_mask(mask))
    if isinstance(column.hierarchy, DatesHierarchy) and _DATES.fullmatch(label):
        found.add(_days(label))
    if isinstance(column.hierarchy, BalancedHierarchy):
        found.add(_part(label, column))
    return frozenset(found)


def _interval(interval: Interval) -> str:
    low, high = interval.low, interval.high
    if low is None and high is None:
        return "any value"
    if low is None or high is None:
        return _half_open(interval)
    opening = "included" if interval.low_closed else "excluded"
    closing = "included" if interval.high_closed else "excluded"
    return f"from {as_text(low)} ({opening}) to {as_text(high)} ({closing})"


def _half_open(interval: Interval) -> str:
    if interval.high is not None:
        return f"{as_text(interval.high)} or less" if interval.high_closed else f"less than {as_text(interval.high)}"
    low = as_text(interval.low or as_fraction(0))
    return f"{low} or more" if interval.low_closed else f"more than {low}"


def _characters(count: int) -> str:
    return f"{count} character{'' if count == 1 else 's'}"


def _mask(mask: Mask) -> str:
    how = "beginning" if mask.side == "right" else "ending"
    return f"{_characters(mask.length)} {how} with {mask.kept}"


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


_DATES = re.compile(r"[0-9]{1,5}(-Q[1-4]|-(0[1-9]|1[0-2]))?", re.ASCII)


def _days(label: str) -> str:
    year, _, part = label.partition("-")
    if part.startswith("Q"):
        first = int(part[1:]) * 3 - 2
        months = f"{_MONTHS[first - 1]} to {_MONTHS[first + 1]}"
        return f"any day of the quarter {months} {year}"
    return f"any day of {_MONTHS[int(part) - 1]} {year}" if part else f"any day of {year}"


_PART = re.compile(r"[\[(](?P<low>.+), (?P<high>.+)\)", re.DOTALL)


def _part(label: str, column: Column) -> str:
    if column.kind in ("integer", "number"):
        interval = read_interval(label)
        return _interval(interval) if interval is not None else label
    match = _PART.fullmatch(label)
    if match is None or label.count(", ") > 1:
        return f"{label} in the order of {column.kind}s"
    order = "any day" if column.kind == "date" else "any text in alphabetical order (by Unicode number)"
    if label.startswith("("):
        return f"{order} before {match['high']}"
    if match["high"] == "inf":
        return f"{order} from {match['low']} (included) on"
    return f"{order} from {match['low']} (included) to {match['high']} (excluded)"


def _written(taxonomy: Taxonomy, node: int, listed: bool) -> str:
    """A label that reads as an interval or a mask is believed only if all values below agree."""
    label, values = taxonomy.labels[node], _leaves(taxonomy, node)
    interval = read_interval(label)
    if interval is not None and all(_within(value, interval) for value in values):
        return _interval(interval)
    mask = read_mask(label)
    if mask is not None and all(_matches(value, mask) for value in values):
        return _mask(mask)
    if not listed or len(values) > LISTED:
        return f"{_several(taxonomy, node)} of the hierarchy"
    if len(values) == 1:
        return f"only the value {values[0]}"
    return f"{_several(taxonomy, node)} of the hierarchy: {', '.join(values)}"


def _leaves(taxonomy: Taxonomy, node: int) -> tuple[str, ...]:
    return taxonomy.labels[int(taxonomy.first[node]) : int(taxonomy.last[node]) + 1]


def _within(value: str, interval: Interval) -> bool:
    try:
        return as_fraction(value) in interval
    except ValueError:
        return False


def _matches(value: str, mask: Mask) -> bool:
    kept = value.startswith(mask.kept) if mask.side == "right" else value.endswith(mask.kept)
    return kept and len(value) == mask.length


def _several(taxonomy: Taxonomy, node: int) -> str:
    return f"any of {int(taxonomy.leaf_counts[node])} values"
