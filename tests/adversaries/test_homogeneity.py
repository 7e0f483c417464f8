"""001, Figures 1 to 3: the attack succeeds on the 4-anonymous table, and fails on the 3-diverse one."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import sfumato as sf
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL, POLICY, THREE_DIVERSE


@pytest.mark.parametrize(("published", "exposed", "surest"), [(FOUR_ANONYMOUS, 4, 1.0), (THREE_DIVERSE, 0, 0.5)])
def test_homogeneity(published: dict[str, list[Any]], exposed: int, surest: float) -> None:
    found = sf.attack(pl.DataFrame(published), POLICY, original=pl.DataFrame(ORIGINAL), only=["homogeneity"])
    [exposure] = found["homogeneity"].exposures
    assert (exposure.people, exposure.exposed, exposure.surest) == (12, exposed, surest)
    assert exposure.baseline == 5 / 12
