"""Criteria where it is not told whether values that look the same are the same: they hold if they hold either way.

Merging values makes some promises harder to keep (diversity) and others easier (closeness), so both are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sfumato.auditor.court import Court
from sfumato.auditor.verdict import Criterion

__all__ = ["both_ways"]


def both_ways(apart: Court, merged: Court, judge: Callable[[Court], Iterator[Criterion]]) -> Iterator[Criterion]:
    """Criteria with values as they stand, and with those that look the same as one; `merged` is `apart` if none do."""
    if merged is apart:
        yield from judge(apart)
        return
    for one, other in zip(judge(apart), judge(merged), strict=True):
        # What groups held before values were changed is told by counts, whose values nobody can merge.
        blind = apart.seen.beliefs is not None and one.on in apart.doubtful
        if one.verdict == "holds" and (other.verdict != "holds" or blind):
            yield one.model_copy(update={"verdict": "undecidable", "needs": _needs(apart)})
        else:
            yield other if one.verdict == "holds" else one


def _needs(court: Court) -> str:
    columns = ", ".join(f"{name!r} ({count})" for name, count in court.doubtful.items())
    return (
        "to know whether values that differ from another only in case, spaces, invisible characters or Unicode form are"
        f" the same, of column {columns}: set its same: case, space or none in the policy"
    )
