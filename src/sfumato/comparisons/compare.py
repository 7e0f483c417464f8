"""The way in: every method side by side, several at a time, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from sfumato.comparisons.compared import Compared, Tried
from sfumato.comparisons.kept import KeptFigures
from sfumato.comparisons.ways import TriedWay, ways
from sfumato.engine.run import bound
from sfumato.errors import SfumatoError
from sfumato.policy.document import Policy
from sfumato.policy.load import PolicyLike, read_policy
from sfumato.progress import Progress, silent
from sfumato.table.read import read

__all__ = ["compare"]


def compare(
    data: object,
    policy: PolicyLike,
    *,
    methods: Iterable[str] | None = None,
    forms: Sequence[str] = (),
    levels: Mapping[str, Sequence[int | str]] | None = None,
    workers: int = 2,
    keep: bool = False,
    folder: str | Path | None = None,
    progress: Progress = silent,
) -> Compared:
    """Try every method on a table under a policy, and say what each loses, gives away and takes.

    data       a file or a frame, as for `publish`
    policy     what each column is, and what is promised
    methods    which; every one that is installed, if it is not given
    forms      in which forms; in the policy's alone, if none is named
    levels     a parameter of the promise at several levels: ``{"l": [2, 3, 4]}``
    workers    how many are tried at a time, each in a process of its own
    keep       whether figures stay in the user's cache, so that the next comparison need not find them again; those of
               a comparison that was stopped always stay, and it goes on where it was
    folder     a private one where figures stay instead of in the user's cache
    progress   called with what is done; `Cancelled` raised from it stops what runs
    """
    table = read(data, policy)
    chosen = ways(table.policy.given, methods, forms, levels)
    for privacy in {str(way.privacy): way.privacy for way in chosen}.values():  # a level that no promise has, first
        read_policy({**table.policy.given.as_dict(), "privacy": [*privacy]}, table.policy.given.base)
    store = KeptFigures.of(table.digest[:32], folder)
    keys = [way.key(table.policy.digest) for way in chosen]
    found = {key: known for key in keys if (known := store.find(key)) is not None}
    given = read_policy(policy)
    left = {key: way for key, way in zip(keys, chosen, strict=True) if key not in found}
    for key, tried in _each(data, given, left, workers, progress, len(chosen)):
        found[key] = tried
        if tried.outcome != "failed":  # what was killed is tried again
            store.keep(key, tried)
    if not keep:
        store.forget(keys)
    least = None if levels or forms else _bound(data, given)
    return Compared(table.policy.loss.metric, table.rows, tuple(found[key] for key in keys), least)


def _bound(data: object, policy: Policy) -> float | None:
    try:
        return bound(read(data, policy)).value
    except SfumatoError:
        return None


def _each(
    data: object, policy: Policy, left: Mapping[str, TriedWay], workers: int, progress: Progress, total: int
) -> Iterator[tuple[str, Tried]]:
    """Ways as they are done; whoever stops looking stops all that run."""
    running: dict[Connection, tuple[str, SpawnProcess]] = {}
    waiting = [*reversed([*left])]
    try:
        while waiting or running:
            progress("compare", total - len(waiting) - len(running), total)
            while waiting and len(running) < max(workers, 1):
                key = waiting.pop()
                ours, process = _started(data, policy, left[key])
                running[ours] = key, process
            for ready in wait([*running], timeout=0.5):
                if isinstance(ready, Connection):
                    key, process = running.pop(ready)
                    yield key, _told(ready, process, left[key])
        progress("compare", total, total)
    finally:
        for _, process in running.values():
            process.terminate()
        for ours, (_, process) in running.items():
            process.join()
            ours.close()


def _started(data: object, policy: Policy, way: TriedWay) -> tuple[Connection, SpawnProcess]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, data, policy.as_dict(), policy.base, way), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _work(told: Connection, data: object, policy: dict[str, Any], base: Path, way: TriedWay) -> None:
    """In the process of one way. It ends with the one that started it, and leaves Ctrl-C to that."""
    from sfumato.comparisons.trying import tried

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        found = tried(data, read_policy(policy, base), way)
    except Exception as error:  # its words, and its traceback, may repeat cells
        found = Tried(way.label, "failed", f"unexpected {type(error).__name__}")
    told.send(found)
    told.close()


def _end_with_parent() -> None:
    """Whoever was killed stops nobody: who is left alone stops by itself."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _told(ours: Connection, process: SpawnProcess, way: TriedWay) -> Tried:
    """What a process found; one that ended without a word ran out of memory, or was killed."""
    try:
        found = ours.recv()
    except (EOFError, OSError):
        found = None
    process.join()
    ours.close()
    if isinstance(found, Tried):
        return found
    return Tried(way.label, "failed", f"its process ended without an answer (exit code {process.exitcode})")
