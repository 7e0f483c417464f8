"""Adult with ARX's hierarchies, coded as the product codes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sfumato as sf
from sfumato import datasets
from sfumato.table.tuples import Tuples

__all__ = ["QUASI", "SENSITIVE", "adult", "document"]

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
SENSITIVE = "occupation"


def document(hierarchies: Mapping[str, Path]) -> dict[str, Any]:
    """The policy: every column has a hierarchy file, the sensitive one included, for jobs in which it is quasi."""
    columns: dict[str, Any] = {
        name: {
            "role": "sensitive" if name == SENSITIVE else "quasi",
            "type": "integer" if name == "age" else "text",
            "hierarchy": {"file": str(file.resolve()), "header": True},
        }
        for name, file in hierarchies.items()
    }
    privacy = [{"model": "k-anonymity", "k": 5}, {"model": "distinct-l", "l": 3}]
    return {"version": 1, "columns": columns, "privacy": privacy}


def adult() -> tuple[Tuples, dict[str, Any]]:
    """The 30,162 rows as codes, and their policy."""
    policy = document(datasets.arx_hierarchies())
    return sf.read(datasets.adult_arx(), policy).encode(), policy
