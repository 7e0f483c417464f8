"""What the table allows to be promised, by counts alone: soon known, and shown while a person still decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.workbench.jobs.opened import WorkerTable

__all__ = ["Allowed", "allowed"]


@dataclass(frozen=True)
class Allowed:
    """possible    whether the table allows the promise; None: only a run can tell
    reason      what stands against it
    nearest     a promise that the table allows, as a policy has it
    strongest   per sensitive column and kind of promise, the most that the table allows
    refused     why promise, method and form do not go together; empty: they do
    excess      rows that it would be enough to leave out; None: that would not help
    """

    possible: bool | None
    reason: str = ""
    nearest: tuple[Mapping[str, Any], ...] = ()
    strongest: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    refused: str = ""
    excess: int | None = None


def allowed(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> Allowed:
    """given: source, document."""
    import sfumato as sf

    path = bench.called(given["source"])
    tell("read", 0, 1)
    advice = sf.advise(path, sf.read_policy(given["document"], base=bench.folder), run=False)
    strongest = {each.column: {str(name): level for name, level in _levels(each)} for each in advice.columns}
    answer = advice.table
    return Allowed(
        answer.possible,
        answer.reason,
        () if answer.nearest is None else tuple(part.as_dict() for part in answer.nearest.parts),
        strongest,
        advice.policy.reason if advice.policy.exit_code else "",
        answer.excess,
    )


def _levels(found: Any) -> list[tuple[str, str]]:
    """The strongest of each kind: its name and level."""
    made = []
    for promise in found.strongest:
        settings = promise.as_dict()
        name = settings.pop("model")
        settings.pop("on", None)
        made += [(name, str(level)) for level in settings.values()]
    return made
