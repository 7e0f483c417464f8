"""How little memory a run may use, for tests."""

from __future__ import annotations

import pytest

from sfumato.stores.budget import Budget


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """So little that hardly a row can be held."""
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: 50)
    monkeypatch.setattr(Budget, "rows_in_block", property(lambda budget: 70))
    monkeypatch.setattr(Budget, "rows_in_part", property(lambda budget: 90))
