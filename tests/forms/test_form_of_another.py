"""A form of another package: its sections, its words and its view come with it, and its secret with the manifest.

It shows quasi-identifiers as they are and sensitive values in a random order within groups, but never says which rows
are a group: that is drawn, and only the manifest tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest

import sfumato as sf
from sfumato.extend import (
    NATIVE,
    Fit,
    Form,
    Material,
    Model,
    Opened,
    Phrases,
    Published,
    Section,
    Seen,
    refused,
)
from sfumato.forms.permuted import PermutedPublisher
from sfumato.policy.document import Policy
from tests.support.form_tables import FRAME, policy_for
from tests.support.installed import install

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")
SIMPLE = {"model": "simple-l", "l": 2, "on": "disease"}


class GroupsShown(Section):
    groups: int


class MembersSealed(Section):
    members: tuple[tuple[int, ...], ...] = ()


class Unnamed(Form):
    publish: Literal["unnamed"] = "unnamed"
    shown: ClassVar[type[Section]] = GroupsShown
    sealed: ClassVar[type[Section]] = MembersSealed
    phrases: ClassVar[Phrases] = Phrases("in a random order within a group that is not named")


@dataclass(frozen=True)
class UnnamedPublisher:
    options: Unnamed

    def fit(self, model: Model) -> Fit:
        return refused("rows are told apart") if model.counts_rows else NATIVE

    def publish(self, material: Material) -> Published:
        made = PermutedPublisher(sf.Permuted()).publish(material)
        group = made.first["group"].to_numpy()
        members = tuple(tuple(np.flatnonzero(group == each).tolist()) for each in np.unique(group))
        words = {name: dict(entry) for name, entry in made.dictionary.items() if name != "group"}
        for name in material.policy.sensitive:
            words[name]["technique"] = Unnamed.phrases.of_secret(material.policy.columns[name])
        return replace(
            made,
            tables={"table": made.first.drop("group")},
            group_id=None,
            dictionary=words,
            public=GroupsShown(groups=len(members)),
            sealed=MembersSealed(members=members),
        )


def see_unnamed(opened: Opened, policy: Policy) -> Seen:
    (table,) = opened.tables.values()
    seen = Seen(
        table,
        singled=(table.select(policy.quasi),),
        needs="which rows share a group, which only the internal manifest tells",
    )
    sealed = opened.sealed(MembersSealed)
    if sealed is None:
        return seen
    rows = np.array([row for each in sealed.members for row in each], dtype=np.int64)
    if len(sealed.members) != opened.shown(GroupsShown).groups or sorted(rows) != [*range(table.height)]:
        return replace(seen, problems=("the manifest tells of other groups than the release has",))
    sizes = [len(each) for each in sealed.members]
    return replace(seen, needs="", windows=(rows, np.repeat(np.arange(len(sizes)), sizes)))


PIECES = {"sfumato.form_settings": Unnamed, "sfumato.forms": UnnamedPublisher, "sfumato.views": see_unnamed}


@pytest.fixture(autouse=True)
def _another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "unnamed", PIECES)


POLICY = policy_for(sf.Permuted(), SIMPLE) | {"form": {"publish": "unnamed"}, "partition": {"method": "anatomy"}}


def written(tmp_path: Path) -> Path:
    release = sf.publish(FRAME, policy=POLICY, seed=1)
    assert release.judged().holds
    release.write(tmp_path / "out", kind="csv")
    return tmp_path / "out"


def amend(path: Path, change: Mapping[str, Any]) -> None:
    document = {**json.loads(path.read_text(encoding="utf-8")), **change}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def test_only_who_has_the_manifest_can_decide(tmp_path: Path) -> None:
    folder = written(tmp_path)
    outside = sf.audit(folder, POLICY)
    assert not outside.problems
    assert [(each.verdict, each.needs) for each in outside.criteria if each.model == "simple-l"] == [
        ("undecidable", "which rows share a group, which only the internal manifest tells")
    ]
    assert sf.audit(folder, POLICY, tmp_path / "out.internal.json").holds


def test_its_sections_are_in_both_documents(tmp_path: Path) -> None:
    folder = written(tmp_path)
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    manifest = json.loads((tmp_path / "out.internal.json").read_text(encoding="utf-8"))
    members = manifest["sealed"]["members"]
    assert document["shown"] == {"groups": len(members)} and len(members) > 1
    assert sorted(row for each in members for row in each) == list(range(FRAME.height))
    assert "members" not in json.dumps(document)
    assert "groups" in sf.release_schema()["$defs"]["GroupsShown"]["properties"]


def test_groups_that_break_the_promise_fail(tmp_path: Path) -> None:
    folder = written(tmp_path)
    table = (folder / "table.csv").read_text(encoding="utf-8").splitlines()[1:]
    ill = [row for row, line in enumerate(table) if ",flu," in line]
    well = [row for row in range(len(table)) if row not in ill]
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    groups = document["shown"]["groups"]
    members = [ill, *([row] for row in well[: groups - 2]), well[groups - 2 :]]
    manifest = tmp_path / "out.internal.json"
    amend(manifest, {"sealed": {"members": members}})
    found = sf.audit(folder, POLICY, manifest)
    assert [each.verdict for each in found.criteria if each.model == "simple-l"] == ["fails"] and not found.problems
    amend(manifest, {"sealed": {"members": members[1:]}})
    assert any("other groups" in problem for problem in sf.audit(folder, POLICY, manifest).problems)


def test_nothing_else_can_be_said(tmp_path: Path) -> None:
    folder = written(tmp_path)
    amend(folder / "release.json", {"shown": {"groups": 3, "remark": "Eve has flu"}})
    with pytest.raises(sf.InputError, match="shown: Extra inputs are not permitted"):
        sf.audit(folder, POLICY)
    amend(folder / "release.json", {"shown": {"groups": "Eve has flu"}})
    with pytest.raises(sf.InputError, match="shown: ") as caught:
        sf.audit(folder, POLICY)
    assert "Eve" not in str(caught.value)
    release = sf.publish(FRAME, policy=POLICY, seed=1).write(tmp_path / "again")
    amend(release.manifest, {"sealed": {"rings": []}, "release_sha256": "0" * 64})
    assert any(
        "another release.json" in each for each in sf.audit(tmp_path / "again", POLICY, release.manifest).problems
    )
    release = sf.publish(FRAME, policy=POLICY, seed=1).write(tmp_path / "third")
    amend(release.manifest, {"sealed": {"rings": []}})
    with pytest.raises(sf.InputError, match=r"third\.internal\.json.*\n.*sealed: Extra inputs"):
        sf.audit(tmp_path / "third", POLICY, release.manifest)


@pytest.mark.parametrize("words", ["Eve has flu", sf.Permuted.phrases.secret, sf.Anatomized.phrases.secret])
def test_words_of_another_form_are_found(words: str, tmp_path: Path) -> None:
    folder = written(tmp_path)
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["dictionary"]["disease"]["technique"] = words
    amend(folder / "release.json", document)
    problems = sf.audit(folder, POLICY).problems
    assert any("a technique that is not sfumato's" in problem for problem in problems)
