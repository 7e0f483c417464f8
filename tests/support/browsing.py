"""A page in a real browser: what it loads, what it says to the console, who cannot read it, and how it prints."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

__all__ = ["ARGUMENTS", "WIDTHS", "Opened", "Scheme", "pages_of", "violations"]

Scheme = Literal["light", "dark"]
WIDTHS = (1280, 800)
ARGUMENTS = [
    "--no-sandbox",  # as root, in a container
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@dataclass(frozen=True, eq=False)
class Opened:
    """A file that is open, and what happened since: messages, requests, errors and dialogs."""

    page: Page
    heard: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @classmethod
    @contextmanager
    def of(cls, browser: Browser, file: Path, scheme: Scheme = "light", width: int = WIDTHS[0]) -> Iterator[Opened]:
        with cls.at(browser, file.as_uri(), scheme, width) as opened:
            yield opened

    @classmethod
    @contextmanager
    def at(cls, browser: Browser, address: str, scheme: Scheme = "light", width: int = WIDTHS[0]) -> Iterator[Opened]:
        """An address, and whatever is opened from there."""
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        try:
            opened = cls(context.new_page())
            context.on("console", lambda message: opened.heard.append(message.text))
            context.on("weberror", lambda error: opened.heard.append(str(error.error)))
            context.on("dialog", lambda dialog: opened._asked_back(dialog))  # a bound method cannot be marked
            context.on("request", lambda request: opened.asked.append(request.url))
            opened.page.goto(address, wait_until="load")
            yield opened
        finally:
            context.close()

    def _asked_back(self, dialog: Dialog) -> None:
        self.heard.append("dialog")
        dialog.dismiss()

    def resized(self, width: int) -> None:
        self.page.set_viewport_size({"width": width, "height": 900})

    def wider_than_the_window(self) -> list[str]:
        """Whether it must be scrolled to the side, and what sticks out."""
        found: list[str] = self.page.evaluate(
            """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
            [...document.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > window.innerWidth + 1)
            .map(e => `${e.tagName.toLowerCase()}.${e.className} ${e.textContent.slice(0, 40)}`)"""
        )
        return found

    def printed(self, file: Path) -> list[str]:
        """The texts of its printed pages."""
        self.page.pdf(path=file, prefer_css_page_size=True, print_background=True)
        return pages_of(file)


def violations(opened: Opened, axe: str) -> list[str]:
    """What breaks WCAG A or AA: rule, and where."""
    if not opened.page.evaluate("() => 'axe' in window"):
        opened.page.evaluate(axe)
    found: dict[str, Any] = opened.page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']})", _RULES
    )
    return [
        f"{each['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def pages_of(file: Path) -> list[str]:
    """Texts of the pages of a PDF, by `pdftotext`."""
    command: Sequence[str] = [shutil.which("pdftotext") or "pdftotext", "-layout", str(file), "-"]
    told = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8").stdout
    return told.removesuffix("\f").split("\f")
