"""Reports and comparisons as a browser shows them: they load nothing, run nothing, and everybody can read them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.comparisons.compared import Compared, Tried
from sfumato.reports.wording import languages
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people
from tests.support.browsing import WIDTHS, Opened, Scheme, violations
from tests.support.examples import some
from tests.support.reported import MADE, OUTCOMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCHEMES: tuple[Scheme, ...] = ("light", "dark")
CASES = [*product(OUTCOMES, ("internal", "external"), languages(), SCHEMES)]
EVIL = "<img src=x onerror=evil()><script>evil()</script>"
PLANTED = """() => {
  window.broken = [];
  document.addEventListener("securitypolicyviolation", event => window.broken.push(event.effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  const image = document.createElement("img");
  image.src = "https://example.invalid/x.png";
  const style = document.createElement("style");
  style.textContent = "body { display: none }";
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "https://example.invalid/x.css";
  document.body.append(script, image, style, link);
}"""


def readable(opened: Opened, axe: str, file: Path) -> None:
    """Silent, alone, without barriers at every width, and never wider than the window."""
    assert opened.heard == [] and opened.asked == [file.as_uri()]
    for width in WIDTHS:
        opened.resized(width)
        assert violations(opened, axe) == []
        assert opened.wider_than_the_window() == []


@pytest.mark.parametrize(("outcome", "edition", "language", "scheme"), some(CASES, kind=lambda case: case[:2]))
def test_reports(
    chromium: Browser,
    axe: str,
    sheets: Callable[[str], sf.Report],
    tmp_path: Path,
    outcome: str,
    edition: Any,
    language: str,
    scheme: Scheme,
) -> None:
    report = sheets(outcome)
    assert report.facts.outcome == outcome
    file = report.save(tmp_path / "report.html", edition, language)
    with Opened.of(chromium, file, scheme) as opened:
        readable(opened, axe, file)
        paper = opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_the_policy_of_content_is_in_force(
    chromium: Browser, sheets: Callable[[str], sf.Report], tmp_path: Path
) -> None:
    """What somebody puts into the page neither runs nor loads."""
    file = sheets("refused").save(tmp_path / "report.html")
    stopped: list[str | None] = []
    with Opened.of(chromium, file) as opened:
        opened.page.on("requestfailed", lambda request: stopped.append(request.failure))
        opened.page.evaluate(PLANTED)
        opened.page.wait_for_function("() => window.broken.length >= 4")
        assert {*opened.page.evaluate("() => window.broken")} == {"script-src-elem", "img-src", "style-src-elem"}
        assert opened.page.evaluate("() => window.ran") is None
        assert opened.page.evaluate("() => getComputedStyle(document.body).display") == "block"
        assert stopped == ["csp"] * 2 == ["csp"] * (len(opened.asked) - 1)


def test_hostile_names_and_values_are_text(chromium: Browser, tmp_path: Path) -> None:
    frame = people(11, 90).rename({"disease": EVIL}).with_columns(pl.col(EVIL).replace("d0", "</style></svg><b>bold"))
    frame = frame.with_columns(pl.lit("<i>ward</i>").alias("</title><script>evil()</script>"))
    policy = policy_of("generalized")
    columns = {name: column for name, column in policy["columns"].items() if name != "disease"}
    columns |= {EVIL: {"role": "sensitive"}, frame.columns[-1]: {"role": "insensitive"}}
    file = tmp_path / "r.html"
    sf.report(sf.publish(frame, policy={**policy, "columns": columns}, seed=1), made=MADE).save(file)
    with Opened.of(chromium, file) as opened:
        assert opened.heard == [] and opened.asked == [file.as_uri()]
        assert opened.page.locator("script, img, b, i:not(.legend i)").count() == 0
        shown = opened.page.locator("body").inner_text()
        assert EVIL in shown and "</title><script>evil()</script>" in shown
        assert "</style></svg><b>bold" in opened.page.locator("body").inner_html().replace("&lt;", "<").replace(
            "&gt;", ">"
        )


def compared() -> Compared:
    """Ways with long and hostile names; one that made nothing."""
    kept = [
        Tried(f"{name}, generalized, l={level}", "kept", "", loss, loss, 0.3 - loss, 0.5, 0.12, 7, 1200, 1.5, 310.0)
        for level, (name, loss) in enumerate([("mondrian", 0.1), ("bsgi-free", 0.2), (EVIL, 0.25)], 2)
    ]
    refused = Tried("anatomy", "refused", "k-anonymity speaks of rows that cannot be told apart " + EVIL)
    return Compared("ncp", 30162, (*kept, refused), 0.05)


@pytest.mark.parametrize(("language", "scheme"), some(product(languages(), SCHEMES), kind=lambda case: case[1]))
def test_comparisons(chromium: Browser, axe: str, tmp_path: Path, language: str, scheme: Scheme) -> None:
    file = tmp_path / "compared.html"
    file.write_text(compared().html(language), encoding="utf-8")
    with Opened.of(chromium, file, scheme) as opened:
        readable(opened, axe, file)
        assert opened.page.locator("script, img").count() == 0 and EVIL in opened.page.locator("body").inner_text()


def test_barriers_and_widths_are_found(chromium: Browser, axe: str, tmp_path: Path) -> None:
    """These tests can fail: a page with too little contrast, without a language, that asks and is too wide."""
    file = tmp_path / "bad.html"
    bad = "<title>bad</title><p style='color: #bbb; width: 2000px'>pale</p><img src=gone.png><script>throw 1</script>"
    file.write_text(bad, encoding="utf-8")
    with Opened.of(chromium, file) as opened:
        found = " ".join(violations(opened, axe))
        assert all(rule in found for rule in ("color-contrast", "html-has-lang", "image-alt"))
        assert opened.wider_than_the_window() and opened.heard and len(opened.asked) == 2
