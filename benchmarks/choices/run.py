"""What every method loses on five real tables under five promises, and what auto makes of them."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import process_time
from typing import IO, Any, cast

from benchmarks.choices.tables import PROMISES, TABLES

__all__ = ["METHODS", "Choice", "as_line", "measured_all", "measured_here"]

METHODS: dict[str, Mapping[str, Any]] = {
    "auto": {"method": "auto"},
    "mondrian": {"method": "mondrian"},
    "mondrian, polish": {"method": "mondrian", "polish": True},
    "boxes": {"method": "boxes"},
    "lattice": {"method": "lattice"},
    "sweep": {"method": "sweep"},
    "hilbert": {"method": "hilbert"},
    "hilbert, polish": {"method": "hilbert", "polish": True},
    "bsgi": {"method": "bsgi"},
    "bsgi-free": {"method": "bsgi-free"},
    "bsgi-free, polish": {"method": "bsgi-free", "polish": True},
    "arp": {"method": "arp"},
    "anatomy": {"method": "anatomy"},
}


@dataclass(frozen=True)
class Choice:
    """What a method lost: NCP of all rows; None if it found nothing, does not serve, or took too long.

    cpu     seconds from counted tuples to groups
    told    what auto said of it; of others why there is no loss
    """

    table: str
    promise: str
    method: str
    loss: float | None
    cpu: float
    told: str = ""


def measured_here(table: str, promise: str, methods: Sequence[str]) -> Iterator[Choice]:
    """One table under one promise, in this process."""
    import sfumato as sf
    from sfumato.engine.task import task_of
    from sfumato.errors import NoneFound, Refused
    from sfumato.forms.registry import publisher
    from sfumato.models.contract import Facts
    from sfumato.models.registry import binding
    from sfumato.partition.auto.auto import rated
    from sfumato.partition.contract import Chooser
    from sfumato.partition.partition_loss import measured
    from sfumato.partition.registry import grouping
    from sfumato.policy.methods import METHODS as WORDS
    from sfumato.randomness import Randomness

    real = TABLES[table]()
    read = sf.read(real.frame, real.policy(PROMISES[promise]))
    coded, policy = read.encode(), read.policy
    bind = binding(Facts.of(coded))
    model = bind(policy.promise)
    task = task_of(policy, coded, model, publisher(policy.form), Randomness.fixed(1))
    for name in methods:
        words = METHODS[name]
        algorithm = grouping(WORDS[words["method"]].model_validate(words), bind)
        fit = algorithm.fit(model)
        if fit.status == "refused":
            yield Choice(table, promise, name, None, 0.0, "refused")
            continue
        begun = process_time()
        try:
            if isinstance(algorithm, Chooser):
                found = algorithm.chosen(task, lambda each: rated(task, each))
            else:
                found = algorithm.partition(task)
        except (NoneFound, Refused):
            yield Choice(table, promise, name, None, process_time() - begun, "none found")
            continue
        spent = process_time() - begun
        told = next((note for note in found.notes if note.startswith("auto ran")), "")
        yield Choice(table, promise, name, float(measured(task, found)[1]), spent, told)


def measured_all(table: str, promises: Sequence[str], seconds: float) -> Iterator[Choice]:
    """Every method on a table, in a process for each promise; one that takes longer than so many is given up."""
    for promise in promises:
        left = list(METHODS)
        while left:
            for choice in _of_process(table, promise, tuple(left), seconds):
                left.remove(choice.method)
                yield choice


def _of_process(table: str, promise: str, methods: Sequence[str], seconds: float) -> Iterator[Choice]:
    """What another process finds, until one of the methods takes too long."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.choices", "--here", table, promise, *methods]
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as process:  # noqa: S603
        lines = cast(IO[bytes], process.stdout)  # without a buffer, so that what is waited for is what is there
        for method in methods:
            ready, _, _ = select.select([lines], [], [], seconds)
            line = lines.readline() if ready else b""
            if not line:
                process.kill()
                yield Choice(table, promise, method, None, seconds, "too long" if not ready else "failed")
                return
            yield Choice(**json.loads(line))


def as_line(choice: Choice) -> str:
    return json.dumps(asdict(choice))
