"""One phase: groups found with an eye to the terms that they cost, by one weighted loss of both.

Tried are the two phases as they are; the promise searched directly, which suppresses no terms; larger groups and weaker
promises about terms, between the two; and groups of the best that suppresses, joined where that saves more terms than
it blurs.
The least weighted loss is taken, so it is never above that of two phases, nor of the direct search.

P. Shi, L. Xiong, B. C. M. Fung, CIKM 2010, name it as future work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sfumato.errors import NoneFound
from sfumato.fit import fit_apart
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.terms.balance import Balance
from sfumato.partition.steps.terms.join import join_where_cheaper
from sfumato.partition.steps.terms.search import TermSearch
from sfumato.partition.steps.terms.suppression import Asked, Settling, settled
from sfumato.policy.promises import Promise, all_of, groups_of
from sfumato.table.words import counted

__all__ = ["one_step"]

_MOST = 6


@dataclass(frozen=True, eq=False)
class _Found:
    """A partition, how it was found, and what it loses: both together, generalization, terms."""

    name: str
    partition: Partition
    losses: tuple[float, float, float]
    step: Settling | None = None
    begun: Partition | None = None


def one_step(
    task: Task,
    base: Partitioner,
    rest: Model,
    asked: Sequence[Asked],
    search: TermSearch,
    balance: Balance,
    bind: Bind,
) -> Partition:
    """The partition of least weighted loss among all that are tried."""
    columns = [each.column for each in asked]
    found: list[_Found] = []
    failure: NoneFound | None = None

    def add(name: str, promise: Model, suppressing: bool) -> bool:
        nonlocal failure
        try:
            begun = base.partition(replace(task, model=promise))
            step = settled(task, begun, asked, search) if suppressing else None
        except NoneFound as error:
            failure = failure or error
            return False
        made = begun if step is None else step.finished(begun)
        found.append(_Found(name, made, balance.of(task, made, columns), step, begun))
        return True

    add("two phases", rest, True)
    if _serves(base, task.model, task):
        add("direct search", task.model, False)
    for name, promise in _between(rest, task.model.promise):
        model = bind(promise)
        if not _serves(base, model, task) or not add(name, model, True):
            continue
        if (1 - balance.weight) * found[-1].losses[1] > min(each.losses[0] for each in found):
            break  # coarser ones lose more by generalization alone
    if not found:
        raise failure or NoneFound(f"{task.model.promise}: no grouping was found")
    joined = _joined(task, [each for each in found if each.step is not None], rest, balance, asked)
    found += [joined] if joined is not None else []
    best = min(found, key=lambda each: each.losses[0])
    return replace(best.partition, notes=(*best.partition.notes, _note(best, found)))


def _serves(base: Partitioner, model: Model, task: Task) -> bool:
    """Whether the algorithm can serve the model on this table."""
    fit = base.fit(model) if task.table.person is None else fit_apart(base, model)
    return fit.status != "refused"


def _between(rest: Model, promise: Promise) -> Iterator[tuple[str, Promise]]:
    """Promises between that without terms and the whole: terms half as well protected, then larger groups."""
    others = [part for part in promise.parts if not part.about_terms]
    asked = [part for part in promise.parts if part.about_terms]
    for steps in (1, 2):
        yield f"terms {2**steps} times weaker", all_of(*others, *(part.weaker(2**steps) for part in asked))
    least = max(rest.least_rows(), 2)
    for steps in range(1, _MOST):
        yield f"groups of {least * 2**steps}", all_of(*others, groups_of(least * 2**steps))


def _joined(
    task: Task, found: Sequence[_Found], rest: Model, balance: Balance, asked: Sequence[Asked]
) -> _Found | None:
    """The best that suppresses, with groups joined; None where that would change what they show or mix persons."""
    if not found:
        return None
    best = min(found, key=lambda each: each.losses[0])
    step, begun = best.step, best.begun
    if step is None or begun is None or not rest.survives_merging or begun.recoding is not None:
        return None
    if task.table.person is not None:
        return None
    joins = join_where_cheaper(step, balance)
    if not joins:
        return None
    made = step.finished(begun)
    columns = [each.column for each in asked]
    return _Found(f"{best.name}, {counted(joins, 'group')} joined", made, balance.of(task, made, columns))


def _note(best: _Found, found: Sequence[_Found]) -> str:
    total, blurred, lost = best.losses
    tried = ", ".join(f"{each.name} {each.losses[0]:.4f}" for each in found)
    return (
        f"one phase: {best.name}, weighted loss {total:.4f} (generalization {blurred:.4f}, terms {lost:.4f}); tried:"
        f" {tried}"
    )
