"""What a published label means, in a phrase for a data dictionary.

Values below a node are listed only if the hierarchy is public: it stands in the policy itself, comes with the package,
or is in a file that the policy declares `public`. Any other file may have been made from the data, and a hierarchy made
from data keeps its values to itself.
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
    PrefixHierarchy,
    ReadyHierarchy,
    TreeHierarchy,
)
from sfumato.taxonomy.dates import days_meant
from sfumato.taxonomy.notation import Interval, Mask, read_interval, read_mask
from sfumato.taxonomy.ready import OTHER, READY
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["explain", "readings"]

LISTED = 100
"""Most values that a phrase lists."""


def explain(column: Column, taxonomy: Taxonomy, node: int) -> str:
    """What the label of a node says about a value."""
    if node < taxonomy.size:
        return "exactly this value"
    label = taxonomy.labels[node]
    if node == taxonomy.root or label == "*":
        return "any value"
    match column.hierarchy:
        case IntervalsHierarchy():
            interval = read_interval(label)
            return _interval(interval) if interval is not None else _several(taxonomy, node)
        case MaskHierarchy():
            mask = read_mask(label)
            return _mask(mask) if mask is not None else f"at most {_characters(len(label))}"
        case DatesHierarchy():
            return days_meant(label) or _several(taxonomy, node)
        case PrefixHierarchy():
            return _beginning(label) or _several(taxonomy, node)
        case ReadyHierarchy(ready=name):
            return _ready(name, label) or _several(taxonomy, node)
        case BalancedHierarchy():
            return _part(label, column) or _several(taxonomy, node)
        case FileHierarchy(public=public):
            return _written(taxonomy, node, listed=public)
        case TreeHierarchy():
            return _written(taxonomy, node, listed=True)
        case _:
            return _several(taxonomy, node)


def readings(column: Column, label: str) -> frozenset[str]:
    """What `explain` may say of a label without knowing the values below it."""
    found: set[str | None] = set()
    interval, mask = read_interval(label), read_mask(label)
    if interval is not None:
        found.add(_interval(interval))
    if mask is not None:
        found.add(_mask(mask))
    match column.hierarchy:
        case DatesHierarchy():
            found.add(days_meant(label))
        case BalancedHierarchy():
            found.add(_part(label, column))
        case PrefixHierarchy():
            found.add(_beginning(label))
        case ReadyHierarchy(ready=name):
            found.add(_ready(name, label))
    return frozenset(text for text in found if text is not None)


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


_DAYS = re.compile(r"[\[(](?P<low>-inf|[0-9-]+), (?P<high>inf|[0-9-]+)\)", re.ASCII)
_TEXTS = re.compile(r"(?P<low>[^*\u2013]+)(?:\*|\u2013(?:\"(?P<last>[^*\u2013]+)\"|(?P<high>[^*\u2013]+)))", re.DOTALL)


def _part(label: str, column: Column) -> str | None:
    """A part of a balanced hierarchy, if the label is one."""
    if column.kind == "text":
        return _texts(label)
    if column.kind != "date":
        interval = read_interval(label)
        return None if interval is None else _interval(interval)
    match = _DAYS.fullmatch(label)
    if match is None:
        return None
    if match["low"] == "-inf":
        return f"any day before {match['high']}"
    if match["high"] == "inf":
        return f"any day from {match['low']} (included) on"
    return f"any day from {match['low']} (included) to {match['high']} (excluded)"


def _beginning(label: str) -> str | None:
    kept = label.removesuffix("*")
    return f"any value beginning with {kept}" if kept and len(kept) + 1 == len(label) and "*" not in kept else None


def _ready(name: str, label: str) -> str | None:
    return "any value that it does not know" if label == OTHER else READY[name].meaning(label)


def _texts(label: str) -> str | None:
    match = _TEXTS.fullmatch(label)
    if match is None:
        return None
    if match["high"] is None and match["last"] is None:
        return f"any text beginning with {match['low']}"
    end = f"to {match['last']} itself" if match["high"] is None else f"to those beginning with {match['high']}"
    return f"any text in alphabetical order (by Unicode number) from {match['low']} {end}"


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
