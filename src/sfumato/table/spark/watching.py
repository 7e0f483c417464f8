"""Work of Spark's, watched: how far it is, whether anybody works on it, and called off when the run is."""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sfumato.errors import SfumatoError, TableError
from sfumato.progress import Progress
from sfumato.table.spark.given import SparkTable
from sfumato.table.spark.telling import told

__all__ = ["Watch"]

T = TypeVar("T")

_STAGE = "count"
_EVERY = 0.1
_END = 20.0
"""Seconds that work which was called off has to end."""


@dataclass(frozen=True, eq=False)
class Watch:
    """Who watches what one session does for a run.

    session    of Spark, classic or of Spark Connect
    name       what messages call the table
    progress   is told of tasks that are done; what it raises ends the work
    patience   seconds without anybody at work after which it is given up; only a classic session tells
    doing      what Spark calls the work
    """

    session: Any
    name: str
    progress: Progress
    patience: float
    doing: str = "counts rows"
    tag: str = field(default_factory=lambda: f"sfumato-{uuid.uuid4()}")

    @classmethod
    def of(cls, table: SparkTable, progress: Progress, doing: str) -> Watch:
        """For a table, until the next kind of work."""
        return cls(table.frame.sparkSession, table.called, progress, table.patience, doing)

    def __call__(self, work: Callable[[], T]) -> T:
        """What the work answers; a `TableError` with words of ours where Spark fails."""
        answers: list[T] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                self.session.addTag(self.tag)
                if self._context is not None:
                    self._context.setJobGroup(self.tag, f"sfumato {self.doing}", interruptOnCancel=True)
                answers.append(work())
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run, name="sfumato-spark", daemon=True)
        thread.start()
        try:
            self._wait(thread)
        except BaseException:
            self._call_off(thread)
            raise
        if errors:
            raise errors[0] if isinstance(errors[0], SfumatoError) else told(errors[0], self.name)
        total = max(self._tasks()[1], 1)
        self.progress(_STAGE, total, total)
        return answers[0]

    def _wait(self, thread: threading.Thread) -> None:
        last = time.monotonic()
        while thread.is_alive():
            thread.join(_EVERY)
            done, total, busy = self._tasks()
            self.progress(_STAGE, done, max(total, done, 1))
            if busy or not total:
                last = time.monotonic()
            elif time.monotonic() - last > self.patience:
                raise TableError(
                    f"{self.name}: no worker of Spark has done anything for {self.patience:g} seconds;"
                    " nothing was written. Look whether workers are there, free, and have the memory that is asked for"
                )

    @property
    def _context(self) -> Any:
        """That of a classic session; Spark Connect has none."""
        return None if ".connect." in type(self.session).__module__ else self.session.sparkContext

    def _tasks(self) -> tuple[int, int, bool]:
        """Tasks that are done and that there are, as far as is known, and whether any is worked on, or none waits."""
        if self._context is None:
            return 0, 0, True
        tracker = self._context.statusTracker()
        done = total = active = 0
        running = False
        for job in tracker.getJobIdsForGroup(self.tag):
            known = tracker.getJobInfo(job)
            if known is None:
                continue
            running |= known.status == "RUNNING"
            stages = [found for each in known.stageIds if (found := tracker.getStageInfo(each)) is not None]
            done += sum(stage.numCompletedTasks for stage in stages)
            total += sum(stage.numTasks for stage in stages)
            active += sum(stage.numActiveTasks for stage in stages)
        return done, total, active > 0 or not running

    def _call_off(self, thread: threading.Thread) -> None:
        with contextlib.suppress(Exception):  # a session that is lost has nothing to end
            self.session.interruptTag(self.tag)
        thread.join(_END)
