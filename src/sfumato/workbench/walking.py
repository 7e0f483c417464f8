"""Policies of one level per column: the one whose lattice is walked, and the one that publishes a single node of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["at_node", "node_of", "walked"]

_METHOD, _FORM = "lattice", "generalized"
_BOUNDS = ("minimum", "maximum")


def node_of(document: Mapping[str, Any]) -> Mapping[str, int] | None:
    """The levels that a policy leaves no choice of; None: there is one.

    >>> columns = {"zip": {"role": "quasi"}, "ill": {"role": "sensitive"}}
    >>> node_of({"columns": columns, "partition": {"method": "lattice", "minimum": {"zip": 2}, "maximum": {"zip": 2}}})
    {'zip': 2}
    """
    own = document.get("partition", {})
    low, high = (dict(own.get(bound) or {}) for bound in _BOUNDS)
    quasi = {name for name, column in document["columns"].items() if column.get("role") == "quasi"}
    return low if own.get("method") == _METHOD and low == high and {*low} == quasi else None


def walked(document: Mapping[str, Any]) -> dict[str, Any]:
    """The policy with one level per column: its own bounds and slack stay, one node of before does not bind."""
    own = document.get("partition", {})
    bounds = _BOUNDS if own.get("method") == _METHOD and node_of(document) is None else ()
    kept = {key: own[key] for key in ("slack", *bounds) if own.get(key)}
    made = {**document, "partition": {"method": _METHOD, **kept}}
    if document.get("form", {}).get("publish", _FORM) != _FORM:  # a level shows only where values grow vaguer
        del made["form"]
    return made


def at_node(document: Mapping[str, Any], columns: Sequence[str], levels: Sequence[int]) -> dict[str, Any]:
    """The policy that publishes these levels, and no others."""
    made = walked(document)
    node = dict(zip(columns, levels, strict=True))
    return {**made, "partition": {**made["partition"], **dict.fromkeys(_BOUNDS, node)}}
