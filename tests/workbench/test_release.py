"""From a table to a release and its report, page by page; what is taken away is what the command line makes."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from pathlib import Path

import pytest

import sfumato as sf
from tests.support.command import Cli
from tests.support.workbench import Answered, Served, Visitor


@pytest.fixture(scope="module")
def made(bench: Served) -> tuple[Visitor, Answered]:
    """The demo, decided and promised about, and the page of its release."""
    visitor = bench.entered()
    visitor.post("/demo")
    visitor.until("/data", "What is each column?")
    assert "1,998" in visitor.settled("/columns").text  # of 2,000 people stand alone by zip, age, sex and admission
    assert visitor.look("/promise").text.count("What is each column?")  # ward is not decided yet
    visitor.post("/columns", {"column": "5", "role": "insensitive"})
    assert "Can be kept" in visitor.settled("/promise").text
    chosen = {"k": "3", "kind-0": "distinct-l", "l-0-distinct-l": "3", "limit": "0", "missing": "category"}
    visitor.post("/promise", {**chosen, "method": "mondrian", "form": "generalized"})
    assert visitor.post("/run", {"k": "x"}).goes_to == "/promise"  # the button sends the form along
    assert visitor.post("/run", {**chosen, "k": "4", "method": "mondrian"}).goes_to == "/release"
    return visitor, visitor.until("/release", "Criterion met")


def taken(made: tuple[Visitor, Answered], what: str) -> Answered:
    """A file of those that can be taken away."""
    visitor, page = made
    start = page.html.index(f"<b>{what}</b>")
    key = re.findall(r'href="(/get/[^"]+)"', page.html[start:])[0 if "Report" not in what else 1]
    return visitor.get(key)


def test_the_page_says_what_was_promised_and_reached(made: tuple[Visitor, Answered]) -> None:
    text = made[1].text
    assert "Every row looks like at least 3 others" in text
    assert "At least 3 different values of “disease” among rows that look alike" in text
    assert "Publish one of them only" in text
    assert "One group, before and after" in text and "What an attacker can still do" in text


def test_the_release_passes_the_audit_of_the_command_line(made: tuple[Visitor, Answered], here: Path, cli: Cli) -> None:
    with zipfile.ZipFile(io.BytesIO(taken(made, "Release").body)) as archive:
        names = archive.namelist()
        archive.extractall(here)
    assert sorted(names) == ["release/release.json", "release/table.csv", "report-external.html"]
    (here / "policy.yaml").write_bytes(taken(made, "Policy").body)
    (here / "manifest.json").write_bytes(taken(made, "Manifest").body)
    assert cli("audit", "release", "-p", "policy.yaml").code == 0
    assert cli("audit", "release", "-p", "policy.yaml", "--manifest", "manifest.json").code == 0


def test_the_policy_gives_the_same_release_there(made: tuple[Visitor, Answered], here: Path, cli: Cli) -> None:
    """With the same key; the table is the demo's."""
    from sfumato.demo.hospital import write_demo

    with zipfile.ZipFile(io.BytesIO(taken(made, "Release").body)) as archive:
        ours = archive.read("release/table.csv")
    (here / "policy.yaml").write_bytes(taken(made, "Policy").body)
    table = write_demo(here / "demo").data
    assert cli("anonymize", str(table), "-p", "policy.yaml", "-o", "out").code == 0
    assert (here / "out" / "table.csv").read_bytes() == ours
    policy = sf.read_policy(here / "policy.yaml")
    assert str(policy.promise) == "k-anonymity (k=4) and distinct-l (l=3, on=disease)"
    assert policy.partition.method == "mondrian"


def test_everything_in_one_file_is_for_the_holder(made: tuple[Visitor, Answered]) -> None:
    with zipfile.ZipFile(io.BytesIO(taken(made, "Everything").body)) as archive:
        names = sorted(archive.namelist())
    reports = ["report-external.html", "report-internal.html"]
    assert names == ["policy.yaml", "release.internal.json", "release/release.json", "release/table.csv", *reports]


def test_reports_are_shown_alone_and_saved(made: tuple[Visitor, Answered]) -> None:
    visitor, page = made
    shown = [each for each in page.links("/get/") if "save" not in each]
    reports = [visitor.get(each) for each in shown if visitor.get(each).headers["content-type"].startswith("text/html")]
    assert len(reports) == 2
    for report in reports:
        assert report.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert "content-disposition" not in report.headers
    saved = taken(made, "Report, external")
    assert saved.headers["content-disposition"] == 'attachment; filename="report-external.html"'
    assert "EXTERNAL edition" in saved.text and "patients.csv" not in saved.text


def test_files_are_fetched_by_key_and_never_by_path(made: tuple[Visitor, Answered]) -> None:
    visitor, page = made
    assert len({each.partition("?")[0] for each in page.links("/get/")}) == 6
    for path in (
        "/get/release.zip",
        "/get/..%2f..%2fetc%2fpasswd",
        "/get/%2fetc%2fpasswd",
        "/get/../held",
        "/static/..%2fapp.py",
    ):
        assert visitor.get(path).status == 404


def test_nobody_else_can_read_what_was_made(made: tuple[Visitor, Answered], bench: Served) -> None:
    modes = {stat.S_IMODE(each.stat().st_mode) for each in bench.kept()}
    assert modes == {0o600, 0o700}


def test_another_run_is_kept_beside_the_first(made: tuple[Visitor, Answered]) -> None:
    visitor, page = made
    visitor.post("/promise", {"k": "10", "kind-0": "none", "limit": "2.5", "missing": "category"})
    assert "Every row looks like at least 9 others" in visitor.settled("/promise").text
    visitor.post("/run")
    second = visitor.until("/release", "k-anonymity (k=10)")
    assert "k-anonymity (k=4)" in second.text
    visitor.post("/show", {"run": "1"})
    assert "Every row looks like at least 3 others" in visitor.look("/release").text
    assert visitor.get(page.links("/get/")[0]).status == 200  # files of the first are still there
    policy = visitor.get("/policy.yaml").html
    assert "suppression: {limit: '0.025'}" in policy or "limit: 0.025" in policy


def test_pages_stay_after_a_reload_and_speak_german(made: tuple[Visitor, Answered]) -> None:
    visitor, _ = made
    visitor.post("/language", {"language": "de"})
    try:
        page = visitor.look("/release")
        assert 'lang="de"' in page.html and "Kriterium erfüllt" in page.text
        for path in ("/data", "/columns", "/promise", "/column/1"):
            assert visitor.look(path).status == 200
    finally:
        visitor.post("/language", {"language": "en"})
    assert "Criterion met" in visitor.look("/release").text
