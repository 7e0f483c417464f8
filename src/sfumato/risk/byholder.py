"""Risk as the holder can tell it, who has the original table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import one_line
from sfumato.progress import Progress
from sfumato.release.fits import Fits
from sfumato.release.subject import Lacking, Numbered, Subject
from sfumato.risk.believed import Guessed, by_classes, by_people, by_rows
from sfumato.risk.everybody import Everybody
from sfumato.risk.lookup import Fitting, Lookup, nothing_said
from sfumato.risk.report import Reidentification, Side
from sfumato.risk.sampled import Sampled
from sfumato.risk.side import shown_uniques, side_of
from sfumato.risk.sizes import SizeCounts
from sfumato.risk.thresholds import Threshold
from sfumato.risk.uniques import Coded, uniques
from sfumato.table.table import Table

__all__ = ["ByHolder"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ByHolder:
    """A release beside its table, and what is asked."""

    subject: Subject
    table: Table
    asked: tuple[Threshold, ...]
    sure: tuple[Threshold, ...]
    register: Lookup | None
    progress: Progress

    def found(self) -> Reidentification:
        steps = 3 + len(self.subject.sensitive)
        self.progress("risk: before", 0, steps)
        before = self._before()
        self.progress("risk: after", 1, steps)
        after = self._after()
        guesses = []
        for at, name in enumerate(self.subject.sensitive):
            self.progress("risk: best guesses", 2 + at, steps)
            guesses.append(self._guess(name))
        self.progress("risk", steps, steps)
        return Reidentification(before, after, *self._by, tuple(guesses), "", tuple(self._notes(before)))

    @property
    def _by(self) -> tuple[str, float | None]:
        if self.register is not None:
            return "population", self.register.people
        return ("", None) if self._sampled is None else ("weights", self._sampled.people)

    @cached_property
    def _sampled(self) -> Sampled | None:
        return None if self.register is not None else Sampled.of(self.table)

    @cached_property
    def _all(self) -> Everybody:
        """By all quasi-identifiers of the table."""
        return Everybody.of(self.subject.tuples, self.subject.policy.quasi)

    @cached_property
    def _some(self) -> Everybody:
        """By those that are published, as many people as can be looked at."""
        return self._asked.some(self._fits.known, self._fits.looked)

    @cached_property
    def _asked(self) -> Everybody:
        names = self.subject.quasi
        return self._all if names == self._all.known.names else Everybody.of(self.subject.tuples, names)

    @cached_property
    def _fits(self) -> Fits:
        people, _, sizes = self.subject.classes
        return Fits.of(self.subject, self._asked.known, Numbered(people, sizes, nothing_said()))

    @cached_property
    def _told_before(self) -> Fitting | None:
        if self.register is not None:
            return self.register.combinations(self._all, self.subject.tuples)
        return None if self._sampled is None else self._sampled.combinations(self._all)

    def _before(self) -> Side:
        known, tuples = self._all.known, self.subject.tuples
        rows = self._all.rows(known.counts.astype(np.float64))
        told = self._told_before
        register = None if told is None else (told, told.people[self._all.place])
        codes = [np.ascontiguousarray(known.codes[:, at]) for at in range(len(known.names))]
        sizes = tuple(tuples[name].size for name in known.names)
        unique = uniques(Coded(known.names, codes, sizes, self._all.persons))
        return side_of(rows, self._all.many, register, self.asked, SizeCounts.of(known.counts), unique)

    def _after(self) -> Side:
        some = self._some
        rows = some.rows(self._fits.rows)
        told = self._told_after()
        register = None if told is None else (told[0], told[1][some.place])
        sizes = SizeCounts.of(self.subject.classes[2])
        return side_of(rows, some.many, register, self.asked, sizes, shown_uniques(self.subject))

    @property
    def _plain(self) -> bool:
        """Whether quasi-identifiers are shown as they are, side by side: then combinations are what people fit."""
        return self.subject.seen.exact and len(self.subject.people) == 1

    def _told_after(self) -> tuple[Fitting, Floats] | None:
        """What is told of the population, and how many of it fit each combination."""
        some, (people, _, sizes) = self._some, self.subject.classes
        if self.register is not None:
            if self._plain:
                told = self.register.combinations(some, self.subject.tuples)
                return told, told.people
            told, _ = self.register.classes(self.subject, people, sizes)
            return told, told.of(self._fits)
        if self._sampled is None:
            return None
        if self._plain:
            told = self._sampled.combinations(some)
            return told, told.people
        told = self._sampled.classes(self._fits, some, sizes)
        return told, told.of(self._fits)

    def _guess(self, name: str) -> Guessed:
        tuples, sure = self.subject.tuples, self.sure
        before = by_rows(tuples, self._all.known.names, name, sure)
        counts = tuples.count([name]).counts
        totals = float(counts.max(initial=0) / max(counts.sum(), 1))
        try:
            numbered = self.subject.numbered(name)
        except Lacking as lacks:
            return Guessed(name, totals, before, None, None, str(lacks))
        fits = Fits.of(self.subject, self._asked.known, numbered) if self.subject.seen.changed else self._fits
        groups = by_classes(numbered.shares, numbered.sizes, sure)
        people = by_people(fits.chances(numbered.shares), fits.known.counts, totals, sure)
        return Guessed(name, totals, before, groups, people)

    def _notes(self, before: Side) -> Iterator[str]:
        if self.subject.seen.exact:
            yield (
                "this form shows quasi-identifiers as they are: who is in the table is as plain as before, and what is"
                " protected is whose sensitive value is whose: see the best guesses"
            )
        if self.subject.suppressed:
            yield f"{self.subject.suppressed} people are not in the release, and are looked for all the same"
        if self._fits.looked > 1:
            yield f"after: one in {self._fits.looked} combinations of quasi-identifiers was looked at"
        if self.subject.tuples.person is not None:
            yield "somebody with several rows counts once for every combination of quasi-identifiers that they have"
        if before.unique.capped:
            yield "not all sets of columns were looked at: there are too many"
        yield from self._register_notes()

    def _register_notes(self) -> Iterator[str]:
        if self.register is not None:
            absent = [name for name in self.subject.policy.quasi if name not in self.register.names]
            if absent:
                yield f"the population does not have {', '.join(map(one_line, absent))}: a journalist does not know it"
            told = self._told_before
            short = 0 if told is None else int(self._all.persons[told.people < self._all.persons].sum())
            if short:
                yield f"the population lacks people of the table: {short} have combinations that it has fewer of"
        elif self._sampled is not None:
            yield "the journalist's risk is estimated from sampling weights; no promise rests on them"
            if self._sampled.people <= self.table.rows:
                yield "the weights sum to no more than the rows, as if everybody of the population were in the table"
