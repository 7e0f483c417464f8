"""Changes of the policy under which the promise would be kept, each of them tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["relax"]


def relax(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> sf.ReportFacts:
    """Facts of a run that made nothing, with what would do; given: source, document."""
    import sfumato as sf

    path = bench.called(given["source"])
    tell("read", 0, 1)
    policy = sf.read_policy(given["document"], base=bench.folder)
    return sf.explain(path, policy, progress=tell).facts
