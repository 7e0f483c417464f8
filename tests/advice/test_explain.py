"""An explanation says what was done and why, what would work, and what fails: every number is that of the release."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from tests.measures.test_every_form import policy_of
from tests.release.test_fits import people
from tests.support.json_schema import faults


@pytest.fixture(scope="module")
def release() -> sf.Release:
    return sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)


def titles(said: sf.Explanation) -> list[str]:
    return [part.title for part in said.parts()]


def lines(said: sf.Explanation, language: str = "en") -> str:
    return "\n".join(line for part in said.parts(language) for line in part.lines)


def test_of_a_release_every_column_says_what_was_done_why_and_what_it_cost(release: sf.Release) -> None:
    said = sf.explain(release)
    assert said.about == "release" and titles(said)[:3] == [
        "Criterion met",
        "What was promised",
        "What was done to each column, and why",
    ]
    columns = {column.name: column for column in said.facts.columns}
    table = release.table.cast(pl.String)
    original = people(11, 90)
    for name in ("age", "zip", "sex"):
        assert (columns[name].cells, columns[name].values) == (table[name].n_unique(), original[name].n_unique())
        assert columns[name].loss == pytest.approx(release.lost.quasi[name].loss if release.lost else None)
    [disease] = [line for line in said.parts()[2].lines if line.startswith("disease")]
    titled = [criterion.title for criterion in said.facts.criteria if criterion.on == "disease"]
    assert all(title in disease for title in titled)
    assert "<Explanation of a release: met" in repr(said) and str(said) == said.text()


def test_what_made_it_necessary_is_what_the_table_as_it_is_would_break(release: sf.Release) -> None:
    said = sf.explain(release)
    before = sf.audit(people(11, 90), release.source.policy, whole=True)
    raw = {(each.promise, each.on): each.violating_rows for each in before.criteria}
    for criterion in said.facts.criteria:
        if criterion.asked:
            assert criterion.raw == raw[criterion.title, criterion.on]
    needed = {title for column in said.facts.columns if column.role == "quasi" for title in column.promises}
    assert needed == {title for (title, _), rows in raw.items() if rows}
    easy = sf.explain(pl.DataFrame({"age": [1, 1, 2, 2], "s": list("abab")}), _easy()).facts
    assert easy.outcome == "met" and not next(column.promises for column in easy.columns if column.role == "quasi")


def _easy() -> dict[str, Any]:
    columns = {"age": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
    return {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "distinct-l", "l": 2}]}


@pytest.mark.parametrize("form", [*FORMS])
def test_every_form_from_files_and_in_both_languages(form: str, tmp_path: Path) -> None:
    release = sf.publish(people(11, 90), policy=policy_of(form), seed=1)
    written = release.write(tmp_path / "out")
    said = sf.explain(tmp_path / "out", release.source.policy, written.manifest, original=people(11, 90))
    assert said.facts.outcome == "met"
    for language in ("en", "de"):
        text = lines(said, language)
        assert not re.search(r"\{[a-z_]+\}", text) and "anonymous" not in text
    schema = sf.facts_schema()
    assert not [*faults(json.loads(sf.Report(said.facts).json()), schema, schema)]


def test_full_domain_levels_are_told(tmp_path: Path) -> None:
    policy = {**policy_of("generalized"), "partition": {"method": "lattice"}}
    release = sf.publish(people(11, 90), policy=policy, seed=1)
    said = sf.explain(release)
    for column in said.facts.columns:
        if column.role == "quasi":
            assert (column.level, column.height) == release.levels[column.name]
            assert f"All rows show level {column.level} of {column.height}." in lines(said)


def test_a_policy_that_is_kept_says_what_would_be_done() -> None:
    said = sf.explain(people(11, 90), policy_of("generalized"), seed=1)
    assert said.about == "policy" and titles(said)[:2] == ["The promise can be kept", "What would be done"]
    assert "Method mondrian, form generalized." in lines(said) and "Nothing was published" in lines(said)


def test_one_group_that_fails(release: sf.Release) -> None:
    greedy = {**policy_of("generalized"), "privacy": [{"model": "k-anonymity", "k": 40}]}
    table = release.table
    said = sf.explain(table, greedy, bare=True, group=1)
    sizes = table.cast(pl.String).group_by("age", "zip", "sex").len().sort("len")
    group = said.facts.criteria[0].groups[0]
    assert (said.about, group.size, group.add, group.leave) == (
        "group",
        sizes["len"][0],
        40 - sizes["len"][0],
        group.size,
    )
    shown = table.cast(pl.String).filter(**group.shows).height
    assert shown == group.size and group.row is not None
    assert table.cast(pl.String).row(group.row - 1, named=True).items() >= group.shows.items()
    assert f"It would be kept if {group.add} more showed the same." in lines(said)
    second = sf.explain(table, greedy, bare=True, group=2).facts.criteria[0].groups
    assert len(second) == 2 and (second[1].size or 0) >= (group.size or 0)
    far = sf.explain(table, greedy, bare=True, group=99)
    assert "There are not so many" in lines(far)
    with pytest.raises(sf.InputError, match="1 is the worst one"):
        sf.explain(table, greedy, bare=True, group=0)
    fine = sf.explain(release, group=1)
    assert "No promise fails" in lines(fine) and len(fine.parts()) > 1


def test_audits_and_errors_explain_themselves(release: sf.Release) -> None:
    greedy = {**policy_of("generalized"), "privacy": [{"model": "distinct-l", "l": 9}]}
    audit = sf.audit(release.table, greedy, groups=1)
    told = sf.explain(audit)
    assert "Criterion not met" in titles(told) and "reached" in lines(told)
    with pytest.raises(sf.AuditFailed) as failed:
        sf.audit(release.table, greedy).raise_for_failure()
    assert "Group 1 of distinct-l (l=9) on disease" in sf.explain(failed.value).text()
    with pytest.raises(sf.Infeasible) as found:
        sf.publish(people(11, 90), policy=greedy)
    said = sf.explain(found.value)
    assert said.facts.outcome == "infeasible" and "What would work" in titles(said)
    [change] = said.facts.relaxations
    assert found.value.nearest is not None
    assert change.policy["privacy"] == [part.as_dict() for part in found.value.nearest.parts]
    with pytest.raises(sf.InputError):
        sf.explain(sf.InputError("no such file"))


def test_the_external_edition_has_no_group_and_nothing_of_the_original(release: sf.Release) -> None:
    facts = sf.explain(release, group=2).facts
    assert any(criterion.groups for criterion in facts.criteria)
    external = sf.Report(facts).edition("external")
    assert not any(criterion.groups or criterion.raw is not None for criterion in external.criteria)
    assert not any(column.values or column.promises or column.level for column in external.columns)


def test_nearly_alike_is_in_the_report_in_both_languages() -> None:
    frame = pl.DataFrame({"q": ["x"] * 40, "s": ["a"] * 39 + ["b"]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 2}],
    }
    with pytest.warns(sf.SfumatoWarning, match="39 of 40"):
        release = sf.publish(frame, policy=policy, seed=1)
    report = sf.report(release)
    for text in (report.html(), report.markdown("external"), sf.explain(release).text()):
        assert "In the worst group 39 of 40 rows have the same “s”" in text
    assert "haben 39 von 40 Zeilen dieselbe Angabe „s“" in report.html("external", "de")
    balanced = sf.report(sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1))
    assert "Nearly alike" not in balanced.html() and not balanced.facts.lopsided
