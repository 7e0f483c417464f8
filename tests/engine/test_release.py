"""Making, writing and breaking releases."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.fit import NATIVE, Fit
from sfumato.models.contract import Model
from sfumato.partition import registry
from sfumato.partition.contract import Partition, Task
from sfumato.table.formats import FORMATS

POLICY: dict[str, Any] = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "town": {"role": "quasi"},
        "ward": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}, {"model": "t-closeness", "t": 0.5}],
}


def people(rows: int = 60) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [f"person-{row}" for row in range(rows)],
            "age": [20 + (row * 7) % 50 for row in range(rows)],
            "zip": [f"{2000 + (row * 13) % 40:05}" for row in range(rows)],
            "town": [("Aville", "Btown", "Cfield")[row % 3] for row in range(rows)],
            "ward": [row % 4 for row in range(rows)],
            "disease": [("flu", "cold", "gout", "lupus")[(row * 3 + row // 7) % 4] for row in range(rows)],
        }
    )


@pytest.fixture
def made() -> sf.Release:
    return sf.publish(people(), policy=POLICY, seed=1)


def test_the_published_table(made: sf.Release) -> None:
    table = made.table
    assert isinstance(table, pl.DataFrame)
    assert table.columns == ["age", "zip", "town", "ward", "disease"]
    assert table.height == 60
    assert Counter(table["disease"]) == Counter(people()["disease"])
    assert Counter(zip(table["ward"], table["disease"], strict=True)) == Counter(
        zip(people()["ward"], people()["disease"], strict=True)
    )
    assert table.group_by("age", "zip", "town").len()["len"].min() >= 3  # type: ignore[operator]
    assert 0 < made.loss < 1


def test_what_comes_in_goes_out() -> None:
    import pandas as pd
    import pyarrow as pa

    polars = people()
    for frame, kind in (
        (polars, pl.DataFrame),
        (polars.lazy(), pl.LazyFrame),
        (polars.to_arrow(), pa.Table),
        (polars.to_pandas()[::-1], pd.DataFrame),
    ):
        published = sf.publish(frame, policy=POLICY, seed=1).table
        assert isinstance(published, kind)
    assert list(published.index) == list(range(60)), "no index of the input is published"


def test_the_same_input_and_policy_give_the_same_release_and_only_with_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    first, again = (sf.publish(people(), policy=POLICY).tables["table"] for _ in range(2))
    assert first.equals(again)
    other_policy = sf.publish(people(), policy={**POLICY, "suppression": {"limit": 0.5}}).tables["table"]
    monkeypatch.setenv("SFUMATO_KEY", "another key nobody could guess")
    other_key = sf.publish(people(), policy=POLICY).tables["table"]
    for other in (other_policy, other_key):
        assert not first.equals(other)
        assert first.sort(first.columns).equals(other.sort(first.columns))


def test_rows_do_not_keep_the_order_of_the_input() -> None:
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    published = sf.publish(table, policy=POLICY, seed=2).table
    order = published["ward"].to_numpy()
    assert abs(np.corrcoef(order, np.arange(rows))[0, 1]) < 0.2


def test_two_releases_of_one_table_do_not_share_their_row_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laid side by side, row by row, they would tell more than either: here every person apart."""
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    reordered = dict(reversed(POLICY["columns"].items()))
    hierarchy = tmp_path / "zip.csv"
    by_file = {**POLICY["columns"], "zip": {"role": "quasi", "hierarchy": {"file": str(hierarchy), "header": False}}}
    codes = sorted(set(table["zip"]))

    def released(columns: dict[str, Any], digits: int) -> list[int]:
        hierarchy.write_text("".join(f"{code};{code[:digits]}x;*\n" for code in codes), encoding="utf-8")
        return sf.publish(table, policy={**POLICY, "columns": columns}).tables["table"]["ward"].to_list()

    orders = [released(POLICY["columns"], 4), released(reordered, 4), released(by_file, 4), released(by_file, 3)]
    for one in range(4):
        for other in range(one):
            assert sum(a == b for a, b in zip(orders[one], orders[other], strict=True)) < rows / 20
    assert released(by_file, 3) == orders[3]


def test_group_ids_are_numbered_at_random_and_say_nothing_of_the_input_order() -> None:
    policy = {**POLICY, "form": {"publish": "generalized", "group_id": True}}
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    published = sf.publish(table, policy=policy, seed=3).table
    firsts = published.group_by("group").agg(pl.col("ward").min()).sort("ward")
    ids = firsts["group"].to_numpy()
    assert sorted(ids) == list(range(1, len(ids) + 1))
    assert abs(np.corrcoef(ids, np.arange(len(ids)))[0, 1]) < 0.5


def test_pseudonyms_are_random_and_never_repeat() -> None:
    columns = {**POLICY["columns"], "name": {"role": "identifier", "pseudonym": True}}
    table = people().with_columns(name=pl.lit("the same person"))
    names = sf.publish(table, policy={**POLICY, "columns": columns}, seed=4).table["name"]
    assert names.n_unique() == 60
    assert names.str.len_chars().min() == 32


def test_a_folder_holds_what_is_public_and_the_manifest_lies_beside_it(made: sf.Release, tmp_path: Path) -> None:
    written = made.write(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "out",
        "out.internal.json",
        "release.json",
        "table.parquet",
    ]
    assert written.audit.holds
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "out.internal.json").stat().st_mode) == 0o600
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE((tmp_path / "out" / "release.json").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("name", ["release.csv", "release.parquet", "veröffentlichung ünï.csv"])
def test_one_file_has_its_documents_beside_it(made: sf.Release, tmp_path: Path, name: str) -> None:
    written = made.write(tmp_path / name)
    stem = Path(name).stem
    assert {path.name for path in tmp_path.iterdir()} == {name, f"{stem}.release.json", f"{stem}.internal.json"}
    assert sf.audit(tmp_path / name, POLICY, written.manifest).holds
    outsider = sf.audit(tmp_path / name, POLICY)
    assert [criterion.verdict for criterion in outsider.criteria] == ["holds", "holds", "undecidable"]
    assert not outsider.holds, "undecidable is never a pass"


def test_an_existing_release_is_replaced_only_by_force_and_whole(made: sf.Release, tmp_path: Path) -> None:
    made.write(tmp_path / "out")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(sf.InputError, match="--force"):
        made.write(tmp_path / "out")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    made.write(tmp_path / "out", kind="csv", force=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["release.json", "table.csv"]
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds


def test_the_document_tells_a_recipient_everything_and_an_adversary_nothing(made: sf.Release, tmp_path: Path) -> None:
    made.write(tmp_path / "out", kind="csv")
    text = (tmp_path / "out" / "release.json").read_text(encoding="utf-8")
    document = json.loads(text)
    published = pl.read_csv(tmp_path / "out" / "table.csv", infer_schema=False)
    for name in ("age", "zip", "town"):
        assert set(published[name]) == set(document["dictionary"][name]["values"])
    assert document["rows"] == {"published": 60, "suppressed": 0, "kept": False, "dropped": 0}
    assert "person-" not in text
    for word in ("seed", "key", "sha256-of-input", "flu", "lupus"):
        assert word not in text.replace("sha256", "").lower()


def edit_cell(column: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        table = pl.read_csv(folder / "table.csv", infer_schema=False)
        values = table[column].to_list()
        other = next(value for value in values if value != values[0])
        table.with_columns(pl.Series(column, [other, *values[1:]])).write_csv(folder / "table.csv")

    return edit


def drop_row(folder: Path) -> None:
    lines = (folder / "table.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "table.csv").write_text("".join(lines[:-1]), encoding="utf-8")


def change_count(folder: Path) -> None:
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["rows"]["suppressed"] += 1
    (folder / "release.json").write_text(json.dumps(document), encoding="utf-8")


BREAKS = {
    "quasi cell": edit_cell("zip"),
    "sensitive cell": edit_cell("disease"),
    "insensitive cell": edit_cell("ward"),
    "row": drop_row,
    "count": change_count,
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_release_broken_by_hand_is_caught(made: sf.Release, tmp_path: Path, how: str) -> None:
    made.write(tmp_path / "out", kind="csv")
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds
    BREAKS[how](tmp_path / "out")
    broken = sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json")
    assert not broken.holds
    assert broken.problems
    with pytest.raises(sf.AuditFailed):
        broken.raise_for_failure()


@pytest.mark.parametrize("how", ["quasi cell", "sensitive cell", "row"])
def test_a_bare_table_broken_by_hand_shows_in_its_groups(tmp_path: Path, how: str) -> None:
    """Without any document the break itself must violate the promise: a tight table, one cell or row off."""
    table = pl.DataFrame({"zip": ["1"] * 3 + ["2"] * 3, "disease": ["flu", "cold", "gout"] * 2})
    policy = {
        "columns": {"zip": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 3}],
    }
    assert sf.audit(table, policy).holds
    table.write_csv(tmp_path / "table.csv")
    BREAKS[how](tmp_path)
    assert not sf.audit(tmp_path / "table.csv", policy).holds


def test_a_failed_audit_publishes_nothing(made: sf.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write(tmp_path / "out", kind="csv")
    before = (tmp_path / "out" / "table.csv").read_bytes()
    sink = FORMATS["csv"].into
    monkeypatch.setitem(FORMATS, "csv", replace(FORMATS["csv"], into=lambda frame, file: sink(frame[1:], file)))
    with pytest.raises(sf.AuditFailed):
        made.write(tmp_path / "out", kind="csv", force=True)
    assert (tmp_path / "out" / "table.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.internal.json"]


@dataclass(frozen=True)
class HalfHearted:
    """A partitioner that gives up on some rows, or breaks the promise."""

    options: Any
    suppressed = 5

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        labels = task.table.each().codes["town"].astype(np.int64)
        labels[: self.suppressed] = -1
        return Partition.of_each(task.table, labels)


@pytest.fixture
def half_hearted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PARTITIONERS, "mondrian", HalfHearted)


@pytest.mark.usefixtures("half_hearted")
def test_suppressed_rows_are_dropped_and_counted() -> None:
    policy = {**POLICY, "suppression": {"limit": 0.1}}
    release = sf.publish(people(), policy=policy, seed=1)
    assert release.tables["table"].height == 55
    assert release.suppressed == 5
    full = sf.publish(people(), policy={**policy, "suppression": {"limit": 0.1, "keep": True}}, seed=1)
    assert release.loss == pytest.approx(full.loss), "a suppressed row costs 1, kept or not"


@pytest.mark.usefixtures("half_hearted")
def test_kept_suppressed_rows_are_stars_and_must_keep_the_promise() -> None:
    policy = {**POLICY, "suppression": {"limit": 0.1, "keep": True}}
    release = sf.publish(people(), policy=policy, seed=1)
    table = release.table
    stars = table.filter(pl.all_horizontal(pl.col("age", "zip", "town") == "*"))
    assert stars.height == 5
    hidden = set(people()["age"][:5].cast(pl.String)) - set(table["age"])
    assert not hidden & set(release.published.dictionary["age"]["values"])
    strict = {**policy, "privacy": [{"model": "k-anonymity", "k": 6}]}
    with pytest.raises(sf.AuditFailed):
        sf.publish(people(), policy=strict, seed=1)


@pytest.mark.usefixtures("half_hearted")
def test_too_much_suppression_is_told_with_figures() -> None:
    with pytest.raises(sf.NoneFound, match=r"5 of 60 rows .* 0\.05"):
        sf.publish(people(), policy={**POLICY, "suppression": {"limit": 0.05}}, seed=1)


@pytest.mark.usefixtures("half_hearted")
def test_no_release_leaves_without_passing_the_auditor() -> None:
    policy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 20}], "suppression": {"limit": 0.1}}
    with pytest.raises(sf.AuditFailed) as caught:
        sf.publish(people(), policy=policy, seed=1)
    assert caught.value.audit.criteria[0].violating_groups


def test_a_column_that_says_too_little_is_told_with_figures() -> None:
    policy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 60}], "suppression": {"columns": {"zip": 0.5}}}
    table = people().with_columns(zip=pl.Series(["12345"] * 59 + ["99999"]))
    with pytest.raises(sf.NoneFound, match=r"'zip' says nothing in 60 of 60 rows"):
        sf.publish(table, policy=policy, seed=1)


def test_models_that_do_not_survive_merging_are_refused_by_mondrian() -> None:
    policy = {**POLICY, "form": {"group_id": True}}
    with pytest.raises(sf.Refused, match="survive merging"):
        sf.publish(people(), sf.PairwiseL(2), policy=policy, seed=1)


def test_an_infeasible_promise_names_the_nearest_one() -> None:
    with pytest.raises(sf.Infeasible) as caught:
        sf.publish(people(), sf.KAnonymity(61), policy=POLICY, seed=1)
    assert caught.value.nearest == sf.AllOf((sf.KAnonymity(60),)) or caught.value.nearest == sf.KAnonymity(60)
    with pytest.raises(sf.Infeasible, match="distinct-l"):
        sf.publish(people(), sf.DistinctL(5), policy=POLICY, seed=1)


def test_an_empty_table_is_an_error() -> None:
    with pytest.raises(sf.TableError, match="no rows"):
        sf.publish(people().clear(), policy=POLICY, seed=1)


def test_a_missing_value_is_a_category_that_stays_apart_from_suppression() -> None:
    table = people().with_columns(town=pl.when(pl.int_range(60) % 5 == 0).then(None).otherwise(pl.col("town")))
    published = sf.publish(table, sf.KAnonymity(2), policy=POLICY, seed=1).table
    shown = set(published["town"])
    assert None in shown
    assert not {"", "null", "(missing)", "nan"} & shown


def test_secrets_that_look_suppressed_or_missing_are_refused_early() -> None:
    for bad in ("*", ""):
        table = people().with_columns(disease=pl.when(pl.int_range(60) == 7).then(pl.lit(bad)).otherwise("disease"))
        with (
            pytest.warns() if not bad else contextlib.nullcontext(),
            pytest.raises(sf.TableError, match="in 1 row, which"),
        ):
            sf.publish(table, policy=POLICY, seed=1)


def test_the_order_of_the_input_does_not_change_how_rows_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A nightly job without an ORDER BY must not give releases that can be compared."""
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    table = people(300)
    for relaxed in (False, True):
        one, other = (
            sf.publish(frame, policy=POLICY, partition=sf.Mondrian(relaxed=relaxed)).tables["table"].drop("ward")
            for frame in (table, table.sample(fraction=1, shuffle=True, seed=3))
        )
        assert one.sort(one.columns).equals(other.sort(one.columns))


def test_only_published_categories_are_published(tmp_path: Path) -> None:
    kinds = pl.Enum(["flu", "cold", "gout", "lupus", "never seen"])
    table = people().with_columns(pl.col("disease").cast(kinds), pl.col("town").cast(pl.Categorical))
    sf.publish(table, policy=POLICY, seed=1).write(tmp_path / "out")
    assert b"never seen" not in (tmp_path / "out" / "table.parquet").read_bytes()


def test_times_of_day_are_published_as_they_are_judged() -> None:
    seconds = pl.Series([8 * 3600 * 10**9 + (row % 2) * 500_000_000 for row in range(60)], dtype=pl.Int64)
    table = people().with_columns(disease=seconds.cast(pl.Time))
    published = sf.publish(table, sf.DistinctL(2), policy=POLICY, seed=1).table
    assert set(published["disease"]) == {"08:00:00.000000000", "08:00:00.500000000"}


def test_a_hierarchy_file_is_part_of_the_policy(tmp_path: Path) -> None:
    hierarchy = tmp_path / "zip.csv"
    columns = {**POLICY["columns"], "zip": {"role": "quasi", "hierarchy": {"file": str(hierarchy), "header": False}}}
    codes = sorted(set(people()["zip"]))
    hierarchy.write_text("".join(f"{code};{code[:4]};*\n" for code in codes), encoding="utf-8")
    written = sf.publish(people(), policy={**POLICY, "columns": columns}, seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", {**POLICY, "columns": columns}, written.manifest).holds
    hierarchy.write_text("".join(f"{code};{code[:3]};*\n" for code in codes), encoding="utf-8")
    changed = sf.audit(tmp_path / "out", {**POLICY, "columns": columns}, written.manifest)
    assert "the manifest belongs to another policy than the one given" in changed.problems


def test_values_that_look_generalized_are_refused() -> None:
    for bad in ("*", "[1, 2", "[a, b]", "{a, b}", "{1, 2}"):
        table = people().with_columns(town=pl.lit(bad))
        with pytest.raises(sf.TableError, match="'town'"):
            sf.publish(table, policy=POLICY, seed=1)
    for interval in ("[1, 2]", "[0-10)"):  # which says what it says
        release = sf.publish(people().with_columns(town=pl.lit(interval)), policy=POLICY, seed=1)
        assert set(release.tables["table"]["town"]) == {interval} and release.judged().holds


def test_a_killed_disk_leaves_the_old_release(
    made: sf.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write in turn fails as on a full disk; the old release stays as it was and nothing else remains."""
    made.write(tmp_path / "out", kind="csv")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    failures = 0
    for fatal in range(1, 40):
        calls = 0

        def full(*args: Any, limit: int = fatal, real: Any = os.fsync) -> None:
            nonlocal calls
            calls += 1
            if calls == limit:
                raise OSError(28, "No space left on device")
            real(*args)

        monkeypatch.setattr(os, "fsync", full)
        try:
            made.write(tmp_path / "out", kind="csv", force=True)
        except OSError:
            failures += 1
            assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
        else:
            break
        finally:
            monkeypatch.undo()
    assert failures >= 4


@pytest.mark.skipif(os.geteuid() != 0 if hasattr(os, "geteuid") else True, reason="mounting a small disk needs root")
def test_a_really_full_disk_leaves_the_old_release(made: sf.Release, tmp_path: Path) -> None:
    import subprocess

    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        made.write(disk / "out", kind="csv")
        before = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
        filler = disk / "filler"
        refused = 0
        for free in range(0, 40, 4):
            filler.write_bytes(b"")
            room = shutil.disk_usage(disk).free - free * 1024
            filler.write_bytes(b"x" * max(room, 0))
            try:
                made.write(disk / "out", kind="csv", force=True)
            except OSError:
                refused += 1
                assert {path: path.read_bytes() for path in before} == before
                assert {path.name for path in disk.iterdir()} == {"out", "out.internal.json", "filler"}
            else:
                assert sf.audit(disk / "out", POLICY, disk / "out.internal.json").holds
                before = {path: path.read_bytes() for path in before}
        assert refused >= 2
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("name", ["*", "^a.*$", "^$"])
def test_a_column_called_like_a_pattern_is_refused(name: str) -> None:
    """Some libraries would take it for several columns, or none."""
    columns = {name if each == "town" else each: spec for each, spec in POLICY["columns"].items()}
    with pytest.raises(sf.TableError, match=r"column 4: .*pattern"):
        sf.publish(people().rename({"town": name}), policy={**POLICY, "columns": columns}, seed=1)


def test_the_order_of_the_input_decides_nothing_where_rows_differ_in_what_is_published_as_it_is() -> None:
    """Rows alike in quasi-identifiers and secrets are not interchangeable if another column tells them apart."""
    people = pl.DataFrame(
        {
            "age": ["30"] * 40,
            "disease": ["flu", "gout"] * 20,
            "ward": [f"w{number:02}" for number in range(40)],
        }
    )
    policy = {
        "columns": {
            "age": {"role": "quasi", "type": "integer"},
            "disease": {"role": "sensitive"},
            "ward": {"role": "insensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "partition": {"method": "mondrian", "relaxed": True},
        "form": {"publish": "generalized", "group_id": True},
    }
    spread = people.with_columns(age=pl.Series([str(30 + number % 2) for number in range(40)]))
    groups = set()
    for seed in range(3):
        shuffled = spread.sample(fraction=1, shuffle=True, seed=seed)
        table = sf.publish(shuffled, policy=policy, seed=1).table
        groups.add(frozenset(frozenset(part["ward"]) for _, part in table.group_by("group")))
    assert len(groups) == 1
