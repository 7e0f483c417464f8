"""A report: what it says is so, what must not be in it is not, and it loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from tests.forms import test_hidden_content as hidden
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people
from tests.support.form_tables import policy_for
from tests.support.json_schema import faults

MADE = date(2026, 1, 2)


class Page(HTMLParser):
    """Elements and attributes of a page, and whether every element that begins also ends."""

    EMPTY = ("meta", "br", "hr")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open += [] if tag in self.EMPTY else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def release() -> sf.Release:
    return sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)


@pytest.fixture(scope="module")
def report(release: sf.Release) -> sf.Report:
    return sf.report(release, made=MADE)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("edition", ["internal", "external"])
def test_a_page_loads_nothing_and_runs_nothing(report: sf.Report, edition: Any, language: str) -> None:
    text = report.html(edition, language)
    page = Page(text)
    assert "script" not in page.tags and "link" not in page.tags and "img" not in page.tags
    assert not [name for name, _ in page.attributes if name in ("src", "href", "style") or name.startswith("on")]
    assert not re.search(r"https?:|url\(|@import", text.replace("https://doi.org", ""))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in text.replace("&#x27;", "'")
    assert len(text) < 60_000


def test_what_it_says_is_what_was_found(release: sf.Release, report: sf.Report) -> None:
    facts = report.facts
    table = release.table.cast(pl.String)
    sizes = table.group_by("age", "zip", "sex").len()["len"]
    assert facts.outcome == "met" and facts.groups == len(sizes) and facts.smallest == sizes.min()
    assert facts.rows is not None and (facts.rows.table, facts.rows.published) == (90, table.height)
    [secret] = facts.secrets
    shares = (
        table.group_by("age", "zip", "sex", "disease")
        .len()
        .with_columns(share=pl.col("len") / pl.col("len").sum().over("age", "zip", "sex"))
    )
    assert {each.value: each.most for each in secret.spread} == pytest.approx(
        dict(shares.group_by("disease").agg(pl.col("share").max()).iter_rows())
    )
    assert secret.different == shares.group_by("age", "zip", "sex").len()["len"].min()
    assert (
        {column.name: column.loss for column in facts.columns if column.loss is not None}
        == {name: each.loss for name, each in release.lost.quasi.items()}
        if release.lost is not None
        else False
    )
    assert sum(size.after for size in facts.sizes) == pytest.approx(1)


@pytest.mark.parametrize("form", [*FORMS])
def test_every_form_has_a_report(form: str, tmp_path: Path) -> None:
    """Of what was written: in memory, and from the files; and no chance is more than certain."""
    written = sf.publish(people(11, 90), policy=policy_of(form), seed=1).write(tmp_path / "out")
    whole = sf.report(written, made=MADE)
    assert whole.facts.outcome == "met"
    Page(whole.html("external"))
    files = sf.report(tmp_path / "out", policy_of(form), written.manifest, original=people(11, 90), made=MADE)
    assert files.json("external") == whole.json("external")
    document = (tmp_path / "out" / "release.json").read_bytes()
    assert whole.facts.fingerprint == hashlib.sha256(document).hexdigest()
    assert whole.facts.files.keys() == {file.name for file in written.files} - {"release.json"}
    risk = whole.facts.risk
    assert risk is not None and 0 < risk.mean <= risk.worst <= 1 and all(each.after <= 1 for each in risk.thresholds)


def test_what_is_not_written_cannot_be_signed(report: sf.Report) -> None:
    """A fingerprint is that of files, and a signature speaks of these."""
    assert report.facts.outcome == "met" and not report.facts.fingerprint
    assert "Write the release, and sign a report of what was written" in report.html()
    assert "release under conditions" not in report.html() and "What was done to each column" in report.html()


def test_a_run_without_a_release_has_a_report_that_says_why() -> None:
    policy = {**policy_of("generalized"), "privacy": [{"model": "distinct-l", "l": 9}]}
    with pytest.raises(sf.Infeasible) as found:
        sf.publish(people(11, 90), policy=policy)
    report = sf.report(found.value, made=MADE)
    assert report.facts.outcome == "infeasible" and "Cannot be promised" in report.html()
    assert "release under conditions" not in report.html()
    Page(report.html())
    assert "Cannot be promised" in report.markdown()
    with pytest.raises(sf.InputError, match="a report tells of a release"):
        sf.report(sf.InputError("no such file"))


def test_hostile_names_and_values_are_inert() -> None:
    evil = "<script>alert(1)</script>"
    frame = people(11, 90).rename({"disease": evil}).with_columns(pl.col(evil).replace("d0", "</style><b onclick=x>|`"))
    policy = policy_of("generalized")
    columns = {**policy["columns"], evil: policy["columns"]["disease"]}
    del columns["disease"]
    report = sf.report(sf.publish(frame, policy={**policy, "columns": columns}, seed=1), made=MADE)
    page = Page(report.html())
    assert not {"script", "b"} & {*page.tags}
    assert not re.search(r"(?<!\\)<(script|/style|b )", report.markdown())


def test_facts_are_as_their_schema_says(report: sf.Report) -> None:
    schema = sf.facts_schema()
    for edition in ("internal", "external"):
        document = json.loads(report.json(edition))
        assert not [*faults(document, schema, schema)]


def test_where_it_is_written(report: sf.Report, tmp_path: Path) -> None:
    for name in ("r.html", "r.md", "r.json"):
        assert report.save(tmp_path / name).read_text(encoding="utf-8")
    if os.name == "posix":
        assert (tmp_path / "r.html").stat().st_mode & 0o077 == 0
    report.save(tmp_path / "r.html", "external")
    assert "EXTERNAL" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["r.html", "r.json", "r.md"]
    with pytest.raises(sf.InputError, match=r"a report ends with \.html, \.md, \.json"):
        report.save(tmp_path / "r.pdf")
    assert "<iframe" in report._repr_html_() and "sandbox" in report._repr_html_()


def test_what_is_hidden_in_a_file_is_found_as_by_an_audit(tmp_path: Path) -> None:
    folder = hidden.written(tmp_path, kind="csv")
    policy = policy_for(hidden.PLAIN, hidden.PROMISE, **hidden.WHOLE)
    assert sf.report(folder, policy).facts.outcome == "met"
    hidden.forge(folder, lambda data: data.replace(b"\n", b"\r\n"))
    facts = sf.report(folder, policy).facts
    assert facts.outcome == "not met" and facts.problems == sf.audit(folder, policy).problems != ()


def test_only_what_was_written_can_be_signed(release: sf.Release, report: sf.Report, tmp_path: Path) -> None:
    assert not report.facts.fingerprint and "Write the release, and sign a report" in report.html()
    written = release.write(tmp_path / "out")
    facts = sf.report(written, made=MADE).facts
    assert facts.fingerprint == hashlib.sha256((tmp_path / "out" / "release.json").read_bytes()).hexdigest()
    given = (tmp_path / "out", release.source.policy, written.manifest)
    assert facts == sf.report(*given, original=release.source, made=MADE).facts
