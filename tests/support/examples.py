"""How much is tried: a seeded few in `make test`, everything in `make test-thorough`.

Tests say the whole number. A quick run takes a twentieth of it, and never fewer than four, always the same ones; a
thorough run takes it all, from the seed that is printed at its start (`make test-thorough SEED=7` for another).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings

__all__ = ["examples", "load", "some", "thorough"]

_QUICK, _THOROUGH = "quick", "thorough"
_SHARE, _FEWEST = 20, 4
_USUAL = 100  # where a property says nothing

T = TypeVar("T")

# How long an example takes says something of the machine, not of the code; and where it runs ($CI) changes nothing, so
# that both say all that Hypothesis would otherwise take from there.
_ANYWHERE = settings(settings.get_profile("default"), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(_THOROUGH, _ANYWHERE, max_examples=_USUAL, derandomize=False, database=None, print_blob=True)
settings.register_profile(_QUICK, _ANYWHERE, max_examples=_USUAL // _SHARE, derandomize=True)


def load(everything: bool) -> None:
    """Before any test is collected: which run this is."""
    settings.load_profile(_THOROUGH if everything else _QUICK)


def thorough() -> bool:
    return settings.get_current_profile_name() == _THOROUGH


def examples(number: int, fewest: int = _FEWEST) -> int:
    """How many examples, seeds or rounds of that many."""
    return number if thorough() else max(min(number, fewest), number // _SHARE)


def some(cases: Iterable[T], kind: Callable[[Any], object] = lambda case: None) -> list[T]:
    """Which cases of these, in their order: all, or one of each kind; they are all of one where none is told."""
    every = list(cases)
    if thorough():
        return every
    by_kind: dict[str, list[int]] = {}
    for place, case in enumerate(every):
        by_kind.setdefault(str(kind(case)), []).append(place)
    chosen = {Random(name).choice(places) for name, places in by_kind.items()}
    return [case for place, case in enumerate(every) if place in chosen]
