"""How far the knowledge of quasi-sensitive columns covers what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sfumato.workbench.jobs.opened import WorkerTable

__all__ = ["covers"]


def covers(
    given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]
) -> Mapping[str, Mapping[str, Any]]:
    """Per column the counts of `sf.check_knowledge`; given: source, document."""
    import sfumato as sf

    path = bench.called(given["source"])
    found = sf.check_knowledge(path, sf.read_policy(given["document"], base=bench.folder))
    return {each.column: each.as_dict() for each in found}
