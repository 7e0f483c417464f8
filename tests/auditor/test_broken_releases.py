"""Releases broken by hand in one cell, one row, one count or one byte: each is caught."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from sfumato.errors import AuditFailed, InputError
from sfumato.policy.document import Policy
from sfumato.release.documents import Manifest
from sfumato.table.formats import FORMATS
from tests.support.auditing import blocks, manifest_of, policy_of, verdicts, write_release, write_table

TABLE = blocks("flu cold flu cold", "flu cold ache", "ache cold flu")
POLICY = policy_of(
    {"model": "k-anonymity", "k": 3},
    {"model": "simple-l", "l": 2},
    {"model": "t-closeness", "t": "0.3"},
    suppression={"limit": "0.1"},
)


@pytest.fixture
def release(tmp_path: Path) -> tuple[Path, Manifest]:
    folder = tmp_path / "out"
    return folder, write_release(folder, TABLE, POLICY)


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "release.json"
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n")


def rewrite(folder: Path, frame: pl.DataFrame) -> Audit:
    """Replace the table and make everything but the manifest fit it again."""
    write_release(folder, frame, POLICY)
    return audit(folder, POLICY)


def with_cell(frame: pl.DataFrame, row: int, column: str, value: str | None) -> pl.DataFrame:
    cells = frame[column].to_list()
    cells[row] = value
    return frame.with_columns(pl.Series(column, cells, dtype=pl.String))


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


def test_columns_that_should_not_or_should_be_there(tmp_path: Path) -> None:
    identifier = {"name": {"role": "identifier"}, "ward": {"role": "insensitive"}}
    policy = policy_of({"model": "k-anonymity", "k": 1}, columns=identifier)

    def problems(frame: pl.DataFrame) -> list[str]:
        return list(audit(frame, policy).problems)

    assert problems(TABLE) == []
    assert any("identifier is published" in each for each in problems(TABLE.with_columns(name=pl.lit("n"))))
    assert any("not in the policy" in each for each in problems(TABLE.with_columns(index=pl.lit("1"))))
    assert any("missing from the release" in each for each in problems(TABLE.drop("q")))
    without = audit(TABLE.drop("s"), policy_of({"model": "distinct-l", "l": 2}))
    assert verdicts(without) == ["undecidable"]
    assert without.criteria[0].needs == "the column 's' in the release"


def test_pseudonyms_must_all_differ() -> None:
    policy = policy_of({"model": "k-anonymity", "k": 1}, columns={"n": {"role": "identifier", "pseudonym": True}})
    names = [f"p{index}" for index in range(10)]
    assert audit(TABLE.with_columns(n=pl.Series(names)), policy).holds
    assert not audit(TABLE.with_columns(n=pl.Series(["p0", *names[:9]])), policy).holds
    assert not audit(TABLE.with_columns(n=pl.Series([None, *names[:9]])), policy).holds


def test_names_are_no_pseudonyms(tmp_path: Path) -> None:
    policy = policy_of({"model": "k-anonymity", "k": 1}, columns={"n": {"role": "identifier", "pseudonym": True}})
    for form, fine in (("Eve {}", False), ("{:032x}", True)):
        names = [form.format(index) for index in range(10)]
        write_release(tmp_path / "out", TABLE.with_columns(n=pl.Series(names)), policy)
        assert audit(tmp_path / "out", policy).holds is fine


def test_a_release_without_rows_is_a_problem(tmp_path: Path) -> None:
    empty = TABLE.clear()
    for result in (audit(empty, POLICY), audit(empty, POLICY, whole=True)):
        assert not result.holds
        assert "the release has no rows" in result.problems
        assert verdicts(result) == ["undecidable"] * 3
    write_release(tmp_path, empty, POLICY)
    assert not audit(tmp_path, POLICY).holds


def test_a_folder_with_other_things_in_it_does_not_hold(release: tuple[Path, Manifest]) -> None:
    folder, manifest = release
    (folder / "original.csv").write_text("x", "utf-8")
    result = audit(folder, POLICY, manifest)
    assert result.problems == ("the folder holds 1 thing that release.json does not name",)


def test_free_places_of_the_document_hold_nothing(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    before = (folder / "release.json").read_text("utf-8")
    changes: list[Callable[[dict[str, Any]], None]] = [
        lambda document: document["form"].update(original="Eve has flu"),
        lambda document: document.update(promise=[{"model": "Eve has flu"}]),
        lambda document: document["dictionary"].update(name={"role": "quasi", "values": {"Eve": "flu"}}),
        lambda document: document["dictionary"]["q"]["values"].update(Eve="flu"),
        lambda document: document["dictionary"].update(s={"role": "sensitive", "values": {"Eve": "flu"}}),
    ]
    for change in changes:
        (folder / "release.json").write_text(before, "utf-8")
        assert audit(folder, policy_of({"model": "k-anonymity", "k": 3})).holds
        edit(folder, change)
        problems = audit(folder, policy_of({"model": "k-anonymity", "k": 3})).problems
        assert problems
        assert not any("Eve" in problem or "flu" in problem for problem in problems)


def test_missing_and_suppressed_are_written_one_way(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    edit(folder, lambda document: document["notation"].update(missing="flu"))
    with pytest.raises(InputError, match="notation"):
        audit(folder, POLICY)


def test_a_table_file_has_no_hidden_places(tmp_path: Path) -> None:
    import gzip

    import pyarrow.parquet

    policy = policy_of({"model": "k-anonymity", "k": 3})
    folder = tmp_path / "out"
    write_release(folder, TABLE, policy)
    table = folder / "table.csv"

    def problems_with(data: bytes) -> tuple[str, ...]:
        table.write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        edit(folder, lambda document: document["tables"][0].update(sha256=digest))
        return audit(folder, policy).problems

    assert problems_with(table.read_bytes()) == ()
    assert any("compressed" in problem for problem in problems_with(gzip.compress(table.read_bytes())))
    FORMATS["parquet"].write(TABLE, tmp_path / "plain.parquet")
    assert any("not the csv file" in problem for problem in problems_with((tmp_path / "plain.parquet").read_bytes()))
    arrow = TABLE.to_arrow().replace_schema_metadata({"original": "Eve has flu"})
    pyarrow.parquet.write_table(arrow, tmp_path / "more.parquet")
    edit(folder, lambda document: document["tables"][0].update(kind="parquet", file="table.parquet"))
    table = table.rename(folder / "table.parquet")
    assert problems_with((tmp_path / "plain.parquet").read_bytes()) == ()
    assert any("metadata" in problem for problem in problems_with((tmp_path / "more.parquet").read_bytes()))
    TABLE.write_parquet(tmp_path / "older.parquet")
    assert any("written with polars" in problem for problem in problems_with((tmp_path / "older.parquet").read_bytes()))


def test_a_link_is_no_table(tmp_path: Path) -> None:
    policy = policy_of({"model": "k-anonymity", "k": 3})
    folder = tmp_path / "out"
    write_release(folder, TABLE, policy)
    (folder / "table.csv").rename(tmp_path / "elsewhere.csv")
    try:
        (folder / "table.csv").symlink_to(tmp_path / "elsewhere.csv")
    except OSError:
        pytest.skip("this system makes no links")
    assert any("link" in problem for problem in audit(folder, policy).problems)


def test_times_of_day_are_judged_to_the_last_digit() -> None:
    moments = pl.Series("q", [1, 2, 3], dtype=pl.Int64).cast(pl.Time)
    result = audit(pl.DataFrame({"q": moments, "s": ["a", "b", "c"]}), policy_of({"model": "k-anonymity", "k": 3}))
    assert result.reached.k == 1


def test_intervals_turned_round_are_no_bins() -> None:
    policy = policy_of({"model": "distinct-l", "l": 3}, sensitive={"s": {"type": "number", "difference": 10}})
    frame = pl.DataFrame({"q": ["a"] * 3, "s": ["[5, -100]", "[6, -100]", "[7, -100]"]})
    assert audit(frame, policy).criteria[0].verdict == "fails"
    assert audit(frame.with_columns(s=pl.Series(["[5, 6]", "[20, 20]", "[40, 45]"])), policy).holds


def test_a_missing_value_has_no_name() -> None:
    promise = {"model": "pd-recursive", "c": 1, "l": 2, "disclosable": [""]}
    frame = pl.DataFrame({"q": ["a"] * 4, "s": [None, None, None, "flu"]})
    assert audit(frame, policy_of(promise)).criteria[0].verdict == "fails"


def test_a_table_file_finds_its_document(release: tuple[Path, Manifest], tmp_path: Path) -> None:
    folder, manifest = release
    assert audit(folder / "table.csv", POLICY, manifest).holds
    (tmp_path / "a.csv").write_bytes((folder / "table.csv").read_bytes())
    assert audit(tmp_path / "a.csv", POLICY).suppressed is None
    (tmp_path / "a.release.json").write_bytes((folder / "release.json").read_bytes())
    assert audit(tmp_path / "a.csv", POLICY, manifest).holds
    write_table(tmp_path / "a.csv", with_cell(TABLE, 0, "s", "ache"))
    assert not audit(tmp_path / "a.csv", POLICY, manifest).holds


def test_parquet_and_frames_give_the_same_answer(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet")
    write_table(tmp_path / "a.csv", TABLE)
    answers = [audit(each, POLICY, whole=True) for each in (tmp_path / "a.parquet", tmp_path / "a.csv", TABLE)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].holds
    assert audit(TABLE.to_pandas(), POLICY, whole=True) == audit(TABLE.to_arrow(), POLICY, whole=True) == answers[0]


def test_a_manifest_serves_a_bare_table_too(release: tuple[Path, Manifest]) -> None:
    _, manifest = release
    assert audit(TABLE, POLICY, manifest).holds
    assert not audit(pl.concat([TABLE, TABLE]), POLICY, manifest).holds
    assert not audit(with_cell(TABLE, 0, "s", "new"), POLICY, manifest).holds


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("release.json", b"{", "not valid JSON"),
        ("release.json", b"[]", "not a document"),
        ("release.json", b"\xff\xfe", "not UTF-8"),
        ("release.json", b'{"format": "sfumato-release", "format": "x"}', "stands twice"),
        ("release.json", b'{"format": "sfumato-release", "version": 3}', "newer"),
        ("release.json", b'{"format": "sfumato-release", "version": 2}', "rows: Field required"),
        ("table.csv", b"", "empty"),
        ("table.csv", b'q,s\n"x', "table.csv"),
        ("table.csv", b"q,s\nx\n", "line 2"),
    ],
)
def test_damaged_files_are_clear_errors(
    release: tuple[Path, Manifest], name: str, content: bytes, complaint: str
) -> None:
    folder, _ = release
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        audit(folder, POLICY)


def test_what_is_not_there_is_a_clear_error(release: tuple[Path, Manifest], tmp_path: Path) -> None:
    folder, _ = release
    (folder / "table.csv").unlink()
    with pytest.raises(InputError, match="no such file"):
        audit(folder, POLICY)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"has no release\.json"):
        audit(tmp_path / "empty", POLICY)
    with pytest.raises(InputError, match="no such release"):
        audit(tmp_path / "nothing", POLICY)
    with pytest.raises(InputError, match="no such manifest"):
        audit(TABLE, POLICY, tmp_path / "nothing.json")
    with pytest.raises(InputError):
        audit(7, POLICY)


def test_other_forms_and_paths_are_refused(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    edit(folder, lambda document: document["form"].update(publish="mosaic"))
    with pytest.raises(InputError, match="form generalized"):
        audit(folder, POLICY)
    edit(folder, lambda document: document["tables"][0].update(file="../table.csv"))
    with pytest.raises(InputError, match="tables"):
        audit(folder, POLICY)


def test_an_unknown_column_of_lists_is_a_clear_error() -> None:
    with pytest.raises(InputError, match="'s'"):
        audit(pl.DataFrame({"q": ["a"], "s": [["x"]]}), POLICY)


def test_claims_of_the_release_do_not_matter(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    edit(folder, lambda document: document.update(promise=[{"model": "k-anonymity", "k": 100}]))
    result = audit(folder, policy_of({"model": "k-anonymity", "k": 3}))
    assert result.holds
    assert any("another promise" in note for note in result.notes)
