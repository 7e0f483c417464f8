"""The stopwatch, with a clock that the test turns by hand."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field

import pytest

from benchmarks.clock import Effort, Times, interleaved


@dataclass
class Machine:
    """A clock that only work moves; with `drift` every call takes longer than the one before."""

    time: float = 0.0
    drift: float = 0.0
    log: list[str] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def work(self, name: str, seconds: float) -> None:
        self.log.append(name)
        self.time += seconds * (1 + self.drift * len(self.log))


def measured(machine: Machine, floor: float, kernel: float, effort: Effort) -> Times:
    return interleaved(lambda: machine.work("f", floor), lambda: machine.work("k", kernel), effort, machine.now)


def test_ratio_is_that_of_the_work() -> None:
    times = measured(Machine(), 2.0, 7.0, Effort())
    assert (times.floor, times.kernel) == pytest.approx((2.0, 7.0))
    assert times.ratio == pytest.approx(3.5)


def test_floor_and_kernel_take_turns() -> None:
    machine = Machine()
    measured(machine, 1.0, 1.0, Effort(rounds=4, most=4, lap=0.5))
    assert "".join(machine.log[-8:]) == "fkfkfkfk"


def test_short_functions_are_called_often_and_told_per_call() -> None:
    machine = Machine()
    times = measured(machine, 0.002, 0.01, Effort(rounds=3, most=3, lap=0.02))
    assert "".join(machine.log).endswith(("f" * 10 + "k" * 2) * 3)
    assert times.ratio == pytest.approx(5)


def test_short_ones_get_more_rounds_and_long_ones_the_least() -> None:
    long, short = Machine(), Machine()
    effort = Effort(rounds=3, most=9, budget=2.0, lap=0.0)
    measured(long, 5.0, 5.0, effort)
    measured(short, 0.01, 0.01, effort)
    assert len(long.log) == 2 * (1 + 3)  # the first call of each is not counted
    assert len(short.log) == 2 * (1 + 9)


def test_neither_the_first_call_nor_one_odd_lap_counts() -> None:
    machine, calls = Machine(), 0

    def kernel() -> None:
        nonlocal calls
        calls += 1
        machine.work("k", {1: 900.0, 3: 50.0}.get(calls, 3.0))

    times = interleaved(lambda: machine.work("f", 1.0), kernel, Effort(rounds=3, most=3), machine.now)
    assert times.ratio == pytest.approx(3)


def test_a_machine_that_slows_down_slows_both() -> None:
    alone = measured(Machine(), 1.0, 2.0, Effort(rounds=9, most=9))
    slowing = measured(Machine(drift=0.05), 1.0, 2.0, Effort(rounds=9, most=9))
    assert slowing.floor > 1.3 * alone.floor
    assert slowing.ratio == pytest.approx(alone.ratio, rel=0.05)


def test_the_collector_rests_during_a_lap_and_works_again_after_a_failure() -> None:
    seen = []

    def broken() -> None:
        seen.append(gc.isenabled())
        if len(seen) == 3:
            raise OSError

    with pytest.raises(OSError):
        interleaved(lambda: None, broken, Effort())
    assert seen[1:] == [False, False]
    assert gc.isenabled()
