"""Kinds of work, by name: where each is done. A kind more is a line more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from sfumato.workbench.jobs.opened import WorkerTable

__all__ = ["JOBS", "JobKind", "job_of"]

JobKind: TypeAlias = Callable[[Mapping[str, Any], WorkerTable, Callable[[str, int, int], None]], Any]
"""Takes what was given, what the worker holds, and how to tell progress; what it returns goes back by pipe."""

JOBS: Mapping[str, str] = {
    "look": "sfumato.workbench.jobs.look:look",
    "alone": "sfumato.workbench.jobs.alone:alone",
    "levels": "sfumato.workbench.jobs.levels:levels",
    "grouped": "sfumato.workbench.jobs.grouped:grouped",
    "regrouped": "sfumato.workbench.jobs.grouped:regrouped",
    "allowed": "sfumato.workbench.jobs.allowed:allowed",
    "covers": "sfumato.workbench.jobs.covers:covers",
    "compare": "sfumato.workbench.jobs.compare:compare",
    "lattice": "sfumato.workbench.jobs.lattice:lattice",
    "steps": "sfumato.workbench.jobs.lattice:steps",
    "publish": "sfumato.workbench.jobs.publish:publish",
    "relax": "sfumato.workbench.jobs.relax:relax",
}


def job_of(kind: str) -> JobKind:
    """The function that does it."""
    module, _, name = JOBS[kind].partition(":")
    made: JobKind = getattr(import_module(module), name)
    return made
