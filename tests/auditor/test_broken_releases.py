"""Releases broken by hand in one cell, one row, one count or one byte: each is caught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from sfumato.errors import AuditFailed
from sfumato.policy.document import Policy
from sfumato.release.documents import Manifest
from tests.support.auditing import blocks, manifest_of, policy_of, verdicts, write_release, write_table
from tests.support.sound_release import POLICY, TABLE, edit, with_cell


def rewrite(folder: Path, frame: pl.DataFrame) -> Audit:
    """Replace the table and make everything but the manifest fit it again."""
    write_release(folder, frame, POLICY)
    return audit(folder, POLICY)


def test_a_sound_release_holds(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    result = audit(folder, POLICY, manifest)
    assert result.holds, result.summary()
    assert result.problems == ()
    assert (result.rows, result.groups, result.suppressed) == (10, 3, 0)
    assert result.raise_for_failure() is result
    assert audit(str(folder), POLICY, manifest.model_dump()).holds


def test_t_is_undecidable_without_the_manifest(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    result = audit(folder, POLICY)
    assert verdicts(result) == ["holds", "holds", "undecidable"]
    assert not result.holds
    assert "manifest" in result.criteria[2].needs
    with pytest.raises(AuditFailed):
        result.raise_for_failure()
    assert audit(folder, POLICY, whole=True).holds
    assert audit(folder, POLICY, manifest, whole=True).holds


def test_one_byte_of_the_table(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    table = folder / "table.csv"
    raw = bytearray(table.read_bytes())
    raw[raw.index(b"ache")] = ord("A")
    table.write_bytes(bytes(raw))
    result = audit(folder, POLICY, manifest)
    assert not result.holds
    assert any("SHA-256" in problem for problem in result.problems)
    assert any("more often" in problem for problem in result.problems)


def test_one_byte_of_the_document(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    path = folder / "release.json"
    path.write_bytes(path.read_bytes() + b" ")
    result = audit(folder, POLICY, manifest)
    assert len(result.problems) == 2
    assert "its bytes are more than its settings" in result.problems[0]
    assert result.problems[1] == "the manifest belongs to another release.json than the one found"


@pytest.mark.parametrize("row", range(10))
def test_one_sensitive_cell(release: tuple[Path, Manifest], row: int) -> None:
    folder, _ = release
    other = "cold" if TABLE["s"][row] != "cold" else "flu"
    changed = with_cell(TABLE, row, "s", other)
    write_release(folder, changed, POLICY)
    result = audit(folder, POLICY, manifest_of(folder, TABLE, POLICY))
    assert not result.holds
    assert any("more often" in problem for problem in result.problems)
    assert any("less often" in problem for problem in result.problems)


@pytest.mark.parametrize("row", range(10))
def test_one_quasi_cell(release: tuple[Path, Manifest], row: int) -> None:
    folder, _ = release
    assert not rewrite(folder, with_cell(TABLE, row, "q", "g9")).criteria[0].holds


@pytest.mark.parametrize("row", range(10))
def test_one_row_less(release: tuple[Path, Manifest], row: int) -> None:
    folder, _ = release
    changed = TABLE[[each for each in range(10) if each != row]]
    write_release(folder, changed, POLICY)
    result = audit(folder, POLICY, manifest_of(folder, TABLE, POLICY))
    assert not result.holds
    assert any("do not add up" in problem for problem in result.problems)


def test_one_row_more_than_described(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    write_table(folder / "table.csv", pl.concat([TABLE, TABLE[:1]]))
    problems = audit(folder, POLICY).problems
    assert "the table has 11 rows, release.json says 10" in problems
    assert "the table has 11 rows, release.json counts 10 published" in problems


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda d: d["rows"].update(published=11), "counts 11 published"),
        (lambda d: d["rows"].update(suppressed=1), "do not add up"),
        (lambda d: d["rows"].update(dropped=1), "do not add up"),
        (lambda d: d["tables"][0].update(rows=9), "release.json says 9"),
        (lambda d: d["tables"][0].update(columns=["s", "q"]), "columns"),
        (lambda d: d["tables"][0].update(sha256="0" * 64), "SHA-256"),
        (lambda d: d["tables"][0].update(sha256=None), "SHA-256"),
        (lambda d: d["dictionary"]["q"]["values"].pop("g1"), "published values that are not in the data dictionary: 1"),
        (lambda d: d["dictionary"].pop("q"), "does not explain"),
        (lambda d: d.update(group_id="group"), "named as the group id"),
        (lambda d: d.update(group_id="q"), "named as the group id"),
    ],
)
def test_one_entry_of_the_document(
    release: tuple[Path, Manifest], change: Callable[[dict[str, Any]], None], complaint: str
) -> None:
    folder, _ = release
    edit(folder, change)
    result = audit(folder, POLICY, manifest_of(folder, TABLE, POLICY))
    assert not result.holds
    assert any(complaint in problem for problem in result.problems), result.problems


@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("step", [-1, 1])
def test_one_count_of_the_manifest(release: tuple[Path, Manifest], column: int, step: int) -> None:
    folder, manifest = release
    plain = manifest.model_dump(mode="json")
    plain["sensitive"]["s"]["counts"][column] += step
    assert audit(folder, POLICY, manifest).holds
    assert not audit(folder, POLICY, plain).holds


def test_another_policy_than_the_manifest_says(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    weaker = policy_of({"model": "k-anonymity", "k": 2})
    result = audit(folder, weaker, manifest)
    assert result.problems == ("the manifest belongs to another policy than the one given",)
    assert not result.holds
    assert audit(folder, weaker).holds


def test_a_manifest_without_the_column(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    result = audit(folder, POLICY, manifest.model_copy(update={"sensitive": {}}))
    assert verdicts(result)[2] == "undecidable"
    assert any("does not know" in problem for problem in result.problems)


def suppressed_release(folder: Path, policy: Policy) -> tuple[pl.DataFrame, Manifest]:
    original = pl.concat([TABLE, blocks("ache")])
    return original, write_release(folder, TABLE, policy, original=original, suppressed=1)


def test_suppressed_rows_count_in_the_reference(tmp_path: Path) -> None:
    """flu 4, cold 4, ache 3 of 11; the class flu 2, cold 2: 3/11 away. Of the table itself it is 1/5 away."""
    _, manifest = suppressed_release(tmp_path, POLICY)
    result = audit(tmp_path, POLICY, manifest)
    assert result.holds
    assert result.suppressed == 1
    assert str(result.criteria[2].level) == "3/11"
    bounds = audit(tmp_path, POLICY).criteria[2].bounds
    assert bounds is not None
    assert (str(bounds.low), str(bounds.high)) == ("6/55", "16/55")  # 1/5 ± 1/11


def test_whole_is_refused_when_the_release_says_otherwise(tmp_path: Path) -> None:
    suppressed_release(tmp_path, POLICY)
    result = audit(tmp_path, POLICY, whole=True)
    assert verdicts(result)[2] == "undecidable"
    assert any("whole=True" in problem for problem in result.problems)


def test_more_values_than_originally_are_caught_with_suppression(tmp_path: Path) -> None:
    original, _ = suppressed_release(tmp_path, POLICY)
    swapped = with_cell(TABLE, 0, "s", "cold")
    write_release(tmp_path, swapped, POLICY, original=original, suppressed=1)
    result = audit(tmp_path, POLICY, manifest_of(tmp_path, original, POLICY))
    assert any("more often" in problem for problem in result.problems)


def test_kept_suppressed_rows_are_judged_and_counted(tmp_path: Path) -> None:
    policy = policy_of({"model": "k-anonymity", "k": 2}, suppression={"limit": "0.2"})
    frame = pl.concat([TABLE, pl.DataFrame({"q": ["*", "*"], "s": ["flu", "ache"]})])
    manifest = write_release(tmp_path, frame, policy, suppressed=2, kept=True)
    assert audit(tmp_path, policy, manifest).holds
    alone = pl.concat([TABLE, pl.DataFrame({"q": ["*"], "s": ["flu"]})])
    manifest = write_release(tmp_path, alone, policy, suppressed=1, kept=True)
    assert verdicts(audit(tmp_path, policy, manifest)) == ["fails", "holds"]
    manifest = write_release(tmp_path, TABLE, policy, suppressed=1, kept=True)
    assert any(
        "were kept: 1 by release.json, 0 in" in problem for problem in audit(tmp_path, policy, manifest).problems
    )
