"""The first page: the decision sheet. The verdict, what an attacker can still do, three questions, a place to sign."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.reports.editions import fingerprint
from sfumato.reports.facts import CriterionFact, ReportFacts, RiskFact, SecretFact
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording

__all__ = [
    "PROGRAM",
    "alike",
    "alike_words",
    "attacks",
    "judged",
    "promised",
    "questions",
    "sign",
    "uncovered",
    "verdict",
    "verdict_says",
]

PROGRAM = "en"
"""The language of what the program itself says: reasons, remedies, notes."""

_UNCOVERED = ("algorithm", "releases", "dependent", "presence")


def verdict(facts: ReportFacts, words: Wording) -> Markup:
    """What the audit said, in a frame whose look is never mistaken."""
    name = facts.outcome.replace(" ", "_")
    look = {"met": "verdict", "undecidable": "verdict open"}.get(facts.outcome, "verdict fails")
    sign = {"met": "✓", "undecidable": "?"}.get(facts.outcome, "✗")
    lines: list[Child] = [
        tag("strong", f"{sign} {words(f'outcome.{name}')}", class_="big"),
        tag("p", verdict_says(facts, words)),
    ]
    if facts.reason:
        lines.append(tag("p", facts.reason, lang=PROGRAM))
    if facts.criteria:
        lines.append(tag("ul", (tag("li", _criterion(each, words)) for each in facts.criteria)))
    for title, sentences in (("problems", facts.problems), ("remedies", facts.remedies)):
        if sentences:
            lines.append(tag("h3", words(f"outcome.{title}")))
            lines.append(tag("ul", (tag("li", sentence) for sentence in sentences), lang=PROGRAM))
    return tag("section", lines, class_=look, role="status")


def verdict_says(facts: ReportFacts, words: Wording) -> str:
    """What the outcome means, in a sentence or two: whether files were judged, and whether anything was published."""
    name = facts.outcome.replace(" ", "_")
    places = [f"outcome.says_{name}"]
    if not facts.released:
        places.insert(0, f"outcome.unpublished_{name}")
    elif not facts.fingerprint:
        places.insert(0, f"outcome.unwritten_{name}")
    said = words(next(place for place in places if words.known(place)))
    return f"{said} {words('outcome.inside')}" if facts.edition == "external" and not facts.released else said


def _criterion(each: CriterionFact, words: Wording) -> Child:
    return [tag("strong", promised(each, words)), ". ", tag("span", judged(each, words), class_="soft")]


def judged(each: CriterionFact, words: Wording) -> str:
    """What the auditor said of a promise, in a sentence."""
    how = {"holds": "reached", "fails": "fails", "undecidable": "needs"}[each.verdict]
    place = f"outcome.{'by_holder' if each.by_holder and each.verdict == 'holds' else how}"
    level = words.level(each.level) or words("numbers.nothing")
    return words(place, title=each.title, level=level, needs=each.needs)


def promised(each: CriterionFact, words: Wording) -> str:
    """A promise in words; one that there are none for, by its own."""
    place = f"promise.{each.promise}"
    values = {"on": each.on or "", "title": each.title}
    values |= {name: words.level(str(value)) for name, value in each.parameters.items()}
    if "k" in each.parameters:
        values["others"] = words.count(int(each.parameters["k"]) - 1)
    return words(place if words.known(place) else "promise.other", **values)


def attacks(facts: ReportFacts, words: Wording) -> Child:
    """Prosecutor, journalist, marketer, and the guess of every secret."""
    risk = facts.risk
    if risk is None and not facts.secrets:
        return None
    head = [tag("th", words("attack.who")), tag("th", words("attack.chance"))]
    head += [tag("th", words(f"attack.{side}"), class_="number") for side in ("before", "after")]
    found = [] if risk is None else [*_finding(risk, words)]
    rows = [*found, *(_guess(secret, words) for secret in facts.secrets)]
    return [
        tag("h2", words("attack.title")),
        tag("p", words("attack.exact"), class_="small") if facts.exact else None,
        tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)),
    ]


def alike(facts: ReportFacts, words: Wording) -> Child:
    """Secrets of which nearly all rows of some group are alike, though what was promised is kept."""
    return [tag("p", tag("strong", words("lopsided.title")), " ", said) for said in alike_words(facts, words)]


def alike_words(facts: ReportFacts, words: Wording) -> Iterator[str]:
    """The same in sentences."""
    for each in facts.lopsided:
        if each.rows is None or each.alike is None:
            said = words("lopsided.believed", column=each.column, share=words.percent(each.share))
        else:
            counts = {"alike": words.count(each.alike), "rows": words.count(each.rows)}
            table = words("numbers.nothing") if each.table is None else words.percent(each.table)
            said = words("lopsided.says", column=each.column, table=table, **counts)
        many = f" {words('lopsided.many', groups=words.count(each.groups))}" if each.groups > 1 else ""
        why = "none" if not each.promises else "counted" if each.counted else "allowed"
        named = words("numbers.and").join(each.promises)
        yield f"{said}{many} {words(f'lopsided.{why}', promises=named)}"


def _finding(risk: RiskFact, words: Wording) -> Iterator[Markup]:
    nothing = words("numbers.nothing")
    before = nothing if risk.worst_before is None else words.chance(risk.worst_before)
    yield _row(_who("prosecutor", words), words("attack.prosecutor_does"), before, words.chance(risk.worst))
    alone = nothing if risk.alone_before is None else words.percent(risk.alone_before)
    yield _row(None, words("attack.alone"), alone, words.count(risk.alone))
    for each in risk.thresholds:
        if each.threshold == "0.09":
            says = words("attack.above", threshold=words.level(each.threshold), least=each.least)
            above = nothing if each.before is None else words.percent(each.before)
            yield _row(None, says, above, words.percent(each.after))
    if risk.journalist is None:
        most = words("attack.at_most", chance=words.chance(risk.worst))
        yield _row(_who("journalist", words), words("attack.journalist_none"), before, most)
    else:
        yield _row(_who("journalist", words), words("attack.journalist_does"), nothing, words.chance(risk.journalist))
    mean = nothing if risk.mean_before is None else words.percent(risk.mean_before)
    yield _row(_who("marketer", words), words("attack.marketer_does"), mean, words.percent(risk.mean))


def _guess(secret: SecretFact, words: Wording) -> Markup:
    says = words("attack.guess_does", totals=words.percent(secret.totals))
    before = words("numbers.nothing") if secret.before is None else words.percent(secret.before)
    who = tag("strong", words("attack.guess", secret=secret.name))
    return _row(who, says, before, f"{words.percent(secret.mean)}, {words.percent(secret.worst)}")


def _who(kind: str, words: Wording) -> Child:
    return [tag("strong", words(f"attack.{kind}")), " ", tag("span", words(f"attack.{kind}_kind"), class_="soft small")]


def _row(who: Child, does: str, before: str, after: str) -> Markup:
    numbers = [tag("td", before, class_="number"), tag("td", tag("strong", after), class_="number")]
    return tag("tr", tag("td", who), tag("td", does), numbers, class_=None if who else "more")


def questions(facts: ReportFacts, words: Wording) -> Child:
    """Singling out, linking, inferring: the answers follow from the facts, and linking is never denied."""
    if not facts.groups:
        return None
    smallest, others = words.count(facts.smallest), words.count(max(facts.smallest - 1, 0))
    answer, says = ("single_exact", "single_exact_says") if facts.exact else ("single_answer", "single_says")
    worst = max(facts.secrets, key=lambda secret: secret.worst, default=None)
    cards = [
        _card(
            "single",
            words(f"questions.{answer}", smallest=smallest),
            words(f"questions.{says}", smallest=smallest, others=others),
            words,
        ),
        _card(
            "link",
            words(f"questions.{'link_exact' if facts.exact else 'link_answer'}", smallest=smallest),
            words(
                f"questions.{'link_exact_says' if facts.exact else 'link_says'}",
                groups=words.count(facts.groups),
                smallest=smallest,
            ),
            words,
        ),
        _card("infer", *_inferred(worst, words), words),
    ]
    return [tag("h2", words("questions.title")), tag("div", cards, class_="cards")]


def _inferred(worst: SecretFact | None, words: Wording) -> tuple[str, str]:
    if worst is None:
        return words("questions.infer_none"), ""
    says = words("questions.infer_says", different=worst.different, secret=worst.name)
    if worst.worst >= 1:
        return words("questions.infer_certain"), says
    return words("questions.infer_answer", worst=words.percent(worst.worst)), says


def _card(name: str, answer: str, says: str, words: Wording) -> Markup:
    return tag("div", tag("h3", words(f"questions.{name}")), tag("p", tag("strong", answer), " ", says), class_="card")


def uncovered(facts: ReportFacts, words: Wording) -> Child:
    """What no promise here covers, and whose word columns rest on."""
    if not facts.released:
        return None
    vouched = [column.name for column in facts.columns if column.role == "insensitive"]
    items = [
        tag("li", tag("strong", f"{words(f'uncovered.{name}')}:"), " ", words(f"uncovered.{name}_says"))
        for name in _UNCOVERED
    ]
    columns = ", ".join(vouched) or words("uncovered.no_columns")
    items.append(tag("li", tag("strong", words("uncovered.word")), " ", words("uncovered.word_says", columns=columns)))
    return [tag("h2", words("uncovered.title")), tag("ul", items, class_="small")]


def sign(facts: ReportFacts, words: Wording) -> Markup:
    """The box to decide and sign in; where nothing may be released it says so."""
    met = facts.outcome == "met"
    boxes = ("release", "conditions", "no") if met and facts.fingerprint else ("no",)
    choices: list[Child] = [
        [tag("span", tag("span", class_="box"), words(f"sign.{name}"), class_="choice"), " "] for name in boxes
    ]
    place = "sign.says_not" if not met else "sign.says" if facts.fingerprint else "sign.says_unwritten"
    says = words(place, fingerprint=fingerprint(facts))
    lines = [("steward", "date"), ("officer", "date"), *([("recipient", "review")] if facts.released else [])]
    fields = [[tag("dt", words(f"sign.{name}")), tag("dd")] for line in lines for name in line]
    decision = tag("p", tag("strong", words("sign.title")), choices)
    return tag("section", decision, tag("p", says, class_="small"), tag("dl", fields), class_="sign")
