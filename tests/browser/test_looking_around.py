"""Methods side by side and the levels to walk through, in a real browser: readable by everybody, walked by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import pytest

from sfumato.reports.wording import languages
from tests.browser.test_screen import SCHEMES
from tests.support.browsing import WIDTHS, Opened, violations
from tests.support.workbench import Served, Visitor, served
from tests.workbench.test_explore import ROWS, compared, decided
from tests.workbench.test_mistakes import csv

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLACES = ("/compare", "/compare?again=1", "/lattice?at=2.1", "/lattice?at=0.0")


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Visitor]]:
    """A workbench in which both have been looked at."""
    with served(tmp_path_factory.mktemp("served"), "--language", "en") as bench:
        visitor = bench.entered()
        decided(visitor, csv(ROWS), limit="10")
        compared(visitor, ("generalized", "anatomized"))
        visitor.post("/lattice")
        visitor.settled("/lattice")
        yield bench, visitor


@pytest.fixture
def page(chromium: Browser, looked: tuple[Served, Visitor]) -> Iterator[Page]:
    name, value = looked[1].cookie.split("=", 1)
    base = f"http://127.0.0.1:{looked[0].port}"
    context = chromium.new_context(base_url=base)
    context.add_cookies([{"name": name, "value": value, "url": base}])
    yield context.new_page()
    context.close()


def test_everybody_can_read_them(page: Page, axe: str, looked: tuple[Served, Visitor]) -> None:
    opened = Opened(page)
    page.on("console", lambda message: opened.heard.append(message.text))
    for language, scheme in zip(languages(), SCHEMES, strict=True):
        looked[1].post("/language", {"language": language})
        page.emulate_media(color_scheme=scheme)
        for place, width in product(PLACES, WIDTHS):
            opened.resized(width)
            page.goto(place)
            assert violations(opened, axe) == [], place
            assert opened.wider_than_the_window() == [], place
    assert opened.heard == []


def test_dots_and_nodes_are_chosen_by_keyboard(page: Page) -> None:
    page.goto("/compare")
    page.locator("svg a[href*='way=1']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**way=1*")
    assert page.locator("#chosen h2").inner_text() == "lattice"
    page.goto("/lattice?at=2.1")
    page.locator("svg a[href='/lattice?at=2.2']").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**at=2.2")
    assert page.locator("#here h2").inner_text() == "zip 2, age 2"
