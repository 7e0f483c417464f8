"""What an audit answers. It holds counts and levels; never a value of the data."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any, Literal

from pydantic import computed_field

from sfumato.auditor.beliefs import Beliefs, aligned, believed, most_telling
from sfumato.auditor.levels import Level, readable
from sfumato.auditor.posterior import Posterior
from sfumato.auditor.truthful import Truthfulness
from sfumato.displayed import Displayed
from sfumato.errors import AuditFailed, one_line
from sfumato.policy.sections import Part
from sfumato.release.leaks import Leak
from sfumato.release.unlooked import Unlooked
from sfumato.table.words import counted

__all__ = [
    "Audit",
    "ColumnReached",
    "Criterion",
    "JudgedGroup",
    "Lopsided",
    "Reached",
    "Within",
    "WorstGroup",
    "audit_schema",
]

Verdict = Literal["holds", "fails", "undecidable"]
_HEADS = ("groups", "rows", "values", "most frequent", "level", "kept", "at", "add", "or leave out")


class WorstGroup(Part):
    """The group that decides: its size and the shape of its histogram, the most frequent value first."""

    size: int
    counts: tuple[int, ...]
    values: int


class JudgedGroup(Part):
    """One of the worst groups of a promise.

    groups   that have the same counts, and share this entry
    size     rows of each, null with `counts` and `values` where a group is judged by what may be believed of it
    counts   rows per value, the most frequent first; of so many different `values`
    level    that it reaches by itself
    row      where one of them stands: the number of a row of the published table, from 1 on
    group    or its published group id
    add      of one that breaks the promise: rows more that would mend it, of the values that it has least of
    leave    or rows less, of those that it has most of; null: not known
    """

    groups: int
    kept: bool
    level: Level = None
    size: int | None = None
    values: int | None = None
    counts: tuple[int, ...] = ()
    row: int | None = None
    group: str | None = None
    add: int | None = None
    leave: int | None = None

    def cells(self) -> tuple[str, ...]:
        """As a line of a table."""
        numbers = (self.size, self.values, self.counts[0] if self.values is not None else None)
        place = (
            f"group {one_line(self.group)}" if self.group is not None else "" if self.row is None else f"row {self.row}"
        )
        mend = ("" if each is None else str(each) for each in (self.add, self.leave))
        level = "" if self.level is None else readable(self.level)
        return (
            str(self.groups),
            *("" if each is None else str(each) for each in numbers),
            level,
            "yes" if self.kept else "no",
            place,
            *mend,
        )


class Within(Part):
    """A level that was measured (`low` equals `high`), is known within bounds, or needs something to be known."""

    level: Level = None
    low: Level = None
    high: Level = None
    needs: str = ""


class Criterion(Part):
    """One promise, judged.

    model             the promise by its name in a policy, with its parameters in `parameters` and its column in `on`
    verdict           "holds", "fails" or "undecidable", which is no pass
    level             what the worst group reaches
    required          what was asked of every group
    violating_groups  groups that break it, and the rows in them, `violating_rows`; rows and `worst` are null where a
                      group is judged by what may be believed of it
    worst             the group that decides
    view              how groups were told apart where the promise fared worst
    needs             what a decision would need, if it is undecidable
    bounds            between which the level lies then
    beliefs           of a promise about terms, what may be believed of groups
    groups            the worst groups, as many as were asked for
    """

    model: str
    parameters: dict[str, int | str]
    on: str | None
    verdict: Verdict
    level: Level = None
    required: str = ""
    violating_groups: int | None = None
    violating_rows: int | None = None
    worst: WorstGroup | None = None
    view: Literal["published values", "group id", "ring order"] = "published values"
    needs: str = ""
    bounds: Within | None = None
    beliefs: Beliefs | None = None
    groups: tuple[JudgedGroup, ...] = ()

    def __repr__(self) -> str:
        return f"<Criterion: {' '.join(self.line().split())}>"

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no property below another decorator
    @property
    def holds(self) -> bool:
        return self.verdict == "holds"

    @property
    def promise(self) -> str:
        """The promise in words: name and parameters."""
        words = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.model} ({words})" if words else self.model

    def line(self) -> str:
        """One line for a person."""
        about = f" on {one_line(self.on)}" if self.on is not None else ""
        text = f"{self.verdict:<11} {self.promise}{about}"
        if self.verdict == "undecidable":
            return f"{text}: needs {self.needs}{_between(self.bounds)}"
        text += f": level {readable(self.level)}" if self.level is not None else ": no level reached"
        if self.verdict == "fails" and self.violating_groups is not None:
            text += f"; broken in groups: {self.violating_groups}"
            text += "" if self.violating_rows is None else f", with rows: {self.violating_rows}"
        if self.worst is not None:
            values = "" if self.on is None else f", different values: {self.worst.values}"
            if self.beliefs is not None:
                values = f", {believed(self.beliefs)}"
            text += f"; worst group has rows: {self.worst.size}{values}"
        if self.beliefs is not None and self.beliefs.unlinked_groups:
            text += f"; groups without a linked row: {self.beliefs.unlinked_groups}"
        return f"{text} (by {self.view})"

    def group_lines(self) -> list[str]:
        """The worst groups that were asked for, as a table."""
        if not self.groups:
            return []
        if self.beliefs is not None:
            return most_telling(self.beliefs, len(self.groups))
        return aligned(_HEADS, [each.cells() for each in self.groups])


class Lopsided(Part):
    """A sensitive column of which in some group nearly all rows have the same value.

    share      of the most frequent value in the worst group: `alike` of its `rows`
    table      of that value in all published rows
    groups     in which it is so, with `in_rows` rows in all
    promises   about this column
    counted    none of them limits how often a value occurs
    rows, alike, table and in_rows are null where a group is judged by what may be believed of it
    """

    column: str
    share: Level
    groups: int
    rows: int | None = None
    alike: int | None = None
    table: Level = None
    in_rows: int | None = None
    promises: tuple[str, ...] = ()
    counted: bool = True

    @property
    def sentence(self) -> str:
        """The same for a person."""
        if self.rows is None:
            worst = f"in the worst group one value may be believed with {_percent(self.share)}"
        else:
            worst = (
                f"in the worst group {self.alike} of {self.rows} rows have the same value (of all rows"
                f" {_percent(self.table)} have it)"
            )
        rows = "" if self.in_rows is None else f" with {counted(self.in_rows, 'row')}"
        many = f"; at least nine in ten are alike in {self.groups} groups{rows}" if self.groups > 1 else ""
        named, limiting = " and ".join(self.promises), "simple-l, entropy-l and recursive-cl"
        if not named:
            why = f"no promise limits how often a value occurs; {limiting} do"
        elif self.counted:
            why = f"for {named} it counts how many values differ, not how often each occurs; {limiting} limit that"
        else:
            why = f"within {named}; a stricter promise would not allow it"
        return f"column {self.column!r}: {worst}{many}; {why}"


class ColumnReached(Part):
    """What every group reaches on one sensitive column, asked or not.

    recursive_c   for l = 2, 3, 4, ...: the number that c has to exceed, null if none is enough
    alpha         the largest share of one value
    delta         rounded up to six decimals; entropy_l: rounded down
    """

    distinct_l: int
    entropy_l: Level
    simple_l: Level
    recursive_c: dict[int, Level]
    alpha: Level
    t_equal: Within
    t_ordered: Within
    t_hierarchical: Within
    delta: Within


class Reached(Part):
    """What the release reaches as a whole."""

    k: int
    columns: dict[str, ColumnReached]


class Audit(Displayed, Part):
    """The judgement of a release. `version` counts breaking changes of its JSON form.

    rows          that are published, in how many `groups`; `suppressed`: rows left out, None if that is not known
    criteria      every promise with its verdict
    reached       what the release reaches of any kind of promise, asked or not
    truth         whether every row stands for one of the original, where that was given
    problems      what is wrong with the release itself: each is a failure
    notes         what to know besides
    population    beliefs of who knows a population, where one was given
    insensitive   how many rows the columns single out that no promise speaks of, for columns that stand side by side
    leaks         what the release tells beside its groups: certain ones are problems too, others notes
    lopsided      sensitive columns of which nearly all rows of some group have the same value; notes too
    """

    version: Literal[1] = 1
    rows: int
    groups: int
    suppressed: int | None
    criteria: tuple[Criterion, ...]
    reached: Reached
    truth: Truthfulness | None = None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    insensitive: tuple[Unlooked, ...] = ()
    population: tuple[Posterior, ...] = ()
    leaks: tuple[Leak, ...] = ()
    lopsided: tuple[Lopsided, ...] = ()

    def __repr__(self) -> str:
        return f"<Audit: {self.outcome}; {counted(self.rows, 'row')} in {counted(self.groups, 'group')}>"

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no property below another decorator
    @property
    def holds(self) -> bool:
        """Every criterion holds and nothing is wrong with the release itself. Undecidable is not a pass."""
        return bool(self.criteria) and not self.problems and {*self._verdicts} == {"holds"}

    @property
    def _verdicts(self) -> list[Verdict]:
        """Of criteria, and of bounds that were asked of beliefs by the population."""
        asked = [each.verdict for each in self.population if each.verdict != "told"]
        return [*(criterion.verdict for criterion in self.criteria), *asked]

    def raise_for_failure(self) -> Audit:
        """Itself, or `AuditFailed` if it does not hold."""
        if not self.holds:
            raise AuditFailed(self)
        return self

    @property
    def outcome(self) -> str:
        """The judgement in a few words: what is met, fails or cannot be decided, and whether the release has faults."""
        verdicts = self._verdicts
        undecided = verdicts.count("undecidable")
        if not verdicts:
            told = "no criterion was judged"
        elif "fails" in verdicts:
            told = "not every criterion is met"
        elif undecided:
            told = (
                f"nothing fails, but {undecided} of {counted(len(verdicts), 'criterion', 'criteria')} cannot be decided"
            )
        else:
            told = "every criterion is met"
        if not self.problems:
            return told
        joint = "and" if "fails" in verdicts or undecided else "but"
        return f"{told}, {joint} the release has {counted(len(self.problems), 'problem')}"

    def summary(self) -> str:
        """The judgement in a few lines; with the worst groups, if they were asked for."""
        suppressed = "unknown" if self.suppressed is None else str(self.suppressed)
        size = f"{counted(self.rows, 'row')} in {counted(self.groups, 'group')}"
        lines = [f"{self.outcome}: {size}, suppressed rows: {suppressed}"]
        for criterion in self.criteria:
            lines.append(f"  {criterion.line()}")
            lines += [f"    {line}" for line in criterion.group_lines()]
        lines += [f"  {each.line()}" for each in self.population]
        lines += [f"  problem     {problem}" for problem in self.problems]
        lines += [f"  note        {note}" for note in self.notes]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The judgement as plain JSON values."""
        return self.model_dump(mode="json", exclude=self._unsaid)

    def to_json(self) -> str:
        """The judgement as JSON text; `audit_schema` describes it."""
        return self.model_dump_json(indent=2, exclude=self._unsaid)

    @property
    def _unsaid(self) -> set[str] | None:
        """What is only said where the original table was given."""
        return {"truth"} if self.truth is None else None


def _percent(share: Level) -> str:
    """Never more than it is."""
    return "an unknown share" if not isinstance(share, Fraction) else f"{floor(1000 * share) / 10:g} %"


def _between(bounds: Within | None) -> str:
    if bounds is None or bounds.low is None:
        return ""
    return f"; the level lies between {readable(bounds.low)} and {readable(bounds.high)}"


def audit_schema() -> dict[str, Any]:
    """JSON Schema of `Audit.to_json`."""
    schema = Audit.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
