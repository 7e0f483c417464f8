"""ReportFacts: all that a report, a comparison or a page says of a release, as plain frozen values.

They are made once, from the opened release, the policy, the manifest and the original where there is one; everything
else renders them and computes nothing. A fact that is not known is None. Names of columns, published values and counts
stand here; of the original nothing but shares and counts.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = [
    "AdversaryFact",
    "ColumnFact",
    "CriterionFact",
    "Inside",
    "LossFact",
    "MeasureFact",
    "ReportFacts",
    "RiskFact",
    "RowsFact",
    "SecretFact",
    "ShareFact",
    "SizeFact",
    "ThresholdFact",
    "facts_schema",
]

Edition = Literal["internal", "external"]
Outcome = Literal["met", "not met", "undecidable", "refused", "infeasible", "none found"]


@dataclass(frozen=True)
class CriterionFact:
    """One promise, and what the auditor said of it.

    promise      its name, for words that were written for it
    parameters   as they stand in the policy
    title        name and parameters in the words of the policy
    level        what the worst group reaches, readable; empty: none
    by_holder    only who has the internal manifest can tell: whoever has the release alone cannot check it
    """

    promise: str
    parameters: dict[str, int | str]
    title: str
    on: str | None
    verdict: Literal["holds", "fails", "undecidable"]
    level: str
    needs: str = ""
    by_holder: bool = False


@dataclass(frozen=True)
class ColumnFact:
    """What became of one column.

    technique   of a published column, the sentence of the data dictionary; of others empty
    vaguer      how a generalized column grows vaguer: the kind of its hierarchy, or "present" for what is there
    steps       of that hierarchy, as the policy has them
    looks       published cells to show how it looks, of quasi-identifiers alone
    loss        mean detail lost, 0 to 1
    blank       rows of which it says nothing
    """

    name: str
    role: str
    technique: str = ""
    vaguer: str = ""
    steps: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    loss: float | None = None
    blank: int | None = None


@dataclass(frozen=True)
class RowsFact:
    """What became of the rows; `table` is None if only the release is known."""

    table: int | None
    published: int
    suppressed: int
    dropped: int


@dataclass(frozen=True)
class ThresholdFact:
    """Who is above a threshold of risk, taken strictly: everybody in a class of fewer than `least` rows."""

    threshold: str
    least: int
    before: float | None
    after: float


@dataclass(frozen=True)
class RiskFact:
    """How surely a row is found whose owner is looked for: at worst and on average, before and after.

    alone        rows that no other equals; before, their share
    journalist   at worst, by a table of the population, if one was given
    """

    worst_before: float | None
    worst: float
    mean_before: float | None
    mean: float
    alone_before: float | None
    alone: int
    journalist: float | None
    thresholds: tuple[ThresholdFact, ...]


@dataclass(frozen=True)
class ShareFact:
    """A published value of a secret: its share of the whole release, and the least and largest in any group."""

    value: str
    share: float
    least: float
    most: float


@dataclass(frozen=True)
class SecretFact:
    """How well a secret is guessed: at worst, on average, before, and by the totals alone.

    different   values in the least varied group
    spread      the most frequent values
    rarer       how many more there are
    """

    name: str
    worst: float
    mean: float
    before: float | None
    totals: float
    different: int
    spread: tuple[ShareFact, ...]
    rarer: int


@dataclass(frozen=True)
class SizeFact:
    """Groups of `low` to `high` rows (None: and more): the share of rows in them, before and after."""

    low: int
    high: int | None
    below: bool
    before: float | None
    after: float


@dataclass(frozen=True)
class LossFact:
    """What was lost, by the metric of the policy, and by what the form hides instead."""

    metric: str
    value: float
    correspondence: float | None = None


@dataclass(frozen=True)
class MeasureFact:
    """One measure: its figure, or what it lacks."""

    name: str
    title: str
    formula: str
    better: str
    value: float | None
    lacks: str = ""


@dataclass(frozen=True)
class AdversaryFact:
    """One adversary: the most people exposed, of how many, and how many guesses were right."""

    name: str
    title: str
    assumes: str
    exposes: str
    exposed: int | None
    people: int | None
    right: float | None
    totals: float | None
    lacks: str = ""


@dataclass(frozen=True)
class Inside:
    """For the holder alone.

    source        the name of the file that was read
    combinations  columns that single people out: their names, and how many rows are unique by them before
    smallest      sizes of the smallest groups
    key_id        which key the seed is made from
    digests       SHA-256 of the input and of the policy
    policy        the document itself
    versions      of what it was made with
    """

    source: str
    combinations: tuple[tuple[tuple[str, ...], int], ...]
    smallest: tuple[int, ...]
    key_id: str
    digests: dict[str, str]
    policy: dict[str, Any]
    versions: dict[str, str]


@dataclass(frozen=True)
class ReportFacts:
    """All facts of one result. `version` counts breaking changes of its JSON form.

    fingerprint   the SHA-256 of ``release.json``; empty if none was written
    made          the day, as ISO has it
    reason        why there is no release, or what fails
    remedies      what would help
    groups        classes that a recipient tells apart
    smallest      rows of the smallest of them
    exact         the form shows quasi-identifiers as they are: rows can be found, and secrets are what is protected
    files         SHA-256 of every table
    """

    edition: Edition
    outcome: Outcome
    made: str
    fingerprint: str = ""
    form: str = ""
    method: str = ""
    criteria: tuple[CriterionFact, ...] = ()
    columns: tuple[ColumnFact, ...] = ()
    rows: RowsFact | None = None
    groups: int = 0
    smallest: int = 0
    exact: bool = False
    risk: RiskFact | None = None
    sizes: tuple[SizeFact, ...] = ()
    secrets: tuple[SecretFact, ...] = ()
    loss: LossFact | None = None
    measures: tuple[MeasureFact, ...] = ()
    adversaries: tuple[AdversaryFact, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""
    remedies: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    inside: Inside | None = None
    version: int = 1

    @property
    def released(self) -> bool:
        """Whether they tell of a release, and not of a run without one."""
        return self.rows is not None

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def facts_schema() -> dict[str, Any]:
    """JSON Schema of `ReportFacts.to_dict`."""
    from pydantic import TypeAdapter

    return TypeAdapter(ReportFacts).json_schema()
