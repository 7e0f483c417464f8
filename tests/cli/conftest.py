"""What tests of commands begin with."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.command import POLICY


@pytest.fixture
def place(here: Path) -> Path:
    """A folder with a table and a policy, entered."""
    rows = 60
    pl.DataFrame(
        {
            "age": [20 + (row * 7) % 50 for row in range(rows)],
            "zip": [f"{2000 + (row * 13) % 40:05}" for row in range(rows)],
            "disease": [("flu", "cold", "gout", "lupus")[(row * 3 + row // 7) % 4] for row in range(rows)],
        }
    ).write_csv(here / "data.csv")
    (here / "policy.yaml").write_text(POLICY, encoding="utf-8")
    return here
