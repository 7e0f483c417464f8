"""Forms by name: one literal table and the entry-point group ``sfumato.forms``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import Pieces, registered
from sfumato.forms.contract import Publisher

__all__ = ["FORMS", "publisher"]

FORMS: Pieces[type[Publisher]] = Pieces(
    {
        "generalized": "sfumato.forms.generalized:GeneralizedPublisher",
        "permuted": "sfumato.forms.permuted:PermutedPublisher",
        "anatomized": "sfumato.forms.anatomized:AnatomizedPublisher",
        "sliced": "sfumato.forms.sliced:SlicedPublisher",
        "ring": "sfumato.forms.ring:RingPublisher",
        "randomized": "sfumato.forms.randomized:RandomizedPublisher",
    }
)


def publisher(options: Any) -> Publisher:
    """The form that a policy's `form:` names, with its options."""
    made: Any = registered(FORMS, "sfumato.forms", options.publish)
    if made is None:
        raise Refused(f"form {options.publish!r} is not installed; there are: {', '.join(FORMS)}")
    found: Publisher = made(options)
    return found
