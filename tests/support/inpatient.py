"""001's inpatients (Figures 1 to 3): the table, its 4-anonymous release and its 3-diverse one, as printed."""

from __future__ import annotations

from typing import Any

__all__ = ["FOUR_ANONYMOUS", "ORIGINAL", "POLICY", "THREE_DIVERSE"]

_HEART, _VIRAL, _CANCER = "Heart Disease", "Viral Infection", "Cancer"

ORIGINAL: dict[str, list[Any]] = {
    "zip": ["13053", "13068", "13068", "13053", "14853", "14853", "14850", "14850", "13053", "13053", "13068", "13068"],
    "age": [28, 29, 21, 23, 50, 55, 47, 49, 31, 37, 36, 35],
    "nationality": [
        *("Russian", "American", "Japanese", "American", "Indian", "Russian", "American", "American"),
        *("American", "Indian", "Japanese", "American"),
    ],
    "condition": [_HEART, _HEART, _VIRAL, _VIRAL, _CANCER, _HEART, _VIRAL, _VIRAL, *[_CANCER] * 4],
}

FOUR_ANONYMOUS: dict[str, list[Any]] = {
    "zip": ["130**"] * 4 + ["1485*"] * 4 + ["130**"] * 4,
    "age": ["<30"] * 4 + [">=40"] * 4 + ["3*"] * 4,
    "nationality": ["*"] * 12,
    "condition": ORIGINAL["condition"],
}

_ORDER = [0, 3, 8, 9, 4, 5, 6, 7, 1, 2, 10, 11]
"""Figure 3 gathers 1305*, 1485* and 1306*."""

THREE_DIVERSE: dict[str, list[Any]] = {
    "zip": ["1305*"] * 4 + ["1485*"] * 4 + ["1306*"] * 4,
    "age": ["<=40"] * 4 + [">40"] * 4 + ["<=40"] * 4,
    "nationality": ["*"] * 12,
    "condition": [ORIGINAL["condition"][row] for row in _ORDER],
}

_AGES = {
    "<=40": {"<30": ["21", "23", "28", "29"], "3*": ["31", "35", "36", "37"]},
    ">40": {">=40": ["47", "49", "50", "55"]},
}

POLICY: dict[str, Any] = {
    "columns": {
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "age": {"role": "quasi", "hierarchy": {"tree": _AGES}},
        "nationality": {"role": "quasi"},
        "condition": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 4}],
}
