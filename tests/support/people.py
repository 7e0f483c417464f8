"""Sixty people, or as many as wanted, and a policy for them."""

from __future__ import annotations

from typing import Any

import polars as pl

POLICY: dict[str, Any] = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "town": {"role": "quasi"},
        "ward": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}, {"model": "t-closeness", "t": 0.5}],
    "partition": {"method": "mondrian"},
}


def people(rows: int = 60) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [f"person-{row}" for row in range(rows)],
            "age": [20 + (row * 7) % 50 for row in range(rows)],
            "zip": [f"{2000 + (row * 13) % 40:05}" for row in range(rows)],
            "town": [("Aville", "Btown", "Cfield")[row % 3] for row in range(rows)],
            "ward": [int(row > 1) for row in range(rows)],
            "disease": [("flu", "cold", "gout", "lupus")[(row * 3 + row // 7) % 4] for row in range(rows)],
        }
    )
