"""Forms by name: one literal table and the entry-point group ``sfumato.forms``."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any, cast

from sfumato.errors import Refused
from sfumato.publish.contract import Publisher
from sfumato.publish.generalized import Generalized

__all__ = ["FORMS", "publisher"]

FORMS: dict[str, type[Publisher]] = {"generalized": Generalized}


def publisher(options: Any) -> Publisher:
    """The form that a policy's `form:` names, with its options."""
    made: Any = FORMS.get(options.publish)
    if made is None:
        found = tuple(entry_points(group="sfumato.forms", name=options.publish))
        if not found:
            raise Refused(f"form {options.publish!r} is not installed; there are: {', '.join(FORMS)}")
        made = found[0].load()
    return cast(Publisher, made(options))
