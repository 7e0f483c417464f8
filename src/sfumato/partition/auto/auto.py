"""Auto: the methods that promise most for a table are run, and what loses least is kept.

Which are run follows from the promise, the number of different rows, whether somebody has several rows, the form and
the budget (`candidates`). Each is an algorithm like any other, with its steps, on the same task. What it finds is rated
by what its release would lose, by the policy's own measure; the least is kept, the first of equal ones.

Guarantee: what is kept keeps the promise, as that of the method which found it does; it loses no more than what any of
the methods found that were run. A promise that one of the built-in methods can keep is not given up: where none of the
promising ones finds anything, all others are tried.

Under a budget the work is counted, so that the same task gives the same result everywhere. With a `time` the clock
decides: methods are run with ever more work until it is over, one that is late is given up, and the first always ends.

Below steps that a policy names, which may run it many times, it runs one method, as with a quick budget.

Complexity: that of the methods which are run, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sfumato.errors import Infeasible, NoneFound, Refused
from sfumato.fit import NATIVE, Fit, adapted, fit_apart, refused
from sfumato.loss.contract import all_columns
from sfumato.models.contract import Model
from sfumato.partition.auto.candidates import Occasion, everything, promising, title
from sfumato.partition.auto.deadline import Deadline, Late
from sfumato.partition.contract import Partition, Partitioner, Rate, Task
from sfumato.partition.partition_loss import measured
from sfumato.partition.sound import sound
from sfumato.policy.methods import Auto, Method
from sfumato.table.words import counted

if TYPE_CHECKING:
    Make = Callable[[Method], Partitioner]

__all__ = ["AutoPartitioner", "rated"]

_RUNGS = (1 / 64, 1 / 16, 1 / 4, 1.0, 4.0, 16.0)
"""Under a time, how many times the usual work methods are run with, one rung after the other."""
_STEEP = 4
"""How many times as long the next rung takes, at most."""


def _unbound(method: Method) -> Partitioner:
    raise ValueError("auto runs methods that `grouping` makes for a table")


@dataclass(frozen=True)
class AutoPartitioner:
    """The partitioner of `partition: {method: auto}`. `make` makes the others, for the table at hand."""

    options: Auto
    make: Make = _unbound

    def among(self, make: Make) -> AutoPartitioner:
        return replace(self, make=make)

    def fit(self, model: Model) -> Fit:
        return self._fit(model, lambda each: each.fit(model))

    def fit_persons(self, model: Model) -> Fit:
        return self._fit(model, lambda each: fit_apart(each, model))

    def _fit(self, model: Model, ask: Callable[[Partitioner], Fit]) -> Fit:
        """The best answer of all; a refusal has the reason of the first."""
        answers: list[tuple[Method, Fit]] = []
        for each in everything(self.options, model):
            answers.append((each, ask(self.make(each))))
            if answers[-1][1].status == "native":
                return NATIVE
        for each, fit in answers:
            if fit.status == "adapted":
                return adapted(f"by {title(each)}: {fit.why}")
        return refused(answers[0][1].why)

    def partition(self, task: Task) -> Partition:
        """As with a quick budget: below steps, which may ask again and again."""
        quick = self.options.model_copy(update={"budget": "quick", "time": None})
        return replace(self, options=quick).chosen(task, lambda found: rated(task, found))

    def chosen(self, task: Task, rate: Rate) -> Partition:
        """What loses least by `rate`, which may raise `NoneFound` for what is no release."""
        run = _Attempts(task, rate, self.make, Deadline.of(self.options.seconds))
        table = task.table
        different = len(table if table.counted is None else table.counted)
        alike = table.rows / max(different, 1)
        occasion = Occasion(task.model, different, alike, table.person is not None, task.exact)
        number = 1 if self.options.budget == "quick" else None
        for rung in (None,) if run.deadline is None else _RUNGS:
            run.all_of(promising(self.options, occasion, rung)[:number])
        run.until_found(promising(self.options, occasion))
        run.until_found(everything(self.options, task.model))
        return run.finished(self.options)


@dataclass
class _Attempts:
    """What was tried so far.

    best      the method that lost least, what it found and what that loses
    lost      what each lost that found something
    passed    why others did not
    """

    task: Task
    rate: Rate
    make: Make
    deadline: Deadline | None
    best: tuple[Method, Partition, float] | None = None
    lost: dict[str, float] = field(default_factory=dict)
    passed: dict[str, NoneFound | Refused] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)

    def all_of(self, methods: list[Method]) -> None:
        """Try each of them, as far as there is time."""
        for place, method in enumerate(methods, 1):
            self._tried(method, f"{place} of {len(methods)}")

    def until_found(self, methods: Iterable[Method]) -> None:
        """Try one after the other until something is found."""
        for method in methods:
            if self.best is not None:
                return
            if title(method) not in self.passed:
                self._tried(method, "others")

    def finished(self, options: Auto) -> Partition:
        """The best, with a word on how it was found; `NoneFound` with all reasons if there is none."""
        if self.best is None:
            raise self._failure()
        method, found, _ = self.best
        return replace(found, notes=(*found.notes, *self._notes(options, title(method))))

    def _tried(self, method: Method, place: str) -> None:
        name = title(method)
        algorithm = self.make(method)
        persons = self.task.table.person is not None
        fit = fit_apart(algorithm, self.task.model) if persons else algorithm.fit(self.task.model)
        if fit.status == "refused":
            return
        ready = self.deadline is None or self.best is None or self.deadline.has_room(_STEEP * self.took.get(name, 0))
        if not ready:
            self.late.add(name)
            return
        try:
            self._run(method, name, algorithm, place)
        except Late:
            self.late.add(name)
        except (NoneFound, Refused) as error:
            self.passed.setdefault(name, error)

    def _run(self, method: Method, name: str, algorithm: Partitioner, place: str) -> None:
        def tell(stage: str, done: int, total: int) -> None:
            if self.deadline is not None and self.best is not None:
                self.deadline.require_room()
            self.task.progress(f"{stage}{', ' if ':' in stage else ': '}{name} ({place})", done, total)

        begun = 0.0 if self.deadline is None else self.deadline.spent()
        found = sound(algorithm.partition(replace(self.task, progress=tell)), self.task.table, method.method)
        loss = self.rate(found)
        if self.deadline is not None:
            self.took[name] = self.deadline.spent() - begun
        self.lost[name] = min(loss, self.lost.get(name, loss))
        if self.best is None or loss < self.best[2]:
            self.best = method, found, loss

    def _notes(self, options: Auto, kept: str) -> Iterator[str]:
        lost = [f"{name} loses {loss:.4f}" for name, loss in self.lost.items()]
        table = self.task.table
        rows = counted(len(table if table.counted is None else table.counted), "different row")
        rows += f", budget {options.budget}"
        if len(lost) == 1:
            yield f"auto ran {kept} ({rows})"
        else:
            yield f"auto ran {counted(len(lost), 'method')} ({rows}): {'; '.join(lost)}. It kept {kept}, the least"
        for reason, names in _by_reason(self.passed).items():
            short = reason.removeprefix(f"{self.task.model.promise}: ").partition(";")[0].partition(". ")[0]
            yield f"auto: {', '.join(names)} found nothing: {short}"
        if options.time is not None:
            yield f"the time of {options.time} decided what auto tried: another run may find other groups"

    def _failure(self) -> NoneFound:
        """What stood against it, each reason once."""
        errors = list(self.passed.values())
        shown = [error for error in errors if isinstance(error, Infeasible)]
        if shown and (not self.task.limit or len(shown) == len(errors)):
            return shown[0]
        reasons = [f"{', '.join(names)}: {reason}" for reason, names in _by_reason(self.passed).items()]
        nearest = next((found for error in errors if (found := getattr(error, "nearest", None)) is not None), None)
        return NoneFound("\n  ".join(["no method found a release", *reasons]), nearest)


def _by_reason(passed: Mapping[str, NoneFound | Refused]) -> dict[str, list[str]]:
    """Who found nothing, by why."""
    found: dict[str, list[str]] = {}
    for name, error in passed.items():
        found.setdefault(error.reason if isinstance(error, NoneFound) else str(error), []).append(name)
    return found


def rated(task: Task, found: Partition) -> float:
    """What a generalized table would lose, generalized sensitive values counted as dear as all quasi-identifiers."""
    shown = found if task.recodes else replace(found, recoding=None)
    loss = float(measured(task, shown)[1])
    if all_columns(task.loss):
        return loss
    return loss + sum(
        found.edited_mean(column, task.loss) for column in task.table.sensitive if column.name in found.edits
    )
