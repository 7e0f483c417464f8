"""Forms by name: one literal table and the entry-point group ``sfumato.forms``."""

from __future__ import annotations

from typing import Any

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.forms.anatomized import Anatomized
from sfumato.forms.contract import Publisher
from sfumato.forms.generalized import Generalized
from sfumato.forms.permuted import Permuted
from sfumato.forms.randomized import Randomized
from sfumato.forms.ring import Ring
from sfumato.forms.sliced import Sliced

__all__ = ["FORMS", "publisher"]

FORMS: dict[str, type[Publisher]] = {
    "generalized": Generalized,
    "permuted": Permuted,
    "anatomized": Anatomized,
    "sliced": Sliced,
    "ring": Ring,
    "randomized": Randomized,
}


def publisher(options: Any) -> Publisher:
    """The form that a policy's `form:` names, with its options."""
    made: Any = registered(FORMS, "sfumato.forms", options.publish)
    if made is None:
        raise Refused(f"form {options.publish!r} is not installed; there are: {', '.join(FORMS)}")
    found: Publisher = made(options)
    return found
