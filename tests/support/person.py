"""Somebody at a page in a real browser, by mouse or by keyboard alone. What is done is named as it is heard: by role
and label, so that a screen reader could do it, too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.browsing import WIDTHS, Opened, Scheme, violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["WAYS", "Keyboard", "Mouse", "Person"]

_PATIENCE = 60_000
_MOST = 400
"""Keys that are pressed until something is reached; more, and nobody would."""
_SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_FOCUSED = "each => each === document.activeElement"
_IN_GROUP = "each => each.name === document.activeElement.name && each.form === document.activeElement.form"
_LOST = "() => document.activeElement === document.body"
_SEEN = """() => {
  const held = document.activeElement.closest("label") || document.activeElement, box = held.getBoundingClientRect();
  const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, window.innerHeight);
  return held.contains(document.elementFromPoint((box.left + box.right) / 2, (top + bottom) / 2));
}"""
"""Whether what has the focus, or the middle of what is in the window of it, is covered by nothing else."""


@dataclass(frozen=True)
class Person(ABC):
    """At a page, whatever is shown there."""

    opened: Opened
    axe: str

    @property
    def page(self) -> Page:
        return self.opened.page

    @abstractmethod
    def press(self, what: Locator) -> None:
        """A button, a link, what opens and closes."""

    @abstractmethod
    def choose(self, what: Locator) -> None:
        """One of several."""

    @abstractmethod
    def tick(self, what: Locator) -> None:
        """A box."""

    @abstractmethod
    def write(self, what: Locator, text: str) -> None:
        """Into a field, in place of what is there; then on to the next."""

    @abstractmethod
    def pick(self, what: Locator, words: str) -> None:
        """From a list that opens."""

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True))

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True))

    def say(self, group: str, name: str) -> None:
        """Choose that of the group of that name."""
        self.choose(self.group(group).get_by_role("radio", name=name, exact=True))

    def group(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=name, exact=True)

    def give(self, what: Locator, file: Path) -> None:
        """A file, in the window that the browser opens for it."""
        with self.page.expect_file_chooser() as chosen:
            self.press(what)
        chosen.value.set_files(file)

    def take(self, name: str, folder: Path) -> Path:
        """Follow a link to a file; where it was saved, under the name that it came with."""
        with self.page.expect_download() as taken:
            self.link(name)
        file: Path = folder / taken.value.suggested_filename
        taken.value.save_as(file)
        return file

    def until(self, words: str) -> None:
        """Wait for these words, and until nothing is waited for on the page."""
        self.page.get_by_text(words).first.wait_for(timeout=_PATIENCE)
        self.settled()

    def settled(self) -> None:
        self.page.wait_for_function(
            "() => !document.querySelector('[data-waiting]') && !('sending' in document.documentElement.dataset)",
            timeout=_PATIENCE,
        )

    def looks(self) -> None:
        """Nothing on the page hinders anybody, whatever the window and its colours."""
        for scheme in _SCHEMES:
            self.page.emulate_media(color_scheme=scheme)
            for width in WIDTHS:
                self.opened.resized(width)
                assert violations(self.opened, self.axe) == []
                assert self.opened.wider_than_the_window() == []
        self.page.emulate_media(color_scheme=_SCHEMES[0])
        self.opened.resized(WIDTHS[0])

    def quiet(self, port: int) -> None:
        """Nothing was asked of anybody else, and nothing complained of."""
        assert self.opened.heard == []
        assert [each for each in self.opened.asked if not each.startswith(f"http://127.0.0.1:{port}/")] == []


class Mouse(Person):
    def press(self, what: Locator) -> None:
        what.click()

    def choose(self, what: Locator) -> None:
        what.click()
        self.settled()
        assert what.is_checked()

    def tick(self, what: Locator) -> None:
        what.click()
        assert what.is_checked()

    def write(self, what: Locator, text: str) -> None:
        what.click()
        what.fill(text)
        self.page.locator("h1").click()
        self.settled()

    def pick(self, what: Locator, words: str) -> None:
        what.select_option(label=words)
        self.settled()


class Keyboard(Person):
    """Tab, Shift+Tab, arrows, Space and Enter; never a click. What has the focus is seen, and the focus never lost."""

    def press(self, what: Locator) -> None:
        self._reach(what)
        self.page.keyboard.press("Enter")

    def choose(self, what: Locator) -> None:
        self._reach(what, _IN_GROUP)
        for _ in range(_MOST):
            if what.evaluate(_FOCUSED):
                break
            self.page.keyboard.press("ArrowRight")
        assert what.evaluate(_FOCUSED)
        if not what.is_checked():
            self.page.keyboard.press("Space")
        self.settled()
        assert what.is_checked()
        self._kept(what)

    def tick(self, what: Locator) -> None:
        self._reach(what)
        self.page.keyboard.press("Space")
        assert what.is_checked()

    def write(self, what: Locator, text: str) -> None:
        self._reach(what)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        self._tab()
        self.settled()
        assert what.input_value() == text
        assert not self.page.evaluate(_LOST), "an update took the focus away"

    def pick(self, what: Locator, words: str) -> None:
        self._reach(what)
        self.page.keyboard.type(words[:12])
        self.settled()
        assert what.locator("option:checked").inner_text() == words
        self._kept(what)

    def _kept(self, what: Locator) -> None:
        """The focus, over all updates."""
        from playwright.sync_api import expect

        expect(what, "an update took the focus away").to_be_focused()

    def _reach(self, what: Locator, when: str = _FOCUSED) -> None:
        """Tab until there, around the page if need be."""
        what.wait_for(state="attached", timeout=_PATIENCE)
        for _ in range(_MOST):
            if what.evaluate(when):
                return
            self._tab()
        raise AssertionError(f"the keyboard does not lead to {what}")

    def _tab(self) -> None:
        self.page.keyboard.press("Tab")
        if not self.page.evaluate(_LOST):
            unseen = self.page.evaluate(_SEEN) or self.page.evaluate("() => document.activeElement.outerHTML")
            assert unseen is True, f"has the focus, and is not in sight: {unseen[:200]}"


WAYS = (Mouse, Keyboard)
