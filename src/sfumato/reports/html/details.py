"""The second page: every column, what became of the rows, and pictures."""

from __future__ import annotations

from sfumato.policy.forms import FORMS
from sfumato.policy.phrases import AS_IT_IS, BINNED, NODES, RENAMED
from sfumato.reports.charts.losses import losses_chart
from sfumato.reports.charts.sizes import sizes_chart
from sfumato.reports.charts.spread import spread_chart
from sfumato.reports.facts import AdversaryFact, ColumnFact, ReportFacts, SecretFact
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording

__all__ = ["adversaries", "columns", "lost_words", "persona", "pictures", "rows_words", "treatment"]

_HEAD = ("column", "role", "treatment", "looks", "lost")
_TREATED = {"identifier": "removed", "drop": "removed", "weight": "removed", "individual": "individual"}
_KEPT = {"sensitive": "secret", "insensitive": "harmless"}
_SAID = {BINNED: "binned", NODES: "nodes", RENAMED: "renamed"}
"""Words of the data dictionary, and where those of a report are."""


def columns(facts: ReportFacts, words: Wording) -> Child:
    """What was done to each."""
    if not facts.columns:
        return None
    head = [tag("th", words(f"columns.{name}"), class_="number" if name == "lost" else None) for name in _HEAD]
    rows = [_column(column, words) for column in facts.columns]
    said = [rows_words(facts, words), lost_words(facts, words)]
    return [
        tag("h2", words("columns.title"), class_="sheet"),
        tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)),
        tag("p", " ".join(filter(None, said)), class_="small soft below"),
    ]


def _column(column: ColumnFact, words: Wording) -> Markup:
    nothing = words("numbers.nothing")
    role = tag("span", words(f"role.{column.role}"), class_=f"role {column.role}")
    blank = words("columns.blank", count=words.count(column.blank)) if column.blank else None
    looks = [tag("code", look, title=look) for look in column.looks] or nothing
    return tag(
        "tr",
        tag("td", tag("strong", column.name)),
        tag("td", role),
        tag("td", treatment(column, words), [tag("br"), tag("span", blank, class_="soft small")] if blank else None),
        tag("td", looks),
        tag("td", nothing if column.loss is None else words.percent(column.loss), class_="number"),
    )


def treatment(column: ColumnFact, words: Wording) -> str:
    """What was done to a column, in a sentence; what the data dictionary says of it, where it says something."""
    if column.role in _TREATED:
        return words(f"treatment.{_TREATED[column.role]}")
    if column.vaguer:
        return words(f"treatment.{column.vaguer}", steps=", ".join(_step(step, words) for step in column.steps))
    if column.technique in ("", AS_IT_IS):
        return words(f"treatment.{_KEPT.get(column.role, 'kept')}")
    said = {**_SAID, **{form.phrases.secret: f"secret_{name}" for name, form in FORMS.items() if form.phrases}}
    parts = column.technique.split(", ", 1) if column.technique.startswith(BINNED) else [column.technique]
    known = all(words.known(f"treatment.{said.get(part)}") for part in parts)
    return ", ".join(words(f"treatment.{said[part]}") for part in parts) if known else column.technique


def _step(step: str, words: Wording) -> str:
    """A step of a hierarchy that has a name."""
    return words(f"steps.{step}") if words.known(f"steps.{step}") else words.level(step)


def rows_words(facts: ReportFacts, words: Wording) -> str:
    """What became of the rows."""
    rows = facts.rows
    if rows is None:
        return ""
    counts = {name: words.count(getattr(rows, name)) for name in ("published", "suppressed", "dropped")}
    if rows.table is None:
        return words("columns.rows_unknown", **counts)
    return words("columns.rows", table=words.count(rows.table), **counts)


def lost_words(facts: ReportFacts, words: Wording) -> str:
    """What was lost in all."""
    loss = facts.loss
    if loss is None:
        return ""
    said = words("columns.loss", metric=loss.metric, value=words.percent(loss.value))
    if loss.correspondence is None:
        return said
    return f"{said} {words('columns.correspondence', value=words.percent(loss.correspondence))}"


def pictures(facts: ReportFacts, words: Wording) -> Child:
    """Group sizes, losses and the spread of every secret."""
    made: list[Child] = []
    if facts.sizes:
        legend = _legend(words, "sizes", "before", "after")
        title = words("sizes.title_exact" if facts.exact else "sizes.title")
        made.append(_figure(title, legend, sizes_chart(facts.sizes, words, facts.exact)))
    if any(column.loss is not None for column in facts.columns):
        says = tag("p", words("losses.says"), class_="legend")
        made.append(_figure(words("losses.title"), says, losses_chart(facts.columns, words)))
    return [tag("div", made, class_="pair") if made else None, *(_spread(secret, words) for secret in facts.secrets)]


def _spread(secret: SecretFact, words: Wording) -> Child:
    if not secret.spread:
        return None
    rarer = words("spread.rarer", count=words.count(secret.rarer)) if secret.rarer else None
    return [
        tag("h2", words("spread.title", secret=secret.name)),
        tag("figure", _legend(words, "spread", "dot", "range"), spread_chart(secret, words), class_="wide"),
        tag("p", rarer, class_="small soft") if rarer else None,
    ]


def _figure(caption: str, *inside: Child) -> Markup:
    return tag("figure", tag("figcaption", caption), *inside)


def _legend(words: Wording, section: str, *names: str) -> Markup:
    return tag("p", (tag("span", tag("i", class_=name), words(f"{section}.{name}")) for name in names), class_="legend")


def adversaries(facts: ReportFacts, words: Wording) -> Child:
    """Who was tried, and what they learnt."""
    if not facts.adversaries:
        return None
    head = [tag("th", words("attack.who")), tag("th", words("attack.adversary_exposed"), class_="number")]
    head.append(tag("th", words("attack.adversary_right"), class_="number"))
    rows = [_adversary(each, words) for each in facts.adversaries]
    return [tag("h2", words("attack.adversaries")), tag("table", tag("thead", tag("tr", head)), tag("tbody", rows))]


def persona(each: AdversaryFact, words: Wording) -> tuple[str, str]:
    """Who an adversary is and what they know; of one that there are no words for, in its own."""
    place = f"adversary.{each.name}"
    return (words(place), words(f"{place}_knows")) if words.known(place) else (each.title, each.assumes)


def _adversary(each: AdversaryFact, words: Wording) -> Markup:
    title, assumes = persona(each, words)
    who = tag("td", tag("strong", title), " ", tag("span", each.name, class_="soft small"), tag("br"), assumes)
    if each.exposed is None or each.people is None:
        return tag("tr", who, tag("td", words("attack.adversary_lacks", lacks=each.lacks), class_="number"), tag("td"))
    right = words("numbers.nothing") if each.right is None else words.percent(each.right)
    totals = "" if each.totals is None else f" ({words.percent(each.totals)})"
    exposed = f"{words.count(each.exposed)} / {words.count(each.people)}"
    return tag("tr", who, tag("td", exposed, class_="number"), tag("td", right + totals, class_="number"))
