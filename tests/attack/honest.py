"""Honest releases to tamper with: every form, CSV and Parquet, and one with generalized sensitive values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .case import Case
from .tables import ILL_TREE

__all__ = ["HONEST", "KINDS", "honest"]

KINDS = ("csv", "parquet")
_AGES = (23, 27, 31, 34, 38, 41, 45, 52, 56, 58, 61, 64)
_TOWNS = ("Aarau", "Basel", "Chur")
_ILLS = ("flu", "gout", "mumps", "ulcer")

_COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [10, 20]}},
    "town": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}
HONEST: dict[str, Mapping[str, Any]] = {
    "generalized": {"form": {"publish": "generalized"}, "partition": {"method": "mondrian"}},
    "grouped": {"form": {"publish": "generalized", "group_id": True}, "partition": {"method": "bsgi-free"}},
    "permuted": {"form": {"publish": "permuted"}, "partition": {"method": "anatomy"}},
    "anatomized": {"form": {"publish": "anatomized"}, "partition": {"method": "anatomy"}},
    "sliced": {"form": {"publish": "sliced"}, "partition": {"method": "hilbert"}},
    "ring": {"form": {"publish": "ring"}, "partition": {"method": "bsgi-free"}},
    "randomized": {"form": {"publish": "randomized"}, "partition": {"method": "mondrian", "slack": 1}},
    "weighted": {"form": {"publish": "generalized"}, "partition": {"method": "sweep"}},
}


def honest(name: str, kind: str = "csv", l: int = 2) -> Case:
    """The case of a name; `l` makes another policy of it."""
    privacy: list[dict[str, Any]] = [{"model": "simple-l", "l": l}]
    columns, ills = _COLUMNS, [_ILLS[row % 4] for row in range(12)]
    if name == "weighted":  # so much of one value that classes are closed with generalized ones only
        columns = {**_COLUMNS, "ill": {"role": "sensitive", "hierarchy": {"tree": ILL_TREE}}}
        privacy = [{"model": "tau-l", "tau": "1/2", "l": 3}]
        ills = ["flu"] * 8 + ["gout", "mumps", "ulcer", "lupus"]
    rows = tuple({"age": str(_AGES[row]), "town": _TOWNS[row * 5 % 3], "ill": ills[row]} for row in range(12))
    policy = {"version": 1, "columns": columns, "privacy": privacy, "suppression": {"limit": "0"}, **HONEST[name]}
    return Case(1, rows, policy, kind)
