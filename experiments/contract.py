"""What an experiment is: points to compute, pictures of them, what a paper printed, and what it claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

__all__ = ["Chart", "Claim", "Experiment", "Found", "Printed", "Row", "Surface", "Value", "Verdict", "grid"]

T = TypeVar("T")
Value = str | int | float | None
Row = Mapping[str, Value]


@dataclass(frozen=True)
class Found:
    """What was found: a row per point, or several, with its settings and its figures."""

    rows: tuple[Row, ...]

    def where(self, settings: Row) -> Found:
        """The rows that have these settings."""
        return Found(tuple(row for row in self.rows if all(row.get(name) == each for name, each in settings.items())))

    def at(self, figure: str, settings: Row) -> float:
        """The one number there."""
        values = [row[figure] for row in self.where(settings).rows]
        if len(values) != 1 or not isinstance(values[0], (int, float)):
            raise LookupError(f"{figure} at {dict(settings)}: found {values}")
        return float(values[0])

    def line(self, figure: str, over: str, settings: Row) -> dict[float, float]:
        """A figure over a setting, points without a number left out."""
        pairs = [(row.get(over), row.get(figure)) for row in self.where(settings).rows]
        return {float(x): float(y) for x, y in pairs if isinstance(x, (int, float)) and isinstance(y, (int, float))}

    def values(self, name: str) -> list[Value]:
        """The different values of a setting, in order of appearance."""
        return list(dict.fromkeys(row[name] for row in self.rows))


@dataclass(frozen=True)
class Printed:
    """A number that the paper prints, and ours.

    ours     None: it is not computed here, and the reason says why
    digits   after the point, as printed: what is the same in all of them is no difference
    reason   why ours differs; empty where it is the same
    """

    what: str
    paper: float
    ours: Callable[[Found], float] | None
    digits: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, and by which numbers."""

    holds: bool
    evidence: str


@dataclass(frozen=True)
class Claim:
    """What the paper says of a figure: who wins, what rises.

    contradicted   why it does not hold here; empty where it does. A test holds us to either
    """

    figure: str
    says: str
    judged: Callable[[Found], Verdict]
    contradicted: str = ""


@dataclass(frozen=True)
class Chart:
    """A picture: a figure over a setting, a line for each value of another.

    where       only the rows with these settings
    words       what a line is called, if not by its value
    published   lines that the paper prints, by the value whose line they belong to
    log         y grows by powers of ten
    log_x       x does
    since       x from there on
    """

    name: str
    title: str
    x: str
    x_label: str
    y: str
    y_label: str
    by: str
    where: Row = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, Mapping[float, float]] = field(default_factory=dict)
    log: bool = False
    log_x: bool = False
    since: float = float("-inf")

    def word(self, value: Value) -> str:
        return self.words.get(str(value), str(value))

    def lines(self, found: Found) -> dict[str, dict[float, float]]:
        """What it shows: by the word for each line, its points."""
        chosen = found.where(self.where)
        made = {self.word(value): chosen.line(self.y, self.x, {self.by: value}) for value in chosen.values(self.by)}
        return {name: {x: y for x, y in each.items() if x >= self.since} for name, each in made.items()}


@dataclass(frozen=True)
class Surface:
    """A picture of a figure over two settings, where the paper draws it in three dimensions.

    A panel for each value of `by`, in each a cell for each pair of x and y, with its figure, dark where that is large.
    y grows downwards, so that what is stricter stands further up, as in the paper.
    """

    name: str
    title: str
    x: str
    x_label: str
    y: str
    y_label: str
    z: str
    z_label: str
    by: str
    where: Row = field(default_factory=dict)

    def panels(self, found: Found) -> dict[str, dict[tuple[float, float], float | None]]:
        """By the name of each panel, the figure at each pair; None where there is no output."""
        made: dict[str, dict[tuple[float, float], float | None]] = {}
        for row in found.where(self.where).rows:
            x, y, z = row[self.x], row[self.y], row[self.z]
            if isinstance(x, (int, float)) and isinstance(y, (int, float)):
                cells = made.setdefault(str(row[self.by]), {})
                cells[float(x), float(y)] = float(z) if isinstance(z, (int, float)) else None
        return made


@dataclass(frozen=True)
class Experiment(Generic[T]):
    """One or several tables and figures of a paper that come from the same runs.

    name      of the first of them, and of its file
    also      the others
    points    settings of every run, all numbers and words
    quick     those that a quick run computes again, to compare them with what is stored
    prepare   the data; called once, and only if something is to be computed
    measure   figures of one point: a row of them, or several. The same data and settings give the same figures
    timed     its figures are CPU times, which are taken on a quiet machine, with ``--times``
    """

    paper: str
    name: str
    title: str
    points: tuple[Row, ...]
    quick: tuple[Row, ...]
    prepare: Callable[[], T]
    measure: Callable[[T, Row], Sequence[Row]]
    also: tuple[str, ...] = ()
    charts: tuple[Chart | Surface, ...] = ()
    printed: tuple[Printed, ...] = ()
    claims: tuple[Claim, ...] = ()
    timed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also)


def grid(settings: Mapping[str, Sequence[Value]]) -> tuple[Row, ...]:
    """Every combination, the first setting slowest.

    >>> grid({"l": [2, 3], "method": ["a"]})
    ({'l': 2, 'method': 'a'}, {'l': 3, 'method': 'a'})
    """
    made: list[dict[str, Any]] = [{}]
    for name, values in settings.items():
        made = [{**row, name: value} for row in made for value in values]
    return tuple(made)
