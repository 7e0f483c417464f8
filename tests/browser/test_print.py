"""Reports on paper: how many pages, what stands on each, and that the box to sign is never split."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.reports.editions import fingerprint
from sfumato.reports.wording import Wording, languages
from tests.support.browsing import Opened
from tests.support.examples import some
from tests.support.reported import OUTCOMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST = {"external": 3, "internal": 4}
"""Pages of the demo."""
CASES = [*product(OUTCOMES, MOST, languages())]
FEW = some(CASES, kind=lambda case: case[0] == "met" and case[1])


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize(
    ("outcome", "edition", "language"), some(CASES, kind=lambda case: case[0] == "met" and case[1])
)
def test_printed(
    chromium: Browser,
    sheets: Callable[[str], sf.Report],
    tmp_path: Path,
    outcome: str,
    edition: Any,
    language: str,
) -> None:
    report, words = sheets(outcome), Wording.of(language)
    file = report.save(tmp_path / "report.html", edition, language)
    with Opened.of(chromium, file, "dark") as opened:
        pages = opened.printed(tmp_path / "report.pdf")
    assert 1 <= len(pages) <= (MOST[edition] if report.facts.released else 1)
    for number, page in enumerate(pages, 1):
        *_, margin = (line for line in page.splitlines() if line.strip())
        assert words(f"page.{edition}") in margin and fingerprint(report.facts) in margin
        assert words("page.pages", page=number, pages=len(pages)) in margin
    signed = [page for page in pages if words("sign.steward") in page]
    assert signed == pages[:1], "it is on the first sheet"
    fields = ("title", "no", "officer", *(["recipient"] if report.facts.released else []))  # nothing goes to anybody
    assert all(words(f"sign.{name}") in signed[0] for name in fields)
