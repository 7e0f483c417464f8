"""The annex: thresholds, formulas, how to check it; and for the holder what the release rests on."""

from __future__ import annotations

from sfumato.policy.yaml import to_yaml
from sfumato.reports.facts import Inside, MeasureFact, ReportFacts
from sfumato.reports.html.details import adversaries
from sfumato.reports.html.sheet import PROGRAM
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording

__all__ = ["annex"]


def annex(facts: ReportFacts, words: Wording) -> Markup:
    """Everything behind the two pages."""
    parts = [adversaries(facts, words), _thresholds(facts, words), _measures(facts, words), _check(facts, words)]
    if facts.inside is not None:
        parts += [_inside(facts.inside, words)]
    if facts.notes:
        notes = tag("ul", (tag("li", note) for note in facts.notes), class_="small", lang=PROGRAM)
        parts.append([tag("h2", words("annex.notes")), notes])
    return tag("section", parts, class_="annex")


def _thresholds(facts: ReportFacts, words: Wording) -> Child:
    if facts.risk is None or not facts.risk.thresholds:
        return None
    nothing = words("numbers.nothing")
    quasi = ", ".join(column.name for column in facts.columns if column.role == "quasi")
    head = [tag("th", words("annex.threshold")), tag("th", words("annex.least"), class_="number")]
    head += [tag("th", words(f"sizes.{side}"), class_="number") for side in ("before", "after")]
    rows = [
        _row(
            words.level(each.threshold),
            words.count(each.least),
            nothing if each.before is None else words.percent(each.before),
            words.percent(each.after),
        )
        for each in facts.risk.thresholds
    ]
    return [
        tag("h2", words("annex.thresholds")),
        tag("p", words("annex.thresholds_says", columns=quasi), class_="small"),
        tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)),
    ]


def _row(first: str, *numbers: str) -> Markup:
    return tag("tr", tag("td", first), (tag("td", number, class_="number") for number in numbers))


def _measures(facts: ReportFacts, words: Wording) -> Child:
    formulas = [tag("li", words(f"annex.{name}_formula")) for name in ("prosecutor", "guess")]
    head = [tag("th", words(f"annex.{name}")) for name in ("measure", "formula")]
    head.append(tag("th", words("annex.value"), class_="number"))
    rows = [
        tag(
            "tr",
            tag("td", tag("strong", each.name), class_="name"),
            tag("td", formula(each, words)),
            tag("td", words.decimal(each.value), class_="number"),
        )
        for each in facts.measures
        if each.value is not None
    ]
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", rows)) if rows else None
    return [tag("h2", words("annex.measures")), tag("ul", formulas, class_="small"), table]


def formula(measure: MeasureFact, words: Wording) -> str:
    """Of a measure in words; of one that there are none for, in its own."""
    place = f"formula.{measure.name}"
    return words(place) if words.known(place) else measure.formula


def _check(facts: ReportFacts, words: Wording) -> Child:
    if not facts.fingerprint:
        return None
    digests = {"release.json": facts.fingerprint, **facts.files}
    return [
        tag("h2", words("annex.check")),
        tag("pre", "sfumato audit out/ -p policy.yaml"),
        tag("p", words("annex.check_says"), class_="small"),
        (_digest(words("annex.sha", file=file), sha) for file, sha in digests.items()),
    ]


def _digest(of: str, sha: str) -> Markup:
    return tag("p", of, " ", tag("span", sha, class_="hash"), class_="small")


def _inside(inside: Inside, words: Wording) -> Child:
    """What only the holder may see."""
    combinations = [
        tag("div", tag("dt", " + ".join(names)), tag("dd", words.count(count))) for names, count in inside.combinations
    ]
    sizes = ", ".join(map(words.count, inside.smallest))
    facts = {
        **inside.versions,
        "key": inside.key_id,
        **{f"SHA-256 {name}": sha for name, sha in inside.digests.items()},
    }
    rows = [tag("tr", tag("td", name), tag("td", tag("span", told, class_="hash"))) for name, told in facts.items()]
    return [
        [
            tag("h2", words("annex.combinations")),
            tag("p", words("annex.combinations_says"), class_="small"),
            tag("dl", combinations, class_="counts"),
        ]
        if combinations
        else None,
        tag("h2", words("annex.smallest")),
        tag("p", words("annex.smallest_says", sizes=sizes), class_="small"),
        tag("h2", words("annex.again")),
        tag("table", tag("tbody", rows), class_="made"),
        tag("pre", to_yaml(inside.policy)),
    ]
