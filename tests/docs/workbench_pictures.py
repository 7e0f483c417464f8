"""Pictures of the workbench, taken by walking through it with the demo, as the tutorial does.

Made again with ``python -m tests.docs.pictures``, which needs Chromium on the path and Playwright.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.browsing import ARGUMENTS
from tests.support.workbench import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["WALK", "walk"]

WALK = ("data", "columns", "promise", "compare", "lattice", "release", "release-dark", "cannot")
"""Pictures of the walk, in its order; each is ``workbench-NAME.png``."""

_PATIENCE = 120_000


def walk(chromium: str, folder: Path) -> None:
    """From the first page to a release, and one promise that cannot be kept."""
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as place,
        served(Path(place), "--language", "en") as bench,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1080, "height": 800}, device_scale_factor=0.75)
        page.goto(bench.link)
        page.wait_for_url("**/data")
        _taken(page, folder, "data")
        _decided(page, folder)
        _explored(page, folder)
        _promised(page, folder)
        browser.close()


def _decided(page: Page, folder: Path) -> None:
    page.click("text=synthetic hospital")
    page.wait_for_url("**/columns", timeout=_PATIENCE)
    _settled(page)
    _taken(page, folder, "columns")
    page.click("#c5 label:has-text('Harmless')")
    page.wait_for_selector("#c5.insensitive")
    page.click("text=Choose the promise")
    _settled(page)


def _explored(page: Page, folder: Path) -> None:
    """Methods side by side, and one level per column; nothing of it is taken into the policy."""
    _taken(page, folder, "promise")
    for name, there in (("compare", "#chosen"), ("lattice", "#here")):
        page.click(f"a[href='/{name}']")
        page.click("main form button")
        page.wait_for_selector(there, timeout=_PATIENCE)
        _taken(page, folder, name)
        page.click("text=Back to the promise")
        _settled(page)


def _promised(page: Page, folder: Path) -> None:
    page.click("text=For experts")
    page.select_option("#method", "mondrian")
    page.wait_for_selector("pre:has-text('mondrian')")
    _settled(page)
    page.click("text=Make the release")
    page.wait_for_selector(".verdict", timeout=_PATIENCE)
    _taken(page, folder, "release")
    page.emulate_media(color_scheme="dark")
    _taken(page, folder, "release-dark")
    page.emulate_media(color_scheme="light")
    page.click("text=Try another promise")
    _settled(page)
    page.click("#kind-0-distinct-l")
    page.fill("#l-0-distinct-l", "40")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=Cannot be kept on this table", timeout=_PATIENCE)
    _taken(page, folder, "cannot")


def _settled(page: Page) -> None:
    page.wait_for_selector("[data-waiting]", state="detached", timeout=_PATIENCE)


def _taken(page: Page, folder: Path, name: str) -> None:
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=folder / f"workbench-{name}.png")
