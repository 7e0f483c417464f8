"""Forms by name: one literal table and the entry-point group ``sfumato.forms``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.forms.anatomized import AnatomizedPublisher
from sfumato.forms.contract import Publisher
from sfumato.forms.generalized import GeneralizedPublisher
from sfumato.forms.permuted import PermutedPublisher
from sfumato.forms.randomized import RandomizedPublisher
from sfumato.forms.ring import RingPublisher
from sfumato.forms.sliced import SlicedPublisher

__all__ = ["FORMS", "publisher"]

FORMS: dict[str, type[Publisher]] = {
    "generalized": GeneralizedPublisher,
    "permuted": PermutedPublisher,
    "anatomized": AnatomizedPublisher,
    "sliced": SlicedPublisher,
    "ring": RingPublisher,
    "randomized": RandomizedPublisher,
}


def publisher(options: Any) -> Publisher:
    """The form that a policy's `form:` names, with its options."""
    made: Any = registered(FORMS, "sfumato.forms", options.publish)
    if made is None:
        raise Refused(f"form {options.publish!r} is not installed; there are: {', '.join(FORMS)}")
    found: Publisher = made(options)
    return found
