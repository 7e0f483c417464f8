"""The report as Markdown: the same facts, for places that show text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sfumato.reports.editions import fingerprint
from sfumato.reports.facts import ReportFacts
from sfumato.reports.html.annex import formula
from sfumato.reports.html.details import lost_words, persona, rows_words, treatment
from sfumato.reports.html.sheet import alike_words, judged, promised, verdict_says
from sfumato.reports.wording import Wording

__all__ = ["markdown"]

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})


def markdown(facts: ReportFacts, words: Wording) -> str:
    """The whole document."""
    parts = (
        _head,
        _verdict,
        _attacks,
        _alike,
        _uncovered,
        _columns,
        _secrets,
        _adversaries,
        _measures,
        _check,
        _inside,
    )
    return "\n\n".join(block for part in parts for block in part(facts, words)) + "\n"


def _plain(text: object) -> str:
    """A text that Markdown takes for nothing else, in one line."""
    return " ".join(str(text).split()).translate(_SPECIAL)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = [*map(_plain, head)]
    lines = [names, ["---"] * len(names), *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _list(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _head(facts: ReportFacts, words: Wording) -> Iterator[str]:
    name = facts.inside.source if facts.inside is not None and facts.inside.source else words("page.title")
    yield f"# {_plain(name)}"
    yield f"**{words(f'page.{facts.edition}')}** · {facts.made} · {fingerprint(facts) or words('numbers.nothing')}"


def _verdict(facts: ReportFacts, words: Wording) -> Iterator[str]:
    name = facts.outcome.replace(" ", "_")
    yield f"## {words(f'outcome.{name}')}"
    yield verdict_says(facts, words)
    if facts.reason:
        yield _plain(facts.reason)
    if facts.criteria:
        said = ((promised(each, words), judged(each, words)) for each in facts.criteria)
        yield _list(f"**{_plain(promise)}.** {_plain(judgement)}" for promise, judgement in said)
    for title, sentences in (("problems", facts.problems), ("remedies", facts.remedies)):
        if sentences:
            yield f"### {words(f'outcome.{title}')}"
            yield _list(map(_plain, sentences))


def _attacks(facts: ReportFacts, words: Wording) -> Iterator[str]:
    risk, nothing = facts.risk, words("numbers.nothing")
    if risk is None:
        return
    yield f"## {words('attack.title')}"

    def before(share: float | None) -> str:
        return nothing if share is None else words.percent(share)

    journalist = words("attack.journalist_none") if risk.journalist is None else words("attack.journalist_does")
    found = words("attack.at_most", chance=words.chance(risk.worst))
    rows = [
        ("prosecutor", words("attack.prosecutor_does"), before(risk.worst_before), words.chance(risk.worst)),
        ("journalist", journalist, nothing, found if risk.journalist is None else words.chance(risk.journalist)),
        ("marketer", words("attack.marketer_does"), before(risk.mean_before), words.percent(risk.mean)),
    ]
    named = [(words(f"attack.{kind}"), *rest) for kind, *rest in rows]
    named += [
        (
            words("attack.guess", secret=secret.name),
            words("attack.guess_does", totals=words.percent(secret.totals)),
            before(secret.before),
            f"{words.percent(secret.mean)}, {words.percent(secret.worst)}",
        )
        for secret in facts.secrets
    ]
    yield _table((words("attack.who"), words("attack.chance"), words("attack.before"), words("attack.after")), named)
    thresholds = [
        (words.level(each.threshold), str(each.least), before(each.before), words.percent(each.after))
        for each in risk.thresholds
    ]
    yield _table(
        (words("annex.threshold"), words("annex.least"), words("sizes.before"), words("sizes.after")), thresholds
    )


def _alike(facts: ReportFacts, words: Wording) -> Iterator[str]:
    yield from (f"**{words('lopsided.title')}** {_plain(said)}" for said in alike_words(facts, words))


def _uncovered(facts: ReportFacts, words: Wording) -> Iterator[str]:
    yield f"## {words('uncovered.title')}"
    names = ("algorithm", "releases", "dependent", "presence")
    yield _list(f"**{words(f'uncovered.{name}')}:** {words(f'uncovered.{name}_says')}" for name in names)


def _columns(facts: ReportFacts, words: Wording) -> Iterator[str]:
    if not facts.columns:
        return
    yield f"## {words('columns.title')}"
    head = [words(f"columns.{name}") for name in ("column", "role", "treatment", "looks", "lost")]
    nothing = words("numbers.nothing")
    yield _table(
        head,
        (
            (
                column.name,
                words(f"role.{column.role}"),
                treatment(column, words),
                " ".join(column.looks) or nothing,
                nothing if column.loss is None else words.percent(column.loss),
            )
            for column in facts.columns
        ),
    )
    yield " ".join(filter(None, (rows_words(facts, words), lost_words(facts, words))))


def _secrets(facts: ReportFacts, words: Wording) -> Iterator[str]:
    for secret in facts.secrets:
        if secret.spread:
            yield f"## {_plain(words('spread.title', secret=secret.name))}"
            head = ("", words("spread.table"), words("spread.range"))
            rows = (
                (
                    each.value or words("spread.missing"),
                    words.percent(each.share),
                    f"{words.percent(each.least)} – {words.percent(each.most)}",
                )
                for each in secret.spread
            )
            yield _table(head, rows)
            if secret.rarer:
                yield words("spread.rarer", count=words.count(secret.rarer))


def _adversaries(facts: ReportFacts, words: Wording) -> Iterator[str]:
    if not facts.adversaries:
        return
    yield f"## {words('attack.adversaries')}"
    rows = []
    for each in facts.adversaries:
        title = f"{persona(each, words)[0]} ({each.name})"
        if each.exposed is None or each.people is None:
            rows.append((title, words("attack.adversary_lacks", lacks=each.lacks), ""))
        else:
            right = words("numbers.nothing") if each.right is None else words.percent(each.right)
            totals = "" if each.totals is None else f" ({words.percent(each.totals)})"
            rows.append((title, f"{words.count(each.exposed)} / {words.count(each.people)}", right + totals))
    yield _table((words("attack.who"), words("attack.adversary_exposed"), words("attack.adversary_right")), rows)


def _measures(facts: ReportFacts, words: Wording) -> Iterator[str]:
    known = [each for each in facts.measures if each.value is not None]
    rows = [(each.name, formula(each, words), words.decimal(each.value or 0.0)) for each in known]
    if rows:
        yield f"## {words('annex.measures')}"
        yield _table((words("annex.measure"), words("annex.formula"), words("annex.value")), rows)


def _check(facts: ReportFacts, words: Wording) -> Iterator[str]:
    if facts.fingerprint:
        yield f"## {words('annex.check')}"
        yield "    sfumato audit out/ -p policy.yaml"
        yield _list(
            f"{words('annex.sha', file=file)} `{sha}`"
            for file, sha in {"release.json": facts.fingerprint, **facts.files}.items()
        )


def _inside(facts: ReportFacts, words: Wording) -> Iterator[str]:
    inside = facts.inside
    if inside is None:
        return
    if inside.combinations:
        yield f"## {words('annex.combinations')}"
        rows = ((" + ".join(names), words.count(count)) for names, count in inside.combinations)
        yield _table((words("annex.combination"), words("annex.unique")), rows)
    yield f"## {words('annex.again')}"
    told = {**inside.versions, "key": inside.key_id, **inside.digests}
    yield _list(f"{_plain(name)}: `{said}`" for name, said in told.items())
    if facts.notes:
        yield f"## {words('annex.notes')}"
        yield _list(map(_plain, facts.notes))
