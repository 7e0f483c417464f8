"""An explanation: facts of one result in plain words, for who asks what was done and why, or why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from sfumato.policy.written import block
from sfumato.reports.facts import ColumnFact, CriterionFact, GroupFact, RelaxationFact, ReportFacts
from sfumato.reports.html.details import lost_words, rows_words, treatment
from sfumato.reports.html.sheet import alike_words, promised
from sfumato.reports.wording import Wording

__all__ = ["About", "ExplainedPart", "Explanation"]

About = Literal["release", "policy", "group"]


@dataclass(frozen=True)
class ExplainedPart:
    """A part of an explanation: its title, and a line for each thing that is said."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Explanation:
    """What was done and why, or why nothing was; printed, it is English.

    facts   all that it says, see `sfumato schema facts`
    about   a release; a policy under which nothing was published; or one group of every promise that fails
    group   which of them, the worst first
    """

    facts: ReportFacts
    about: About
    group: int = 1

    def parts(self, language: str = "en") -> tuple[ExplainedPart, ...]:
        """Everything that is said."""
        words = Wording.of(language)
        made = {"release": _release, "policy": _policy, "group": _only_group}[self.about]
        return tuple(part for part in made(self, words) if part.lines)

    def text(self, language: str = "en") -> str:
        """The same as lines for a terminal."""
        return "\n".join(
            "\n".join([part.title, *(f"  {line}" for said in part.lines for line in said.splitlines())])
            for part in self.parts(language)
        )

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Explanation of a {self.about}: {self.facts.outcome}; print it>"

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """As plain values: the words, and the facts that they are made from."""
        parts = [{"title": part.title, "lines": list(part.lines)} for part in self.parts(language)]
        return {
            "version": 1,
            "about": self.about,
            "language": language,
            "parts": parts,
            "facts": self.facts.to_dict(),
        }


def _release(made: Explanation, words: Wording) -> Iterator[ExplainedPart]:
    facts = made.facts
    yield _verdict(facts, words, words(f"outcome.says_{_name(facts)}"))
    yield from _done(facts, words)
    yield from _failing(facts, words, made.group)


def _policy(made: Explanation, words: Wording) -> Iterator[ExplainedPart]:
    facts = made.facts
    if facts.outcome != "met":
        yield _verdict(facts, words, words(f"outcome.says_{_name(facts)}"))
        if not facts.criteria:  # nothing was made that could be judged
            yield ExplainedPart(words("explain.relaxations"), (*_relaxations(facts, words),))
        yield from _failing(facts, words, made.group)
        return
    yield ExplainedPart(words("explain.kept"), (words("explain.kept_says"),))
    planned = words("explain.planned", method=facts.method, form=facts.form)
    yield ExplainedPart(words("explain.plan"), (planned, *facts.plan))
    yield from _done(facts, words)


def _only_group(made: Explanation, words: Wording) -> Iterator[ExplainedPart]:
    facts = made.facts
    failing = [each for each in facts.criteria if each.verdict == "fails"]
    if not failing:
        yield _verdict(facts, words, words("explain.nothing_fails"))
    for each in failing or facts.criteria:
        if each.groups:
            yield _group(each, made.group, words)


def _name(facts: ReportFacts) -> str:
    return facts.outcome.replace(" ", "_")


def _verdict(facts: ReportFacts, words: Wording, says: str) -> ExplainedPart:
    lines = [says, *([facts.reason] if facts.reason else ()), *facts.problems]
    return ExplainedPart(words(f"outcome.{_name(facts)}"), tuple(lines))


def _done(facts: ReportFacts, words: Wording) -> Iterator[ExplainedPart]:
    """What was promised, done and lost."""
    yield ExplainedPart(words("explain.promised"), tuple(_criterion(each, facts, words) for each in facts.criteria))
    yield ExplainedPart(words("explain.columns"), tuple(_column(each, facts, words) for each in facts.columns))
    cost = (rows_words(facts, words), lost_words(facts, words))
    yield ExplainedPart(words("explain.cost"), tuple(filter(None, cost)))
    yield ExplainedPart(words("lopsided.title").rstrip("."), (*alike_words(facts, words),))


def _criterion(each: CriterionFact, facts: ReportFacts, words: Wording) -> str:
    how = {"holds": "reached", "fails": "fails", "undecidable": "needs"}[each.verdict]
    said = words(f"outcome.{how}", title=each.title, level=each.level or words("numbers.nothing"), needs=each.needs)
    told = f"{said}." if each.title == promised(each, words) else f"{promised(each, words)}. {said}."
    if each.raw is None or facts.rows is None or facts.rows.table is None:
        return told
    table = words.count(facts.rows.table - facts.rows.dropped)
    return f"{told} {words('explain.raw', rows=words.count(each.raw), table=table)}"


def _column(column: ColumnFact, facts: ReportFacts, words: Wording) -> str:
    """What was done to it, why, and what that cost."""
    head = words("explain.column", name=column.name, role=words(f"role.{column.role}"))
    return " ".join([f"{head} {treatment(column, words)}.", *_seen(column, words), *_why(column, facts, words)])


def _seen(column: ColumnFact, words: Wording) -> Iterator[str]:
    if column.level is not None and column.height is not None:
        yield words("explain.level", level=words.count(column.level), height=words.count(column.height))
    if column.looks:
        yield words("explain.looks", looks=words("numbers.and").join(column.looks))
    if column.cells is not None and column.values is not None:
        yield words("explain.cells", cells=words.count(column.cells), values=words.count(column.values))
    if column.changed:
        yield words("explain.changed", rows=words.count(column.changed))
    if column.terms:
        yield words("explain.terms", terms=words.count(column.terms))


def _why(column: ColumnFact, facts: ReportFacts, words: Wording) -> Iterator[str]:
    named = words("numbers.and").join(column.promises)
    if column.role == "quasi" and facts.exact:
        yield words("explain.why_exact")
    elif column.role == "quasi" and column.loss == 0:
        yield words("explain.why_nothing_lost")
    elif column.role == "quasi":
        yield words("explain.why_quasi", promises=named) if named else words("explain.why_nothing")
    elif column.role in ("sensitive", "quasi-sensitive"):
        yield words("explain.why_secret", promises=named) if named else words("explain.why_unpromised")
    else:
        yield words(f"explain.why_{column.role}")
    if column.loss and not facts.exact:
        yield words("explain.lost", loss=words.percent(column.loss))
    if column.blank:
        yield words("explain.blank", rows=words.count(column.blank))


def _failing(facts: ReportFacts, words: Wording, number: int) -> Iterator[ExplainedPart]:
    for each in facts.criteria:
        if each.verdict == "fails" and each.groups:
            yield _group(each, number, words)


def _group(each: CriterionFact, number: int, words: Wording) -> ExplainedPart:
    """One group of a promise: what it has, what it shows, and what would mend it."""
    about = words("explain.on", promise=each.title, column=each.on) if each.on else each.title
    title = words("explain.group", number=words.count(number), promise=about)
    lines = []
    if each.broken:
        rows = words("numbers.nothing") if each.broken_rows is None else words.count(each.broken_rows)
        lines.append(words("explain.broken", groups=words.count(each.broken), rows=rows))
    if number > len(each.groups):
        return ExplainedPart(title, (*lines, words("explain.no_group", number=words.count(len(each.groups)))))
    group = each.groups[number - 1]
    return ExplainedPart(title, (*lines, *_has(group, words), *_mend(group, words)))


def _has(group: GroupFact, words: Wording) -> Iterator[str]:
    level = group.level or words("numbers.nothing")
    verdict = words("explain.is_kept" if group.kept else "explain.is_broken", level=level)
    if group.size is None:
        yield words("explain.believed", verdict=verdict)
    elif group.values is None:
        yield words("explain.sized", rows=words.count(group.size), verdict=verdict)
    else:
        counts = {"values": words.count(group.values), "top": words.count(group.counts[0])}
        yield words("explain.counted", rows=words.count(group.size), verdict=verdict, **counts)
    if group.groups > 1:
        yield words("explain.alike", groups=words.count(group.groups))
    if group.group is not None:
        yield words("explain.by_id", group=group.group)
    elif group.row is not None:
        shows = ", ".join(f"{name} {cell}" for name, cell in group.shows.items())
        yield words("explain.at_row" if shows else "explain.at", row=words.count(group.row), shows=shows)


def _mend(group: GroupFact, words: Wording) -> Iterator[str]:
    if group.kept or group.size is None:
        return
    kind = "rows" if group.values is None else "values"
    if group.add is not None:
        yield words(f"explain.add_{kind}", rows=words.count(group.add))
    elif group.leave is not None:
        yield words("explain.add_none")
    if group.leave == group.size:
        yield words("explain.leave_all", rows=words.count(group.size))
    elif group.leave is not None:
        yield words("explain.leave", rows=words.count(group.leave))


def _relaxations(facts: ReportFacts, words: Wording) -> Iterator[str]:
    if not facts.relaxations:
        yield from facts.remedies
        yield words("explain.none_known")
    for each in facts.relaxations:
        yield "\n".join([_relaxed(each, words), *(f"    {line}" for line in block(each.policy).splitlines())])


def _relaxed(each: RelaxationFact, words: Wording) -> str:
    both = [words("numbers.and").join(side) for side in (each.before, each.after)]
    said = [words(f"explain.relax_{each.kind}", before=both[0], after=both[1])]
    if each.loss is not None and each.suppressed is not None:
        said.append(words("explain.tried", loss=words.percent(each.loss), rows=words.count(each.suppressed)))
    if each.kind not in ("method", "form"):
        said.append(words("explain.least" if each.least else "explain.not_least"))
    return " ".join(said)
