"""The conformance suite as tests call it."""

from __future__ import annotations

from zlib import crc32

import pytest

from sfumato.policy.forms import Form
from sfumato.testing import check_form
from sfumato.testing import form as suite
from sfumato.testing.partitioner import sampled_promises
from tests.support.examples import thorough

_PARTS = 6


def check_shown(form: Form, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form with every promise; in quick runs with a sixth of them, which differs from form to form."""
    every = sampled_promises()
    if not thorough():
        monkeypatch.setattr(suite, "sampled_promises", lambda: every[crc32(str(form).encode()) % _PARTS :: _PARTS])
    check_form(form, seed=seed, rounds=1)
