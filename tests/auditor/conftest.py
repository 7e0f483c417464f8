"""What tests of the auditor begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.release.documents import Manifest
from tests.support.auditing import write_release
from tests.support.sound_release import POLICY, TABLE


@pytest.fixture
def release(tmp_path: Path) -> tuple[Path, Manifest]:
    """A sound release in a folder of its own, and its manifest."""
    folder = tmp_path / "out"
    return folder, write_release(folder, TABLE, POLICY)
