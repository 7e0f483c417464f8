"""One worker process, for all work on data. It is asked by pipe, tells how far it is, and is stopped by ending it.

Spawned, never forked: what computes has threads. Answers are kept by what was asked, so that a page that is shown again
asks nothing again. While a job runs, later asks wait; pages show what is known by then.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
from collections import OrderedDict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sfumato.workbench.asks import Ask, Failure, State

__all__ = ["Doing", "Worker"]

_KEPT = 200
"""Answers that are kept, the latest."""
_PATIENCE = 0.12
"""Seconds that a page waits for an answer before it is shown without."""
_ENDING = 2.0


class Doing:
    """One ask on its way: it changes while it is done, and no more afterwards."""

    def __init__(self, number: int, ask: Ask) -> None:
        self.number, self.ask = number, ask
        self.state: State = "waiting"
        self.stage, self.done, self.total = "", 0, 0
        self.began, self.ended = time.monotonic(), 0.0
        self.answer: Any = None
        self.failure: Failure | None = None

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "stopped")

    @property
    def seconds(self) -> float:
        return (self.ended or time.monotonic()) - self.began

    def end(self, state: State, answer: Any = None, failure: Failure | None = None) -> None:
        self.answer, self.failure, self.ended = answer, failure, time.monotonic()
        self.state = state


class Worker:
    """The process and what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.RLock()
        self._known: OrderedDict[str, Doing] = OrderedDict()
        self._waiting: list[Doing] = []
        self._running: Doing | None = None
        self._number = 0
        self.ready = False
        self._begin()

    def ask(self, ask: Ask, again: bool = False) -> Doing:
        """What was asked before, or a new ask; `again` asks anew."""
        with self._lock:
            found = self._known.get(ask.key)
            if found is not None and not (again and found.over) and found.state != "stopped":
                self._known.move_to_end(ask.key)
                return found
            self._number += 1
            made = Doing(self._number, ask)
            self._known[ask.key] = made
            for other in [each for each in self._waiting if ask.slot and each.ask.slot == ask.slot]:
                self._waiting.remove(other)
                self._known.pop(other.ask.key, None)
            self._waiting.append(made)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            self._next()
            return made

    async def within(self, doing: Doing, seconds: float = _PATIENCE) -> Doing:
        """The same, after it is over or the time is."""
        end = time.monotonic() + seconds
        while not doing.over and time.monotonic() < end:
            await asyncio.sleep(0.01)
        return doing

    def stop(self, doing: Doing) -> None:
        """Give it up. If it runs, its process ends and another one begins; nothing of it is left."""
        with self._lock:
            if doing in self._waiting:
                self._waiting.remove(doing)
                doing.end("stopped")
            elif doing is self._running:
                old = self._process
                self._running = None
                doing.end("stopped")
                old.terminate()
                self._begin()
                self._next()
                threading.Thread(target=_ended, args=(old,), daemon=True).start()

    def forget(self) -> None:
        """All answers, and what waits: they were about another table."""
        with self._lock:
            self._known.clear()
            for doing in self._waiting:
                doing.end("stopped")
            self._waiting.clear()
            if self._running is not None:
                self.stop(self._running)

    def close(self) -> None:
        """For good."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            _ended(self._process)

    def _begin(self) -> None:
        from sfumato.workbench.working import work

        ours, theirs = self._context.Pipe()
        self._closed, self.ready, self._pipe = False, False, ours
        # No daemon, which may start no processes, as a comparison does; it ends with `close`, or with the server.
        self._process = self._context.Process(target=work, args=(theirs, str(self._folder)), daemon=False)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(ours,), daemon=True).start()

    def _next(self) -> None:
        if self._running is None and self._waiting:
            self._running = self._waiting.pop(0)
            self._running.state, self._running.began = "running", time.monotonic()
            self._pipe.send((self._running.number, self._running.ask.kind, dict(self._running.ask.given)))

    def _listen(self, pipe: Connection) -> None:
        """Take what the process says, until it is gone."""
        try:
            while True:
                self._heard(pipe, *pipe.recv())
        except (EOFError, OSError):
            with self._lock:
                if pipe is self._pipe and not self._closed:
                    if self._running is not None:
                        self._running.end("failed", failure=Failure("gone", ""))
                        self._running = None
                    self._begin()
                    self._next()

    def _heard(self, pipe: Connection, word: str, number: int, *said: Any) -> None:
        with self._lock:
            doing = self._running
            if pipe is not self._pipe:
                return
            if word == "ready":
                self.ready = True
            elif doing is not None and doing.number == number:
                if word == "progress":
                    doing.stage, doing.done, doing.total = said
                    return
                doing.end("done" if word == "done" else "failed", *(said if word == "done" else (None, *said)))
                self._running = None
                self._next()


def _ended(process: Any) -> None:
    """End a process now; by force if it does not listen."""
    process.terminate()
    process.join(_ENDING)
    if process.is_alive():
        process.kill()
        process.join(_ENDING)
