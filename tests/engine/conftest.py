"""What tests of whole runs begin with."""

from __future__ import annotations

import pytest

import sfumato as sf
from tests.support.people import POLICY, people


@pytest.fixture(scope="session")
def made() -> sf.Release:
    """A release of the people, which tests write and break copies of."""
    return sf.publish(people(), policy=POLICY, seed=1)
