"""The settings of auto, which runs several methods."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from sfumato.policy.method import Method
from sfumato.policy.promise import Promise

__all__ = ["Auto"]

_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def _time(given: object) -> object:
    text = f"{given}s" if isinstance(given, int) and not isinstance(given, bool) else given
    if text is not None and not (isinstance(text, str) and _TIME.fullmatch(text) and _seconds(text)):
        raise ValueError("must be a time above 0, such as 10s, 2m or 1h")
    return text


def _seconds(text: str) -> Fraction:
    found = _TIME.fullmatch(text)
    return Fraction(0) if found is None else Fraction(found[1]) * _SECONDS[found[2]]


class Auto(Method):
    """Run the methods that promise most for this table, and keep what loses least.

    The default, for who has no reason to prefer one: which methods were run, and why one was kept, is in the release's
    notes. Work is counted, not timed, unless `time` is given.

    >>> import sfumato as sf
    >>> sf.Auto(budget="thorough")
    Auto(budget='thorough')
    """

    method: Literal["auto"] = Field("auto", description="which algorithm decides who shares a group")
    budget: Literal["quick", "normal", "thorough"] = Field(
        "normal", description="how much is tried: one method, those that promise most, or many with more work each"
    )
    time: Annotated[str | None, BeforeValidator(_time)] = Field(
        None, description="how long, about: 10s, 2m, 1h; then the clock decides, and no run need give the same again"
    )

    @property
    def seconds(self) -> float | None:
        """The time as a number; None: work is counted, and the clock is not looked at."""
        return None if self.time is None else float(_seconds(self.time))

    def suppresses_terms(self, promise: Promise) -> bool:
        return self.terms is not None or any(part.about_terms for part in promise.parts)
