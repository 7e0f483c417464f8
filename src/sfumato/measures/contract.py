"""What a measure is: a number that a release has, with its formula, range, direction and reference.

A measure looks at a `Subject`: the release as anybody can open it, and the holder's table where it needs that. It works
for every form, for every method, and for a table that another tool made. What it needs and does not find it says by
raising `Lacking`.

A row that was suppressed counts as one of which nothing is said: it loses all of every column (a loss of 1), it is as
large a class as the whole table (discernibility), no query counts it, and of its secret nothing more is believed than
the totals tell. Kept rows that show `*` everywhere lose the same. Rows that the missing rule dropped are no part of the
table, and counted by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from sfumato.progress import Progress, silent

if TYPE_CHECKING:
    from sfumato.release.subject import Subject

__all__ = ["About", "Circumstances", "Figure", "Measure"]


@dataclass(frozen=True)
class About:
    """A measure in words.

    title      what it is, in a few words
    formula    in plain text
    range      from what to what
    better     which way a release says more
    reference  where it is defined, with a DOI where there is one
    needs      what must be there beside the release: the original table, a sensitive column, …
    """

    title: str
    formula: str
    range: str
    better: Literal["lower", "higher", "neither"]
    reference: str
    needs: tuple[str, ...] = ("the original table",)


@dataclass(frozen=True)
class Figure:
    """What was measured.

    value     of the release
    columns   of columns, where it has one for each
    details   what stands behind it, as plain values
    """

    value: float
    columns: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Circumstances:
    """What a measurement depends on besides.

    seed       of what is drawn at random, such as queries: the same seed, the same figures
    progress   told of what takes long
    """

    seed: int = 0
    progress: Progress = silent


class Measure(Protocol):
    """A frozen dataclass whose fields are its settings, each with a default."""

    name: ClassVar[str]
    about: ClassVar[About]

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        """Measure a release; `Lacking` if something is not there."""
        ...
