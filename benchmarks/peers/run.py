"""One job done by one tool in a process of its own, and its result recounted."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.adult import document
from benchmarks.endtoend import Ran, as_installed, ran
from benchmarks.peers.contract import Entry, Job, Way
from benchmarks.peers.environment import PACKAGES
from benchmarks.peers.recount import Leaves, leaves_of, recounted

__all__ = ["Adult", "Limits", "by_peer", "by_us", "judged"]

_INSIDE = Path(__file__).with_name("inside.py")
_JUDGE = "pycanon"
_KEY = "no secret: whoever measures again is to have the same rows"


@dataclass(frozen=True)
class Limits:
    """What a peer may take: CPU seconds, and gigabytes of address space."""

    seconds: int
    gigabytes: float


@dataclass(frozen=True)
class Adult:
    """The rows, their hierarchies, and a folder to work in."""

    frame: pl.DataFrame
    hierarchies: Mapping[str, Path]
    folder: Path

    @cached_property
    def data(self) -> Path:
        """The rows as a file."""
        made = self.folder / "adult.csv"
        self.frame.write_csv(made)
        return made

    @cached_property
    def trees(self) -> Mapping[str, Leaves]:
        return {name: leaves_of(file) for name, file in self.hierarchies.items()}


def by_peer(adult: Adult, way: Way, job: Job, python: Path, limits: Limits) -> Entry:
    """What a peer makes of a job."""
    out = adult.folder / "published.csv"
    out.unlink(missing_ok=True)
    done = _inside(adult, way.tool, job, python, limits, {"data": str(adult.data), "out": str(out), **way.asked})
    return entry(adult, way, job, PACKAGES[way.tool], done, out, limits)


def by_us(adult: Adult, way: Way, job: Job) -> Entry:
    """What we make of it: `sfumato anonymize` with its audit, loops being compiled already."""
    policy, out = adult.folder / "policy.json", adult.folder / "ours.csv"
    policy.write_text(json.dumps(_policy(adult, way, job)), encoding="utf-8")
    command = [sys.executable, "-m", "sfumato", "anonymize", str(adult.data), "-p", str(policy), "-o", str(out)]
    known = as_installed(adult.folder / "bytecode") | {"SFUMATO_KEY": _KEY}
    ran([*command, "--force"], known)
    return entry(adult, way, job, version("sfumato"), ran([*command, "--force"], known), out, None)


def _policy(adult: Adult, way: Way, job: Job) -> dict[str, Any]:
    columns = document(adult.hierarchies)["columns"]
    for name, column in columns.items():
        column["role"] = "quasi" if name in job.quasi else "sensitive" if job.l else "insensitive"
        if way.shown == "sets" or name == job.sensitive:
            del column["hierarchy"]
    promise = {"model": "distinct-l", "l": job.l} if job.l else {"model": "k-anonymity", "k": job.k}
    return {"version": 1, "columns": columns, "privacy": [promise], **way.asked}


def judged(adult: Adult, made: Entry, job: Job, python: Path, limits: Limits) -> Entry:
    """The entry of our last release with what pycanon finds of the same rows."""
    out = adult.folder / "judged.csv"
    done = _inside(adult, _JUDGE, job, python, limits, {"data": str(adult.folder / "ours.csv"), "out": str(out)})
    if done.code:
        return replace(made, judged=_why(done, limits))
    found = pl.read_csv(out).row(0, named=True)
    return replace(made, judged=", ".join(f"{name} = {value}" for name, value in found.items()))


def _inside(adult: Adult, tool: str, job: Job, python: Path, limits: Limits, more: Mapping[str, Any]) -> Ran:
    asked = {
        "tool": tool,
        "columns": adult.frame.columns,
        "hierarchies": {name: str(file) for name, file in adult.hierarchies.items()},
        "quasi": list(job.quasi),
        "sensitive": job.sensitive,
        "k": job.k,
        **({} if job.l is None else {"l": job.l}),
        "bytes": int(limits.gigabytes * 1e9),
        "seconds": limits.seconds,
        **more,
    }
    file = adult.folder / "job.json"
    file.write_text(json.dumps(asked), encoding="utf-8")
    return ran([str(python), str(_INSIDE), str(file)])


def entry(adult: Adult, way: Way, job: Job, release: str, done: Ran, out: Path, limits: Limits | None) -> Entry:
    """What became of a job: recounted if there are rows, or why there are none."""
    cpu, memory = round(done.cpu, 1), round(done.memory, 2)
    made = Entry(way.tool, release, way.name, way.shown, job.name, "failed", cpu, memory)
    if done.code:
        return replace(made, told=_why(done, limits))
    try:
        published = pl.read_csv(out, infer_schema=False)
        found = recounted(published, adult.frame, job.quasi, job.sensitive, adult.trees)
    except (pl.exceptions.PolarsError, ValueError) as error:
        return replace(made, told=_short(str(error)))
    if not found.rows:
        return replace(made, told="ended well, with an empty table")
    return replace(
        made,
        outcome="kept" if job.kept(found.k, found.l) else "broken",
        k=found.k,
        l=found.l,
        ncp=round(found.ncp, 4),
        suppressed=adult.frame.height - found.rows,
    )


def _why(done: Ran, limits: Limits | None) -> str:
    stopped = -done.code in (signal.SIGXCPU, signal.SIGKILL)
    if limits is not None and stopped and done.cpu >= limits.seconds - 1:
        return f"stopped after {limits.seconds} s of CPU"
    return _short((done.told.strip().splitlines() or [f"exit code {done.code}"])[-1])


def _short(text: str) -> str:
    """A message in one line of the table."""
    line = text.strip().splitlines()[0] if text.strip() else "no message"
    return line if len(line) <= 120 else line[:117] + "..."
