"""Every outcome says what it is: one that is not a pass never looks or reads like one, in any rendering or language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

import sfumato as sf
from sfumato.comparisons.compared import Compared, Tried
from sfumato.reports.wording import Wording, languages
from tests.support.reported import OUTCOMES

SAYS = {
    "met": ("Criterion met", "Kriterium erfüllt"),
    "not met": ("Criterion not met", "Kriterium nicht erfüllt"),
    "undecidable": ("Not decided", "Nicht entschieden"),
    "refused": ("Refused", "Abgelehnt"),
    "infeasible": ("Cannot be promised", "Kann nicht versprochen werden"),
    "none found": ("No release found", "Keine Freigabe gefunden"),
}
LOOKS = {"met": "verdict", "undecidable": "verdict open"}
PASSES = ("✓", "release under conditions", "unter Auflagen freigeben", SAYS["met"][0], SAYS["met"][1])
"""What only a release that keeps its promise shows."""
REASONS = {
    "not met": "not kept, reached 2",
    "undecidable": "the original distribution of 'disease'",
    "refused": "k-anonymity speaks of rows that cannot be told apart",
    "infeasible": "nearest promise that can be kept: distinct-l (l=5)",
    "none found": "this policy keeps it with partition: {method: mondrian}",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], sf.Report]:
    @cache
    def of(outcome: str) -> sf.Report:
        return OUTCOMES[outcome](tmp_path_factory.mktemp("run"))

    return of


def renderings(report: sf.Report) -> Iterator[tuple[str, str, str]]:
    editions: tuple[Any, ...] = ("internal", "external")
    for edition, language in product(editions, languages()):
        yield edition, language, report.html(edition, language)
        yield edition, language, report.markdown(edition, language)


@pytest.mark.parametrize("outcome", [*OUTCOMES])
def test_it_says_what_it_is(made: Callable[[str], sf.Report], outcome: str) -> None:
    report = made(outcome)
    assert report.facts.outcome == report.shared.outcome == outcome
    for _, language, text in renderings(report):
        assert SAYS[outcome][languages().index(language)] in text
        passing = [sign for sign in PASSES if sign in text]
        assert bool(passing) == (outcome == "met"), (language, passing)
        if text.startswith("<!doctype"):
            look = LOOKS.get(outcome, "verdict fails")
            assert re.search(f'<section class="{look}" role="status">', text)
    others = {word for other, words in SAYS.items() if other != outcome for word in words}
    shown = report.html().partition("What this does not cover")[0]
    assert not [word for word in others if f" {word}<" in shown]


@pytest.mark.parametrize("outcome", [*REASONS])
def test_why_stands_in_the_internal_edition(made: Callable[[str], sf.Report], outcome: str) -> None:
    report = made(outcome)
    assert REASONS[outcome] in report.html().replace("&#x27;", "'")
    plain = report.markdown().replace("\\", "")
    assert REASONS[outcome] in plain
    if not report.facts.released:
        assert not any(REASONS[outcome] in text for edition, _, text in renderings(report) if edition == "external")
        assert "Nothing was published" in report.html() and "What was done to each column" not in report.html()


def test_infeasible_offers_the_nearest_promise(made: Callable[[str], sf.Report]) -> None:
    html = made("infeasible").html()
    assert "What would help" in html and "nearest promise" in html
    assert "There is nothing here to be released" in html


def said(text: str) -> list[str]:
    """Words that say nobody can be recognised; the name of a promise is none."""
    return re.findall(r"\w*anonym\w*", text.replace("k-anonymity", ""), re.IGNORECASE)


@pytest.mark.parametrize("outcome", [*OUTCOMES])
def test_nobody_is_called_anonymous(made: Callable[[str], sf.Report], outcome: str) -> None:
    report = made(outcome)
    texts = [text for _, _, text in renderings(report)]
    assert not [word for text in (*texts, report.json(), report.json("external")) for word in said(text)]
    ways = (Tried("mondrian", "kept", loss=0.1, overall=0.1, matches=0.2), Tried("anatomy", "refused", "why"))
    found = Compared("ncp", 9, ways)
    assert not [word for text in (found.summary(), *map(found.html, languages())) for word in said(text)]
    assert said("These data are anonymous, anonymisiert") == ["anonymous", "anonymisiert"]


def test_a_promise_may_be_met_while_most_rows_exceed_a_threshold(made: Callable[[str], sf.Report]) -> None:
    """Both figures stand on the first page, side by side."""
    report, words = made("met"), Wording.of("en")
    risk = report.facts.risk
    assert risk is not None
    [share] = [each.after for each in risk.thresholds if each.threshold == "0.09"]
    assert share > 0.5
    sheet = report.html().partition("What was done to each column")[0]
    assert "rows above 0.09" in sheet and f"<strong>{words.percent(share)}</strong>" in sheet
    assert "Yes, to a group of at least 5." in sheet


def test_the_first_sheet_has_all_that_is_decided_by(made: Callable[[str], sf.Report]) -> None:
    report = made("met")
    for edition in ("internal", "external"):
        sheet, _, rest = report.html(edition).partition("What was done to each column")
        for part in ("Criterion met", "reached 5", "prosecutor", "journalist", "marketer", "guesses “disease”"):
            assert part in sheet, part
        for part in ("names removed", "this release", "singled out", "linked", "inferred", "does not cover"):
            assert part in sheet, part
        for part in ("Data steward", "Data-protection officer", "Recipient, purpose", "Review by", "Date"):
            assert part in sheet, part
        for part in ("treatment", "detail lost", "Rows that look alike", "left out to keep the promise", "Annex A"):
            assert part in rest, part
        for part in ("because 1/11 &gt; 0.09", "formula", "check it yourself", "SHA-256 of release.json"):
            assert part in rest, part
    inside = report.html()
    for part in ("patients.csv", "zip + age + admission", "smallest groups", "sfumato 0", "SHA-256 input", "partition"):
        assert part in inside, part
        assert part not in report.html("external") or part in ("sfumato 0",), part
