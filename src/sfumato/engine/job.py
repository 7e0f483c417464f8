"""A job: a table and a policy, planned and checked, ready to be run, watched and called off."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from sfumato.engine.cancelling import Cancelling
from sfumato.engine.cautions import cautions
from sfumato.engine.limits import require_harmless, require_harmless_shown, require_plain_secrets
from sfumato.engine.making import release_of, unaudited, with_remedies
from sfumato.engine.missing import Unseen
from sfumato.engine.plan import Plan, plan
from sfumato.engine.release import Release
from sfumato.engine.task import task_of
from sfumato.errors import NoneFound, SfumatoWarning
from sfumato.forms.contract import Publisher
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Model
from sfumato.models.registry import binding
from sfumato.partition.contract import Partitioner, Task
from sfumato.partition.registry import grouping
from sfumato.policy.document import Policy
from sfumato.policy.promises import Promise
from sfumato.progress import Progress, silent
from sfumato.randomness import Key, Randomness
from sfumato.table.persons import Several
from sfumato.table.read import read
from sfumato.table.table import Table
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.engine.earlier import Earlier

__all__ = ["Job", "planned", "runs", "would_be"]

T = TypeVar("T")
Warn = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Job:
    """A release that is planned and not made yet. Promise, algorithm and form go together, and nothing is searched.

    table       the data under its policy
    promised    the promise, bound to the table
    algorithm   what finds groups, with its steps
    form        what shows them
    plan        how the three go together: native, or adapted and how
    task        what the algorithm is asked for: the promise that it searches with, the loss and the limits
    cautions    what the holder was warned of
    key_id      which key its chance comes from; `seed` for tests and papers
    several     rows of one person, if somebody has several
    unseen      rows that the missing rule dropped, as far as somebody could know of them
    before      what was published before, if anything: no release is made that exposes people with it

    The same job run again gives the same release.
    """

    table: Table = field(repr=False)
    promised: Model = field(repr=False)
    algorithm: Partitioner = field(repr=False)
    form: Publisher = field(repr=False)
    plan: Plan
    task: Task = field(repr=False)
    cautions: tuple[str, ...]
    key_id: str = field(repr=False)
    seed: int | None = field(repr=False)
    several: Several | None = field(repr=False)
    unseen: Unseen | None = field(repr=False)
    before: Earlier | None = field(default=None, repr=False)
    _cancelling: Cancelling = field(default_factory=Cancelling, repr=False)

    def __repr__(self) -> str:
        return (
            f"<Job on {counted(self.rows, 'row')}: {self.promise}; {self.plan.status}; cautions: {len(self.cautions)}>"
        )

    @property
    def policy(self) -> Policy:
        return self.table.policy

    @property
    def promise(self) -> Promise:
        """What every group will keep."""
        return self.policy.promise

    @property
    def rows(self) -> int:
        """How many rows are to be published, but for those that find no group."""
        return self.table.rows

    @property
    def cancelled(self) -> bool:
        return self._cancelling.said

    def cancel(self) -> None:
        """Call it off, from any thread: a run ends with `Cancelled` where it next tells its progress; so does any
        later one. What is already done stays done."""
        self._cancelling.say()

    def run(self, progress: Progress = silent) -> Release:
        """Search, publish and audit; a release in memory, or an error and nothing left behind.

        progress   called with (stage, rows done, rows in all); it may raise `Cancelled`, or call `cancel`

        Raises `NoneFound` if no release was found, with what would be kept, `Infeasible` if it is shown that none
        exists, `AuditFailed` if the auditor does not confirm the result, `Cancelled` if it was called off.
        """
        found: list[str] = []
        release = self.made(progress, found.append)
        for caution in found:
            warnings.warn(caution, SfumatoWarning, stacklevel=2)
        return release

    def made(self, progress: Progress, warn: Warn) -> Release:
        """The same for whoever has another way to warn."""
        from sfumato.kernels.first import first_run

        heeded = self._cancelling.heeded(progress)
        unwatched = self._cancelling.heeded(silent)
        with first_run(heeded):
            release = _judged(lambda: release_of(self, heeded, warn), self.table, self.seed, unwatched)
            require_harmless_shown(self.policy, release.singled_out)
            if self.before is not None:
                notes, entries = self.before.checked(release, heeded)
                release = replace(release, notes=(*release.notes, *notes), before=entries)
            return with_remedies(release, runs(self.table, self.seed, unwatched))


def planned(table: Table, seed: int | None, progress: Progress, warn: Warn, before: Earlier | None = None) -> Job:
    """The job of a table under its policy, checked as far as that goes without a search; else its outcome."""
    made = _judged(lambda: _planned(table, seed, progress, warn), table, seed, silent)
    require_harmless(table.policy, table.encode(), table.rows)
    return replace(made, before=before)


def would_be(table: Table, seed: int) -> Release:
    """What would be released of a table: not audited, and without advice where nothing is found."""
    return unaudited(_planned(table, seed, silent, _unsaid), silent)


def _judged(attempt: Callable[[], T], table: Table, seed: int | None, progress: Progress) -> T:
    """What an attempt gives; if it finds no release, what that means, with other policies tried for what they keep."""
    try:
        return attempt()
    except NoneFound as error:
        failed = error
    from sfumato.advice.outcome import outcome  # which most runs never need

    raise outcome(failed, table, runs(table, seed, progress))


def runs(table: Table, seed: int | None, progress: Progress) -> Callable[[Policy], Release]:
    """The release of the same table under another policy."""
    return lambda other: release_of(_planned(read(table, other), seed, progress, _unsaid), progress, _unsaid)


def _unsaid(caution: str) -> None:
    """What nobody asked for is not warned about."""


def _planned(table: Table, seed: int | None, progress: Progress, warn: Warn) -> Job:
    coded, policy = table.encode(), table.policy
    require_plain_secrets(coded)
    progress("read", table.rows, table.rows)
    key = Key.load() if seed is None else None
    randomness = Randomness.fixed(seed or 0) if key is None else Randomness.keyed(key, table.digest, policy.digest)
    bind = binding(Facts.of(coded))
    model = bind(policy.partition.searched(policy.promise))
    algorithm, form = grouping(policy.partition, bind), publisher(policy.form)
    several = Several.of(coded, policy.individual)
    fits = plan(model, algorithm, form, persons=several is not None)
    fits.require_possible(f"{several}: " if several else "")
    found = tuple(cautions(policy, coded))
    for caution in found:
        warn(caution)
    task = task_of(policy, coded, model, form, randomness)
    unseen = None if task.missed is None else Unseen.of(table, coded, task.missed)
    if unseen is not None:
        require_plain_secrets(unseen.table)
        unseen.require()
    key_id = key.id if key is not None else "fixed seed"
    return Job(table, bind(policy.promise), algorithm, form, fits, task, found, key_id, seed, several, unseen)
