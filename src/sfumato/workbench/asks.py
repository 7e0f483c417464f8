"""What is asked of the worker, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Ask", "Failure", "State"]

State = Literal["waiting", "running", "done", "failed", "stopped"]


@dataclass(frozen=True)
class Ask:
    """One thing to be done, by its kind and plain values.

    kind    a name of the table of jobs
    given   what the job needs, as JSON has it
    slot    a later one in the same slot takes the place of one that still waits; empty: none does
    """

    kind: str
    given: Mapping[str, Any] = field(default_factory=dict)
    slot: str = ""

    @property
    def key(self) -> str:
        """What asks for the same have the same."""
        return json.dumps([self.kind, self.given], sort_keys=True)


@dataclass(frozen=True)
class Failure:
    """Why there is no answer, in the words of the error: names, places, counts and remedies, no value of the data.

    kind       which error it is, for words that were written for it; `crash` for one that nobody expected
    message    what it says
    problems   of a policy: where each mistake is, and what is allowed there
    nearest    a weaker promise that would be kept, as a policy has it
    instead    settings of a policy under which the promise would be kept as it is
    """

    kind: str
    message: str
    problems: tuple[tuple[str, str], ...] = ()
    nearest: tuple[Mapping[str, Any], ...] = ()
    instead: Mapping[str, Any] = field(default_factory=dict)
