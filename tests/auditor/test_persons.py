"""Rows per person: holds, fails, undecidable; by group id where there is one, else by what groups show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from pydantic import ValidationError

import sfumato as sf
from sfumato.auditor.audit import audit
from sfumato.fit import NATIVE, Fit
from sfumato.models.contract import Model
from sfumato.partition import registry
from sfumato.partition.contract import Partition, Task
from sfumato.policy.document import Policy
from sfumato.release.documents import Manifest, Persons
from tests.support.auditing import manifest_of, policy_of, verdicts, write_release

PROMISE = {"model": "distinct-l", "l": 2, "on": "s"}
WHO = {"who": {"role": "individual"}}
TABLE = pl.DataFrame({"q": list("aabbcc"), "s": list("xyxyxy"), "group": list("112233")})


def policy(**more: Any) -> Policy:
    return policy_of(PROMISE, columns=WHO, **more)


def told(manifest: Manifest, *rows: Sequence[int], column: str = "who") -> Manifest:
    return manifest.model_copy(update={"persons": Persons(column=column, rows=tuple(map(tuple, rows)))})


def test_rows_of_one_person_in_different_groups(tmp_path: Path) -> None:
    given = policy(form={"group_id": True})
    manifest = told(write_release(tmp_path, TABLE, given, group_id="group"), [0, 2, 5], [1, 3])
    result = audit(tmp_path, given, manifest)
    assert verdicts(result) == ["holds", "holds"]
    assert result.holds
    found = result.criteria[-1]
    assert (found.model, found.on, found.level, found.required) == ("rows-per-person", "who", Fraction(1), "at most 1")
    assert (found.view, found.violating_groups) == ("group id", 0)


def test_rows_of_one_person_in_one_group(tmp_path: Path) -> None:
    given = policy(form={"group_id": True})
    manifest = told(write_release(tmp_path, TABLE, given, group_id="group"), [0, 1], [2, 4])
    result = audit(tmp_path, given, manifest)
    assert verdicts(result) == ["holds", "fails"]
    assert not result.holds
    found = result.criteria[-1]
    assert (found.level, found.violating_groups, found.violating_rows) == (Fraction(2), 1, 2)
    assert found.worst is not None
    assert (found.worst.size, found.worst.values, found.worst.counts) == (2, 1, (2,))
    assert "rows-per-person on who: level 2; broken in groups: 1, with rows: 2" in result.summary()


def test_groups_that_show_the_same_are_one_without_an_id(tmp_path: Path) -> None:
    """a and a are two groups by id, and one class by what they show: there, two of four rows are one person's."""
    frame = TABLE.with_columns(pl.Series("q", list("aaaabb")))
    by_id = policy(form={"group_id": True})
    manifest = told(write_release(tmp_path / "id", frame, by_id, group_id="group"), [0, 2])
    assert audit(tmp_path / "id", by_id, manifest).holds
    plain = policy()
    manifest = told(write_release(tmp_path / "plain", frame.drop("group"), plain), [0, 2])
    result = audit(tmp_path / "plain", plain, manifest)
    assert verdicts(result) == ["holds", "fails"]
    found = result.criteria[-1]
    assert (found.view, found.violating_groups, found.violating_rows) == ("published values", 1, 4)
    assert found.worst is not None
    assert (found.worst.size, found.worst.values, found.worst.counts) == (4, 3, (2, 1, 1))


def test_what_groups_show_is_taken_together(tmp_path: Path) -> None:
    """Equal in one column and different in another is two groups; a missing value is equal to a missing one."""
    given = policy(quasi=("q", "r"))
    frame = pl.DataFrame({"q": list("aaaa"), "r": ["x", "x", None, None], "s": list("uvuv")})
    manifest = write_release(tmp_path, frame, given)
    assert audit(tmp_path, given, told(manifest, [0, 2], [1, 3])).holds
    found = audit(tmp_path, given, told(manifest, [2, 3])).criteria[-1]
    assert (found.verdict, found.violating_rows) == ("fails", 2)


def test_everybody_once(tmp_path: Path) -> None:
    given = policy()
    manifest = told(write_release(tmp_path, TABLE.drop("group"), given))
    assert audit(tmp_path, given, manifest).holds


def test_an_outsider_cannot_tell(tmp_path: Path) -> None:
    given = policy()
    frame = TABLE.drop("group")
    manifest = write_release(tmp_path, frame, given)
    for known in (None, manifest):  # a manifest may be of a policy without such a column
        result = audit(tmp_path, given, known)
        assert verdicts(result) == ["holds", "undecidable"]
        assert not result.holds
        assert "the internal manifest" in result.criteria[-1].needs
    alone = audit(frame, given, told(manifest_of(tmp_path, frame, given)), whole=True)
    assert alone.criteria[-1].verdict == "undecidable"
    assert "release.json" in alone.criteria[-1].needs


def test_a_manifest_that_names_other_rows_or_another_column(tmp_path: Path) -> None:
    given = policy()
    manifest = write_release(tmp_path, TABLE.drop("group"), given)
    assert audit(tmp_path, given, told(manifest, [0, 6])).criteria[-1].verdict == "undecidable"
    other = audit(tmp_path, given, told(manifest, [0, 2], column="else"))
    assert not other.holds
    assert any("'else'" in problem for problem in other.problems)
    with pytest.raises(ValidationError, match="every row once"):
        Persons(column="who", rows=((0, 1), (1, 2)))


def test_the_column_itself_must_not_be_published(tmp_path: Path) -> None:
    given = policy()
    frame = TABLE.drop("group").with_columns(pl.Series("who", list("ijklmn")))
    manifest = told(write_release(tmp_path, frame, given))
    result = audit(tmp_path, given, manifest)
    assert not result.holds
    assert "column 'who': it says whose a row is, and is published" in result.problems


@dataclass(frozen=True)
class _Mixed:
    """Says that it keeps persons apart, and puts rows of one into a group."""

    options: Any

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def fit_persons(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        return Partition.of_each(task.table, np.arange(task.table.rows) // 3)


@pytest.mark.parametrize("form", [sf.Generalized(group_id=True), sf.Permuted(), sf.Anatomized(), sf.Sliced()])
def test_a_release_that_mixes_persons_is_never_made(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the algorithm says of itself, the auditor looks at who shares a group, in every form."""
    monkeypatch.setitem(registry.PARTITIONERS.homes, "anatomy", _Mixed)
    data = pl.DataFrame({"q": [1, 1, 1, 2, 2, 2], "s": list("abcabc"), "who": list("iikllm")})
    columns = {"q": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}, **WHO}
    given = {"columns": columns, "privacy": [PROMISE]}
    with pytest.raises(sf.AuditFailed) as error:
        sf.publish(data, policy=given, partition=sf.Anatomy(), form=form, seed=0)
    (failed,) = [criterion for criterion in error.value.audit.criteria if not criterion.holds]
    assert (failed.model, failed.verdict, failed.violating_groups) == ("rows-per-person", "fails", 2)
