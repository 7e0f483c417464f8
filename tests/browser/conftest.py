"""One browser for all tests of a worker, and what else they need; where it lacks, they are skipped and say why."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from tests.support.axe import AxeMissing, axe_source
from tests.support.browsing import ARGUMENTS
from tests.support.reported import OUTCOMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Headless Chromium, the system's own."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no browser: install chromium and a font, such as fonts-dejavu-core")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is in the extra dev")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    try:
        return axe_source()
    except AxeMissing as lacks:
        pytest.skip(str(lacks))


@pytest.fixture(scope="session")
def poppler() -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext: install poppler-utils")


@pytest.fixture(scope="session")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], sf.Report]:
    """The report of a release or run with that outcome."""

    @cache
    def made(outcome: str) -> sf.Report:
        return OUTCOMES[outcome](tmp_path_factory.mktemp("run"))

    return made
