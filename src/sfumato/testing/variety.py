"""Settings at random: what a policy may say beside its columns and its promise.

Settings of an algorithm or a form are found from their declarations: a flag, a choice between words, `slack`,
`polish`, and levels by column. What a cell of the matrix needs stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import numpy as np

from sfumato.extension import installed
from sfumato.policy.forms import Form
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise
from sfumato.policy.steps import FLAGS
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["varied_form", "varied_method", "varied_policy"]

_LIMITS = ("0", "0.2", "1")
_POLISH = 5000


def varied_policy(rng: np.random.Generator, quasi: tuple[str, ...]) -> dict[str, Any]:
    """What may be left out, what a missing value is, and what to lose least of."""
    metrics = sorted(installed(LOSS_METRICS, "sfumato.losses"))
    weights = {name: int(rng.integers(0, 4)) for name in quasi if rng.random() < 0.3}
    return {
        "suppression": {"limit": str(rng.choice(_LIMITS)), "keep": _flag(rng)},
        "missing": str(rng.choice(["category", "drop"])),
        "loss": {"metric": str(rng.choice(metrics)), "weights": weights},
    }


def varied_method(rng: np.random.Generator, method: Method, promise: Promise, table: Tuples) -> Method:
    """The algorithm with other settings."""
    changes = _choices(rng, method)
    if promise.with_slack(1) != promise and _flag(rng):
        changes["slack"] = 1
    if {"minimum", "maximum"} <= type(method).model_fields.keys() and _flag(rng):
        changes |= _levels(rng, table)
    if not method.polish and _flag(rng):
        changes["polish"] = {"work": _POLISH}
    plain = method.in_flags()
    told = {name: each for name, each in changes.items() if "steps" not in plain or name not in FLAGS}
    return type(method).model_validate({**plain, **told})


def varied_form(rng: np.random.Generator, form: Form) -> Form:
    """The form with other settings."""
    return type(form).model_validate({**form.model_dump(mode="json"), **_choices(rng, form)})


def _choices(rng: np.random.Generator, settings: Method | Form) -> dict[str, Any]:
    """Flags and words that the settings leave at their default, drawn again."""
    drawn: dict[str, Any] = {}
    for name, field in type(settings).model_fields.items():
        words = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        if getattr(settings, name) != field.get_default(call_default_factory=True):
            continue
        if field.annotation is bool:
            drawn[name] = _flag(rng)
        elif len(words) > 1:
            drawn[name] = words[int(rng.integers(len(words)))]
    return drawn


def _levels(rng: np.random.Generator, table: Tuples) -> dict[str, Mapping[str, int]]:
    """A lowest and a highest level for some of the columns."""
    low, high = {}, {}
    for column in table.quasi:
        if _flag(rng):
            top = _height(column)
            high[column.name] = int(rng.integers(0, top + 1))
            low[column.name] = int(rng.integers(0, high[column.name] + 1))
    return {"minimum": low, "maximum": high}


def _height(column: Domain) -> int:
    return column.taxonomy.height if column.taxonomy is not None else int(column.size > 1)


def _flag(rng: np.random.Generator) -> bool:
    return bool(rng.random() < 0.5)
