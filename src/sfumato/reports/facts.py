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
    "GroupFact",
    "Inside",
    "LopsidedFact",
    "LossFact",
    "MeasureFact",
    "RelaxationFact",
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
class GroupFact:
    """One of the worst groups of a promise, for the holder.

    groups   that have the same counts
    size     rows of each; None where a group is judged by what may be believed of it
    values   different values, None where rows are counted; `counts` of each, the most frequent first
    level    that it reaches, readable; empty: none
    row      of the published table, from 1 on, that is one of them; or its published group id (`group`)
    shows    what that row shows of quasi-identifiers
    add      rows more that would mend it, of the values that it has least of
    leave    or rows less, of those that it has most of
    """

    groups: int
    kept: bool
    level: str = ""
    size: int | None = None
    values: int | None = None
    counts: tuple[int, ...] = ()
    row: int | None = None
    group: str | None = None
    shows: dict[str, str] = field(default_factory=dict)
    add: int | None = None
    leave: int | None = None


@dataclass(frozen=True)
class CriterionFact:
    """One promise, and what the auditor said of it.

    promise      its name, for words that were written for it
    parameters   as they stand in the policy
    title        name and parameters in the words of the policy
    level        what the worst group reaches, readable; empty: none
    broken       groups that break it, and the rows in them; None: not known
    raw          rows that would break it if only names were removed; None: not known
    asked        whether the policy asks for it in words, or it follows from a role or a limit
    groups       the worst groups, if they were asked for
    by_holder    only who has the internal manifest can tell: whoever has the release alone cannot check it
    """

    promise: str
    parameters: dict[str, int | str]
    title: str
    on: str | None
    verdict: Literal["holds", "fails", "undecidable"]
    level: str
    needs: str = ""
    required: str = ""
    broken: int | None = None
    broken_rows: int | None = None
    raw: int | None = None
    asked: bool = True
    groups: tuple[GroupFact, ...] = ()
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
    level       of its hierarchy that all rows show, of `height`; None: it varies, or is not known
    cells       different cells that are published, instead of `values` different values; None: not known
    changed     rows of which a secret is shown more generally
    terms       of published rows that are not shown
    promises    that made it necessary, or that protect it: their titles
    """

    name: str
    role: str
    technique: str = ""
    vaguer: str = ""
    steps: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    loss: float | None = None
    blank: int | None = None
    level: int | None = None
    height: int | None = None
    cells: int | None = None
    values: int | None = None
    changed: int | None = None
    terms: int | None = None
    promises: tuple[str, ...] = ()


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
class LopsidedFact:
    """A secret of which nearly all rows of some group are alike.

    share      of the most frequent value in the worst group: `alike` of its `rows`, of which all rows have `table`
    groups     in which at least nine in ten rows are alike, with `in_rows` rows
    promises   about it; `counted`: none of them limits how often a value occurs
    rows, alike, table and in_rows are None where groups are judged by what may be believed
    """

    column: str
    share: float
    groups: int
    rows: int | None
    alike: int | None
    table: float | None
    in_rows: int | None
    promises: tuple[str, ...]
    counted: bool


@dataclass(frozen=True)
class RelaxationFact:
    """A change of the policy under which a release was made and audited, though none was under the policy itself.

    kind         promise, suppression, column, method or form
    before       what the policy says, and `after` what it would say, in its words
    policy       what to write in the policy
    least        a step less was tried, or shown, not to be enough
    loss         what that release lost, and how many rows it left `suppressed`
    """

    kind: Literal["promise", "suppression", "column", "method", "form"]
    before: tuple[str, ...]
    after: tuple[str, ...]
    policy: dict[str, Any]
    least: bool
    loss: float | None = None
    suppressed: int | None = None


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

    edition       internal or external
    outcome       met, not met or undecidable; or why there is no release
    fingerprint   the SHA-256 of ``release.json``; empty if none was written
    made          the day, as ISO has it
    form, method  by which it was made
    criteria      every promise, and what the auditor said of it
    columns       what became of each
    rows          what became of them
    reason        why there is no release, or what fails
    remedies      what would help
    relaxations   changes of the policy that would do, each tried
    plan          how promise, method and form go together, and what the method did; of a run that published nothing
    lopsided      secrets of which nearly all rows of some group are alike
    groups        classes that a recipient tells apart
    smallest      rows of the smallest of them
    risk          how surely somebody is found
    sizes         rows by how many look alike
    secrets       how well each is guessed
    loss          what was lost in all
    measures, adversaries   what was measured, and who was tried
    problems, notes         what is wrong, and what to know besides
    exact         the form shows quasi-identifiers as they are: rows can be found, and secrets are what is protected
    files         SHA-256 of every table
    inside        for the holder alone
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
    relaxations: tuple[RelaxationFact, ...] = ()
    plan: tuple[str, ...] = ()
    lopsided: tuple[LopsidedFact, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    inside: Inside | None = None
    version: int = 1

    def __repr__(self) -> str:
        return f"<ReportFacts: {self.edition} edition, {self.outcome}, of {self.made}>"

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
