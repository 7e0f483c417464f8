"""Risk as anybody can tell it who has the release alone.

Rows that a reader cannot tell apart may all be somebody's. Who fits several classes is known to the holder alone, so
that this is the most that anybody risks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.codes import Codes
from sfumato.release.subject import Subject
from sfumato.risk.believed import Guessed, by_kept, by_shown
from sfumato.risk.lookup import Lookup
from sfumato.risk.report import Reidentification, Side
from sfumato.risk.side import shown_uniques, side_of
from sfumato.risk.sizes import SizeCounts
from sfumato.risk.thresholds import Threshold
from sfumato.table.packing import Packed

__all__ = ["ByOutsider"]

Ints = NDArray[np.int64]

_ORIGINAL = "the original table"


@dataclass(frozen=True, eq=False)
class ByOutsider:
    """A release without its table, and what is asked."""

    subject: Subject
    asked: tuple[Threshold, ...]
    sure: tuple[Threshold, ...]
    register: Lookup | None

    def found(self) -> Reidentification:
        by, people = ("", None) if self.register is None else ("population", self.register.people)
        guesses = tuple(self._guess(name) for name in self.subject.sensitive)
        return Reidentification(None, self._after(), by, people, guesses, _ORIGINAL, tuple(self._notes()))

    def _after(self) -> Side | None:
        if len(self.subject.people) > 1:
            return None  # quasi-identifiers do not stand side by side: only who knows people sees who fits
        people, sizes = self._classes()
        register = None
        if self.register is not None:
            told, _ = self.register.classes(self.subject, people, sizes)
            register = told, told.people
        shown = SizeCounts.of(self.subject.classes[2])
        return side_of(sizes.astype(np.float64), sizes, register, self.asked, shown, shown_uniques(self.subject))

    def _classes(self) -> tuple[Ints, Ints]:
        """The class of every row that shows quasi-identifiers, and the rows of each."""
        if not self.subject.seen.exact:
            return self.subject.classes[0], self.subject.classes[2]
        frame = self.subject.people[0].select(self.subject.quasi)
        columns = [Codes.alone(column) for column in frame.get_columns()]
        packed = Packed.of_rows([(codes.rows, codes.size) for codes in columns])
        numbers = np.arange(frame.height) if packed.numbers is None else packed.numbers
        return numbers.astype(np.int64), packed.counts

    def _guess(self, name: str) -> Guessed:
        shown = by_kept if self.subject.seen.changed else by_shown
        return Guessed(name, None, None, shown(self.subject, name, self.sure), None, _ORIGINAL)

    def _notes(self) -> Iterator[str]:
        yield "without the original table: by classes of the release alone"
        if self.subject.seen.exact:
            yield "this form shows quasi-identifiers as they are: what is protected is whose sensitive value is whose"
