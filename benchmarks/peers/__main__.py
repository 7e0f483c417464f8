"""``python -m benchmarks.peers``: the Python tools that people pick, on Adult, with the same promise.

The tools (pycanon, anjana, anonypy, anonypyx) are installed once, by pip, into an environment of their own in the cache
folder. Each job runs in a process of its own with a limit on time and memory. What it published is counted again here,
by nothing but the rows: the promise, and NCP by ARX's hierarchies, sets and intervals included. pycanon anonymizes
nothing; it judges our releases. Broken promises and crashes are listed with the rest. ARX's own figures stand beside
it, as measured elsewhere (`arx.json`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.peers.contract import JOBS, Entry, Way
from benchmarks.peers.environment import environment
from benchmarks.peers.run import Adult, Limits, by_peer, by_us, judged
from benchmarks.peers.tables import ARX, STORED, console, load, merged, save
from benchmarks.peers.ways import OURS, PEERS
from sfumato import datasets
from sfumato.errors import SfumatoError

__all__ = ["main", "measured"]


def measured(ways: Sequence[Way], python: Path, limits: Limits) -> Iterator[Entry]:
    """Every job that every way can be asked for, one after the other."""
    with tempfile.TemporaryDirectory(prefix="sfumato-peers-") as folder:
        adult = Adult(datasets.adult_arx(), datasets.arx_hierarchies(), Path(folder))
        for way in ways:
            for name in way.jobs:
                if way in OURS:
                    yield judged(adult, by_us(adult, way, JOBS[name]), JOBS[name], python, limits)
                else:
                    yield by_peer(adult, way, JOBS[name], python, limits)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if the data or the tools cannot be had."""
    every = list(dict.fromkeys(way.tool for way in (*PEERS, *OURS)))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--seconds", type=int, default=600, help="of CPU that a peer may take for a job, default 600")
    parser.add_argument("--gigabytes", type=float, default=4.0, help="of memory that it may take, default 4")
    parser.add_argument("--save", action="store_true", help=f"store the results in {STORED.name}")
    given = parser.parse_args(arguments)
    errors, found = Console(stderr=True), []
    try:
        with errors.status("installing the peers, once") as status:
            python = environment()
            ways = [way for way in (*PEERS, *OURS) if way.tool in given.only]
            for entry in measured(ways, python, Limits(given.seconds, given.gigabytes)):
                found.append(entry)
                status.update(f"{entry.tool}, {entry.way}, {entry.job}: {entry.outcome}")
    except SfumatoError as error:
        errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    for table in console([*found, *load(ARX)]):
        Console(width=160).print(table)
    if given.save:
        save(merged(load(STORED), found), STORED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
