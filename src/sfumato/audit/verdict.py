"""What an audit answers. It holds counts and levels; never a value of the data."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema, computed_field

from sfumato.errors import AuditFailed
from sfumato.exact import as_text

__all__ = ["Audit", "Beliefs", "Bounds", "ColumnReached", "Criterion", "Level", "Reached", "WorstGroup", "audit_schema"]

Verdict = Literal["holds", "fails", "undecidable"]


def _plain(level: Fraction | str | None) -> int | str | None:
    if isinstance(level, Fraction):
        return int(level) if level.denominator == 1 else as_text(level)
    return level


Level = Annotated[
    Fraction | str | None,
    PlainSerializer(_plain),
    WithJsonSchema(
        {
            "anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}],
            "description": "a whole number; a decimal or fraction as text; words for a promise with several parameters;"
            " null if no level is reached or it is undecidable",
        }
    ),
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class WorstGroup(_Part):
    """The group that decides: its size and the shape of its histogram, the most frequent value first."""

    size: int
    counts: tuple[int, ...]
    values: int


class Beliefs(_Part):
    """What the terms of the group that decides make believe: of how many labels, by linked and unlinked rows.

    prior, posterior, change   of the label whose belief changes most, or of the likeliest where no prior is asked for
    unlinked_groups            of the whole release: groups that keep the promise only because no row is linked
    """

    linked: int
    unlinked: int
    labels: int
    unlinked_groups: int = 0
    prior: Level = None
    posterior: Level = None
    change: Level = None


class Bounds(_Part):
    """A level that was measured (`low` equals `high`), is known within bounds, or needs something to be known."""

    level: Level = None
    low: Level = None
    high: Level = None
    needs: str = ""


class Criterion(_Part):
    """One promise, judged.

    level             what the worst group reaches
    required          what was asked of every group
    violating_groups  groups that break it, and the rows in them
    view              how groups were told apart where the promise fared worst
    needs             what a decision would need, if it is undecidable
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
    bounds: Bounds | None = None
    beliefs: Beliefs | None = None

    @computed_field  # type: ignore[prop-decorator]
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
        about = f" on {self.on}" if self.on is not None else ""
        text = f"{self.verdict:<11} {self.promise}{about}"
        if self.verdict == "undecidable":
            return f"{text}: needs {self.needs}{_between(self.bounds)}"
        text += f": level {_readable(self.level)}" if self.level is not None else ": no level reached"
        if self.verdict == "fails" and self.violating_groups is not None:
            text += f"; broken in groups: {self.violating_groups}, with rows: {self.violating_rows}"
        if self.worst is not None:
            values = "" if self.on is None else f", different values: {self.worst.values}"
            if self.beliefs is not None:
                values = f", {_believed(self.beliefs)}"
            text += f"; worst group has rows: {self.worst.size}{values}"
        if self.beliefs is not None and self.beliefs.unlinked_groups:
            text += f"; groups without a linked row: {self.beliefs.unlinked_groups}"
        return f"{text} (by {self.view})"


class ColumnReached(_Part):
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
    t_equal: Bounds
    t_ordered: Bounds
    t_hierarchical: Bounds
    delta: Bounds


class Reached(_Part):
    """What the release reaches as a whole."""

    k: int
    columns: dict[str, ColumnReached]


class Audit(_Part):
    """The judgement of a release. `version` counts breaking changes of its JSON form."""

    version: Literal[1] = 1
    rows: int
    groups: int
    suppressed: int | None
    criteria: tuple[Criterion, ...]
    reached: Reached
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def holds(self) -> bool:
        """Every criterion holds and nothing is wrong with the release itself. Undecidable is not a pass."""
        return bool(self.criteria) and not self.problems and all(criterion.holds for criterion in self.criteria)

    def raise_for_failure(self) -> Audit:
        """Itself, or `AuditFailed` if it does not hold."""
        if not self.holds:
            raise AuditFailed(self)
        return self

    def summary(self) -> str:
        """The judgement in a few lines."""
        outcome = "every criterion is met" if self.holds else "not every criterion is met"
        suppressed = "unknown" if self.suppressed is None else str(self.suppressed)
        lines = [f"{outcome}: {self.rows} rows in {self.groups} groups, suppressed rows: {suppressed}"]
        lines += [f"  {criterion.line()}" for criterion in self.criteria]
        lines += [f"  problem     {problem}" for problem in self.problems]
        lines += [f"  note        {note}" for note in self.notes]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The judgement as plain JSON values."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The judgement as JSON text; `audit_schema` describes it."""
        return self.model_dump_json(indent=2)


def _between(bounds: Bounds | None) -> str:
    if bounds is None or bounds.low is None:
        return ""
    return f"; the level lies between {_readable(bounds.low)} and {_readable(bounds.high)}"


def _believed(beliefs: Beliefs) -> str:
    text = f"unlinked: {beliefs.unlinked}, labels: {beliefs.labels}"
    if beliefs.posterior is None:
        return text
    if beliefs.prior is None:
        return f"{text}, the likeliest believed with {_readable(beliefs.posterior)}"
    return f"{text}, a belief moves from {_readable(beliefs.prior)} to {_readable(beliefs.posterior)}"


def _readable(level: Fraction | str | None) -> str:
    text = str(_plain(level))
    return f"{text} (about {float(level):.4g})" if isinstance(level, Fraction) and "/" in text else text


def audit_schema() -> dict[str, Any]:
    """JSON Schema of `Audit.to_json`."""
    schema = Audit.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
