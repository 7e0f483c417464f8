"""What a release has no room for: columns, names, texts and bytes that no policy speaks of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.errors import InputError
from sfumato.release.documents import Manifest
from sfumato.table.formats import FORMATS
from tests.support.auditing import policy_of, verdicts, write_release
from tests.support.sound_release import POLICY, TABLE, edit


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
