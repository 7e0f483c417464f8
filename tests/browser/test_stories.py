"""Whole stories at the workbench in a real browser, by mouse and by keyboard alone: to a release that the command line
audits, and makes again, byte for byte, from the policy that was downloaded."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.demo.hospital import write_demo
from tests.support.browsing import Opened
from tests.support.command import KEY, Cli
from tests.support.person import WAYS, Keyboard, Person
from tests.support.workbench import served
from tests.workbench.test_columns import KNOWLEDGE, SYMPTOMS, VISITS
from tests.workbench.test_mistakes import ROWS, csv

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GROUPS = "Bonn;Rhine;*\nMainz;Rhine;*\nTrier;Mosel;*\nKoblenz;Mosel;*\n"
PLACES = ("Bonn", "Mainz", "Trier", "Koblenz", "Ulm")
TOWNS = "\n".join(
    ["town;height, m;disease, first"]
    + [f"{PLACES[at % 5]};1,{60 + at % 8};{'abcd'[(at * 7 + at // 5) % 4]}, none" for at in range(120)]
)
"""As many commas as semicolons in every line."""

SLOW = (
    "() => { const soon = fetch; fetch = (...all) => new Promise(go => setTimeout(go, 800)).then(() => soon(...all)); }"
)

pytestmark = pytest.mark.thorough


@dataclass(frozen=True)
class Story:
    """Who is at the page, a folder for what they take away, and their command line."""

    person: Person
    folder: Path
    cli: Cli
    port: int

    def written(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def opened(self, name: str, table: str) -> Path:
        """A table of one's own, as far as its columns."""
        file = self.written(name, table)
        self.person.give(self.person.page.get_by_label("Choose a file"), file)
        self.person.until("What is each column?")
        return file

    def settings(self, number: int, name: str, role: str) -> None:
        """Of a column that is something else than most are."""
        card = self.person.page.locator(f"#c{number}")
        self.person.press(card.locator("summary"))
        self.person.say(f"What is {name}?", role)
        self.person.press(card.get_by_role("link", name="Settings of this column"))
        self.person.settled()

    def released(self, table: Path) -> None:
        self.person.button("Make the release")
        self.told(table)

    def told(self, table: Path) -> None:
        """At the release: take all of it away, and look whether it is what it says."""
        person, folder = self.person, self.folder
        person.until("Criterion met")
        person.looks()
        with person.page.context.expect_page() as shown:
            person.link("Open Report, external")
        report = shown.value
        report.get_by_text("Criterion met").first.wait_for()
        assert "Data-protection officer" in report.locator("body").inner_text()
        report.close()
        self.unpacked(person.take("Download Release", folder), folder / "release")
        policy = person.take("Download Policy", folder)
        if policy.suffix == ".zip":
            policy = self.unpacked(policy, folder / "policy") / "policy.yaml"
        manifest = person.take("Download Manifest", folder)
        person.quiet(self.port)
        released = folder / "release" / "release"
        audit = self.cli("audit", str(released), "-p", str(policy), "--manifest", str(manifest))
        assert audit.code == 0, audit.out + audit.err
        again = self.cli("anonymize", str(table), "-p", str(policy), "-o", str(folder / "again"))
        assert again.code == 0, again.err
        files = sorted(each.name for each in released.iterdir())
        assert files == sorted(each.name for each in (folder / "again").iterdir()) and "release.json" in files
        for name in files:
            assert (released / name).read_bytes() == (folder / "again" / name).read_bytes(), name

    def unpacked(self, file: Path, folder: Path) -> Path:
        with zipfile.ZipFile(file) as archive:
            archive.extractall(folder)
        return folder


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__.lower())
def story(
    request: pytest.FixtureRequest,
    chromium: Browser,
    axe: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Story]:
    monkeypatch.setenv("SFUMATO_KEY", KEY)
    place = tmp_path / "served"
    place.mkdir()
    with served(place, "--language", "en") as bench, Opened.at(chromium, bench.link) as opened:
        opened.page.set_default_timeout(20_000)
        opened.page.wait_for_url("**/data")
        yield Story(request.param(opened, axe), tmp_path, Cli(capsys), bench.port)


def test_a_hospital(story: Story) -> None:
    """The demo: its columns decided, a promise, the release and the report to sign."""
    person = story.person
    person.until("Publish a table")
    person.looks()
    person.button("or look at a synthetic hospital")
    person.until("What is each column?")
    person.looks()
    person.say("What is ward?", "Harmless")
    person.link("Choose the promise →")
    person.until("You promise")
    person.say("Nobody stands alone", "10")
    person.say("Secrets stay mixed: disease", "distinct l-diversity")
    person.write(person.page.get_by_label("l of distinct l-diversity"), "4")
    person.press(person.page.locator("summary", has_text="For experts"))
    person.pick(person.page.get_by_label("Which rows share a group"), "mondrian: split again and again, fast")
    person.until("Can be kept")
    person.looks()
    story.released(write_demo(story.folder / "demo").data)


def test_a_table_of_ones_own(story: Story) -> None:
    """The page asks what separates the fields; a file of groups lacks a value, which then gets its place."""
    person, table = story.person, story.written("towns.csv", TOWNS)
    person.give(person.page.get_by_label("Choose a file"), table)
    person.until("What separates the fields?")
    person.looks()
    person.button("A semicolon ;")
    person.until("What is each column?")
    person.say("What is town?", "Others may know")
    person.say("What is height, m?", "Others may know")
    person.say("What is disease, first?", "Secret")
    person.press(person.page.locator("#c0").get_by_role("link", name="Settings of this column"))
    person.link("Make groups, or change them")
    person.until("Groups of town")
    person.give(person.page.get_by_label("CSV, text, YAML or JSON"), story.written("groups.csv", GROUPS))
    person.button("Take it")
    person.until("1 of 5 values of the table have no place")
    person.looks()
    person.tick(person.page.get_by_label("Ulm"))
    person.write(person.page.get_by_label("Name of a new group, here"), "Danube")
    person.button("Gather them under this name")
    person.until("All 5 values have a place.")
    person.looks()
    person.link("← Settings of town")
    person.link("← All columns")
    person.link("Choose the promise →")
    person.until("You promise")
    person.say("Nobody stands alone", "3")
    story.released(table)
    with (story.folder / "release" / "release" / "table.csv").open(encoding="utf-8") as released:
        assert "Rhine" in released.read()


def test_a_promise_that_cannot_be_kept(story: Story) -> None:
    """Three diseases are not five; the nearest promise is taken by its button."""
    person, table = story.person, story.opened("three.csv", csv(ROWS).decode())
    person.link("Choose the promise →")
    person.until("You promise")
    person.say("Secrets stay mixed: disease", "distinct l-diversity")
    person.write(person.page.get_by_label("l of distinct l-diversity"), "5")
    person.until("Cannot be kept on this table")
    person.looks()
    person.button("Use that one")
    person.until("Can be kept")
    story.released(table)


def test_several_rows_of_a_person(story: Story) -> None:
    person, table = story.person, story.opened("visits.csv", VISITS)
    story.settings(0, "patient", "Says whose row it is")
    person.looks()
    rows = "Publish all rows, with a number for their group; no group holds two of one person"
    person.pick(person.page.get_by_label("One person, several rows"), rows)
    person.button("Save")
    person.until("patient: saved.")
    person.link("← All columns")
    person.link("Choose the promise →")
    person.until("You promise")
    person.say("Nobody stands alone", "3")
    person.say("Secrets stay mixed: disease", "distinct l-diversity")
    person.write(person.page.get_by_label("l of distinct l-diversity"), "2")
    story.released(table)
    assert "120 published" in person.page.locator("main").inner_text()


def test_symptoms_with_knowledge(story: Story) -> None:
    person, table = story.person, story.opened("symptoms.csv", SYMPTOMS)
    story.settings(2, "symptoms", "Terms that betray")
    person.write(person.page.get_by_label("What parts the terms of a cell"), "|")
    person.button("Save")
    person.until("symptoms: saved.")
    file = story.written("knowledge.csv", KNOWLEDGE)
    person.give(person.page.get_by_label("CSV, Parquet, YAML or JSON"), file)
    person.button("Use it")
    person.until("4 labels, 4 terms")
    person.looks()
    person.link("← All columns")
    person.link("Choose the promise →")
    person.until("You promise")
    person.say("Nobody stands alone", "3")
    person.write(person.page.get_by_label("l of QS (c,l)-diversity"), "2")
    person.looks()
    story.released(table)


@pytest.mark.parametrize("story", [Keyboard], indirect=True)
def test_what_is_typed_while_an_answer_is_on_its_way_stays(story: Story) -> None:
    """An answer neither takes away what is being typed, nor the place where it is; and all of it is promised."""
    person, page = story.person, story.person.page
    story.opened("three.csv", csv(ROWS).decode())
    person.link("Choose the promise →")
    person.until("You promise")
    page.evaluate(SLOW)
    page.locator("#k-12").press("Space")
    field = page.get_by_label("Percent of rows that may be left out")
    field.press("Control+A")
    page.keyboard.type("7")
    page.wait_for_function("() => !('sending' in document.documentElement.dataset)")
    page.keyboard.type(".5")
    assert field.input_value() == "7.5" and page.evaluate("() => document.activeElement.id") == "limit"
    page.keyboard.press("Tab")
    person.settled()
    assert field.input_value() == "7.5" and page.locator("#k-12").is_checked()
    assert page.evaluate("() => document.activeElement.id") == "keep"
    page.locator("summary", has_text="For experts").click()
    policy = page.locator("pre").inner_text()
    assert "k: 12" in policy and "limit: '0.075'" in policy
    person.quiet(story.port)
