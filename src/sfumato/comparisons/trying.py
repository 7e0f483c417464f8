"""One way on one table, in a process of its own: memory is that process's, and whoever stops it stops nothing else."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import polars as pl

from sfumato.comparisons.compared import Outcome, Tried
from sfumato.comparisons.ways import TriedWay
from sfumato.engine.release import Release
from sfumato.engine.run import publish
from sfumato.errors import Infeasible, NoneFound, Refused, SfumatoError
from sfumato.measures.lost import overall
from sfumato.measures.measure import measure
from sfumato.measures.registry import MEASURES
from sfumato.policy.document import Policy
from sfumato.policy.load import read_policy
from sfumato.release.subject import Subject
from sfumato.risk.assess import assess
from sfumato.table.read import read

__all__ = ["tried"]

_WARM = 200
"""Rows of a first run that compiles what the way needs; it is not measured."""
_QUERIES = 200


def tried(data: object, policy: Policy, way: TriedWay) -> Tried:
    """Make the release, measure it, and say what it took; or why there is none."""
    chosen = {**policy.as_dict(), "privacy": [*way.privacy], "partition": way.partition, "form": way.form}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _warm(data, chosen, policy)
            began = time.process_time()
            release = publish(read(data, read_policy(chosen, policy.base)))
            spent = time.process_time() - began
        except SfumatoError as error:
            return Tried(way.label, _outcome(error), str(error).partition("\n")[0])
        return _figures(way, release, spent)


def _outcome(error: SfumatoError) -> Outcome:
    kinds: dict[type[SfumatoError], Outcome] = {
        Infeasible: "infeasible",
        NoneFound: "none found",
        Refused: "refused",
    }
    return next((outcome for kind, outcome in kinds.items() if isinstance(error, kind)), "failed")


def _warm(data: object, chosen: dict[str, Any], policy: Policy) -> None:
    """Compile what will be used, on a few rows; what becomes of these does not matter."""
    table = read(data, read_policy(chosen, policy.base))
    few = {name: column.spread()[:_WARM] for name, column in table.columns.items()}
    columns = {name: column for name, column in chosen["columns"].items() if name in few}
    try:
        publish(read(pl.DataFrame(few), read_policy({**chosen, "columns": columns}, policy.base)))
    except SfumatoError:
        return


def _figures(way: TriedWay, release: Release, spent: float) -> Tried:
    found = assess(Subject.of(release))
    risk, guesses = found.after, [(each.people or each.groups) for each in found.guesses]
    queries = None
    if "count-queries" in MEASURES:
        [asked] = measure(release, only=[{"measure": "count-queries", "queries": _QUERIES}]).measurements
        queries = None if asked.figure is None else asked.figure.value
    return Tried(
        way.label,
        "kept",
        loss=release.loss,
        overall=None if release.lost is None else overall(release.lost, release.suppressed),
        matches=None if risk is None else risk.marketer,
        surest=max((guess.largest for guess in guesses if guess is not None), default=None),
        queries=queries,
        suppressed=release.suppressed,
        groups=len(release.published.sizes),
        seconds=spent,
        memory=_memory(),
    )


def _memory() -> float | None:
    """The most that this process has held, in MB; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10
