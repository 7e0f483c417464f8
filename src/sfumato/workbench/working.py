"""What the worker process does: it takes one ask after the other, and ends with the server."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from sfumato.errors import AuditFailed, NoneFound, PolicyError, SfumatoError
from sfumato.workbench.asks import Failure
from sfumato.workbench.jobs.opened import WorkerTable
from sfumato.workbench.jobs.table import job_of

__all__ = ["failed", "work"]

_POLITE = 10
"""How much later than others the worker has its turn, where it has to share."""
_OFTEN = 0.1
"""Seconds between two words about one stage."""


def work(pipe: Connection, folder: str) -> None:
    """Answer until nobody asks any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    tempfile.tempdir = folder  # what a library puts aside goes with everything else
    os.environ["TMPDIR"] = folder
    os.umask(0o077)
    if hasattr(os, "nice"):
        os.nice(_POLITE)  # pages come first
    warnings.simplefilter("ignore")
    _warm()
    pipe.send(("ready", 0))
    bench = WorkerTable(folder)
    while True:
        try:
            number, kind, given = pipe.recv()
        except EOFError:
            return
        try:
            answer = job_of(kind)(given, bench, _telling(pipe, number))
            pipe.send(("done", number, answer))
        except Exception as error:
            if os.environ.get("SFUMATO_DEBUG") and not isinstance(error, SfumatoError):
                traceback.print_exc()
            pipe.send(("failed", number, failed(error, bench.names)))


def failed(error: Exception, names: dict[str, str]) -> Failure:
    """An error as a value. Files are called by the names that they came with.

    The message of an error that nobody expected may hold a value of the data, so it is not told.
    """
    if not isinstance(error, SfumatoError):
        return Failure("crash", type(error).__name__)

    def told(text: str) -> str:
        for place, name in names.items():
            text = text.replace(place, name)
        return text

    problems = error.problems if isinstance(error, PolicyError) else ()
    nearest = error.nearest if isinstance(error, NoneFound) else None
    kind = "AuditFailed" if isinstance(error, AuditFailed) else type(error).__name__
    return Failure(
        kind,
        told(error.reason if isinstance(error, NoneFound) else str(error)),
        tuple((each.path, told(each.allowed)) for each in problems),
        () if nearest is None else tuple(part.as_dict() for part in nearest.parts),
        {key: dict(value) for key, value in error.instead.items()} if isinstance(error, NoneFound) else {},
    )


def _telling(pipe: Connection, number: int) -> Callable[[str, int, int], None]:
    """Tell how far it is: every stage, and now and then what is done of it."""
    last: list[Any] = ["", 0.0]

    def tell(stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != last[0] or now - last[1] > _OFTEN:
            last[:] = [stage, now]
            pipe.send(("progress", number, stage, done, total))

    return tell


def _end_with_parent() -> None:
    """A server that was killed cannot say so: its worker ends where it is."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _warm() -> None:
    """Load what a first run would have to wait for, while a person still looks."""
    import polars as pl

    import sfumato as sf

    columns = {"q": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
    privacy = [{"model": "k-anonymity", "k": 2}, {"model": "entropy-l", "l": 2}]
    policy = {"columns": columns, "privacy": privacy, "partition": {"method": "mondrian"}}
    sf.publish(pl.DataFrame({"q": [1, 2, 3, 4], "s": ["a", "b", "a", "b"]}), policy=policy, seed=1)
