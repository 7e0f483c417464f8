"""What a comparison answers: a line per way, which of them nothing beats, and why others made nothing."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from sfumato.displayed import Displayed
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.notebook.plots import ComparedPlots

__all__ = ["Compared", "Outcome", "Tried"]

Outcome = Literal["kept", "refused", "infeasible", "none found", "failed"]


@dataclass(frozen=True)
class Tried:
    """One way on one table.

    label        what was tried
    outcome      "kept": a release that the auditor confirms; else why there is none, in `reason`
    loss         by the policy's metric
    overall      the same, and what the form hides instead, suppressed terms and generalized secrets, in one number
    matches      the share of right matches to expect of who matches everybody at once
    surest       the surest that a secret is guessed
    queries      mean error of counting queries
    suppressed   rows left out
    groups       classes that a recipient tells apart
    seconds      CPU time of reading to an audited release, loops compiled before
    memory       the most that the process held, in MB
    """

    label: str
    outcome: Outcome
    reason: str = ""
    loss: float | None = None
    overall: float | None = None
    matches: float | None = None
    surest: float | None = None
    queries: float | None = None
    suppressed: int | None = None
    groups: int | None = None
    seconds: float | None = None
    memory: float | None = None

    def __repr__(self) -> str:
        lost = "" if self.loss is None else f", loss {self.loss:.4f}"
        return f"<Tried: {self.label}: {self.outcome}{lost}>"

    @property
    def kept(self) -> bool:
        return self.outcome == "kept"


@dataclass(frozen=True)
class Compared(Displayed):
    """All ways, in the order in which they were asked for. `version` counts breaking changes of its JSON form.

    metric   of the loss
    rows     of the table
    ways     what was tried
    bound    what no release under the promise loses less than, where that is known
    """

    metric: str
    rows: int
    ways: tuple[Tried, ...]
    bound: float | None = None
    version: int = 1

    def __repr__(self) -> str:
        kept = sum(way.kept for way in self.ways)
        best = ", ".join(way.label for way in self.best())
        return f"<Compared: {kept} of {counted(len(self.ways), 'way')} keep the promise; nothing beats {best or 'any'}>"

    @property
    def plot(self) -> ComparedPlots:
        """Its picture: `tradeoff()`, which shows itself and can be saved."""
        from sfumato.notebook.plots import ComparedPlots

        return ComparedPlots(self)

    def best(self) -> tuple[Tried, ...]:
        """Ways that nothing beats: none loses less and has no more right matches, or the other way round."""
        kept = [way for way in self.ways if way.kept]
        return tuple(way for way in kept if not any(_beats(other, way) for other in kept))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        unbeaten = {way.label for way in self.best()}
        ways = [{**asdict(way), "unbeaten": way.label in unbeaten} for way in self.ways]
        told = {"version": self.version, "metric": self.metric, "rows": self.rows, "bound": self.bound}
        return {**told, "ways": ways}

    def summary(self) -> str:
        """A table for a person: kept ones first, the least loss first; nothing beats those with a star."""
        unbeaten = {way.label for way in self.best()}
        kept = sorted((way for way in self.ways if way.kept), key=lambda way: (way.overall or 0.0, way.label))
        head = ("way", self.metric, "overall", "matches", "surest", "queries", "left out", "groups", "CPU s", "MB")
        rows = [head, *(_cells(way, way.label in unbeaten) for way in kept)]
        widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
        lines = ["  ".join(_aligned(row, widths)).rstrip() for row in rows]
        if self.bound is not None:
            lines.append(f"no release under this promise loses less than {self.bound:.4g}")
        return "\n".join([*lines, *(f"{way.label}: {way.outcome}: {way.reason}" for way in self.ways if not way.kept)])

    def html(self, language: str = "en") -> str:
        """One self-contained page: the table, and a picture of what each loses and gives away."""
        from sfumato.comparisons.page import compared_page
        from sfumato.reports.wording import Wording

        return compared_page(self, Wording.of(language))


def _beats(one: Tried, other: Tried) -> bool:
    here, there = ((way.overall or 0.0, way.matches or 0.0) for way in (one, other))
    return here != there and here[0] <= there[0] and here[1] <= there[1]


def _cells(way: Tried, unbeaten: bool) -> tuple[str, ...]:
    shares = (way.loss, way.overall, way.matches, way.surest, way.queries)
    told = ["–" if share is None else f"{share:.4f}" for share in shares]
    counts = ["–" if count is None else f"{count:,}" for count in (way.suppressed, way.groups)]
    costs = ["–" if cost is None else f"{cost:.2f}" for cost in (way.seconds,)]
    memory = "–" if way.memory is None else f"{way.memory:,.0f}"
    return (f"{way.label}{' *' if unbeaten else ''}", *told, *counts, *costs, memory)


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
    return [row[0].ljust(widths[0]), *padded[1:]]
