"""A release in parts: the rows that `publish` would make, in an order of its own, audited, whole or not at all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.release.document_bytes import read_release_document
from sfumato.stores.budget import Budget
from tests.support.examples import some

COLUMNS: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "type": "integer"},
    "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
    "town": {"role": "quasi"},
    "ill": {"role": "sensitive"},
    "ward": {"role": "insensitive"},
}
PRIVACY = [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}]
METHODS: dict[str, dict[str, Any]] = {
    "mondrian": {"partition": {"method": "mondrian"}},
    "relaxed": {"partition": {"method": "mondrian", "relaxed": True}},
    "lattice": {"partition": {"method": "lattice"}, "suppression": {"limit": "1/10"}},
    "kept": {"partition": {"method": "lattice"}, "suppression": {"limit": "1/5", "keep": True}},
    "bsgi": {"partition": {"method": "bsgi"}, "privacy": [{"model": "distinct-l", "l": 2}]},
    "sweep": {"partition": {"method": "sweep"}, "privacy": [{"model": "distinct-l", "l": 2}]},
    "ids": {"partition": {"method": "mondrian"}, "form": {"publish": "generalized", "group_id": True}},
}


def people(rows: int = 400, seed: int = 0) -> pl.DataFrame:
    drawn = np.random.default_rng(seed)
    town = pl.Series(drawn.choice(["Lund", "Umea", "Malmo", "Ystad"], rows))
    return pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(rows)],
            "age": drawn.integers(18, 95, rows),
            "zip": drawn.choice(["13053", "13068", "14850", "14853"], rows),
            "town": town.set(pl.Series(drawn.random(rows) < 0.02), None),
            "ill": drawn.choice(["flu", "gout", "none"], rows),
            "ward": drawn.choice(["north", "south"], rows),
        }
    )


def policy(**more: Any) -> dict[str, Any]:
    return {"columns": COLUMNS, "privacy": PRIVACY, "partition": {"method": "mondrian"}, **more}


def rows_of(frame: pl.DataFrame, but: str = "group") -> Counter[tuple[Any, ...]]:
    return Counter(frame.drop(but, strict=False).cast(pl.String).rows())


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of so few rows that there are many."""
    monkeypatch.setattr(Budget, "rows_in_part", property(lambda budget: 60))


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("kind", some(["csv", "parquet"], kind=str))
@pytest.mark.parametrize("way", METHODS)
def test_the_rows_of_publish_in_parts(here: Path, way: str, kind: str) -> None:
    whole = sf.publish(people(), policy=policy(**METHODS[way]))
    made = sf.deliver(people(), "out/", policy=policy(**METHODS[way]), kind=kind)
    assert made.audit.holds
    assert made.loss == pytest.approx(whole.loss)
    document, _ = read_release_document(here / "out" / "release.json")
    (entry,) = document.tables
    assert len(entry.parts) > 3
    assert {path.name for path in here.joinpath("out").iterdir()} == {
        "release.json",
        *(each.file for each in entry.parts),
    }
    assert rows_of(read(here / "out", kind)) == rows_of(whole.tables["table"])
    assert made.facts()["rows"] == whole.facts()["rows"]
    for name, lost in whole.facts()["loss"]["columns"].items():
        assert made.facts()["loss"]["columns"][name] == pytest.approx(lost)
    again = sf.audit("out/", policy(**METHODS[way]), "out.internal.json")
    assert again.holds
    assert [each.level for each in again.criteria] == [each.level for each in whole.judged().criteria]


def read(folder: Path, kind: str) -> pl.DataFrame:
    parts = sorted(folder.glob(f"table-*.{kind}"))
    frames = [pl.read_csv(part, infer_schema=False) if kind == "csv" else pl.read_parquet(part) for part in parts]
    return pl.concat(frames)


@pytest.mark.usefixtures("small_parts")
def test_the_same_bytes_for_rows_in_any_order(here: Path) -> None:
    table = people()
    sf.deliver(table, "one/", policy=policy())
    sf.deliver(table.sample(fraction=1, shuffle=True, seed=3), "other/", policy=policy())
    one = {path.name: path.read_bytes() for path in Path("one").iterdir()}
    assert one == {path.name: path.read_bytes() for path in Path("other").iterdir()}


@pytest.mark.usefixtures("small_parts")
def test_another_table_stands_in_another_order(here: Path) -> None:
    table = people()
    sf.deliver(table, "one/", policy=policy(), kind="csv")
    sf.deliver(pl.concat([table, table[:1]]), "other/", policy=policy(), kind="csv")
    assert read(here / "one", "csv").rows() != read(here / "other", "csv").rows()[:-1]


@pytest.mark.usefixtures("small_parts")
def test_order_says_nothing(here: Path) -> None:
    sf.deliver(people(3000).sort("age", "zip"), "out/", policy=policy(), kind="csv")
    found = sf.audit("out/", policy(), "out.internal.json", original=people(3000).sort("age", "zip"))
    assert not found.leaks
    assert found.holds


@pytest.mark.usefixtures("small_parts")
def test_pseudonyms_are_all_different(here: Path) -> None:
    columns = {**COLUMNS, "name": {"role": "identifier", "pseudonym": True}}
    made = sf.deliver(people(), "out/", policy=policy(columns=columns), kind="csv")
    names = read(here / "out", "csv")["name"]
    assert made.audit.holds
    assert names.n_unique() == len(names) == 400


@pytest.mark.usefixtures("small_parts")
def test_a_table_that_is_safe_for_spreadsheets(here: Path) -> None:
    table = people().with_columns(ward=pl.lit("=1+1"))
    made = sf.deliver(table, "out/", policy=policy(output={"spreadsheet": "safe"}), kind="csv")
    assert made.audit.holds
    assert set(read(here / "out", "csv")["ward"]) == {"'=1+1"}


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_is_changed_in_a_part_is_found(here: Path, kind: str) -> None:
    sf.deliver(people(), "out/", policy=policy(), kind=kind)
    parts = sorted(Path("out").glob(f"table-*.{kind}"))
    kept = {part: part.read_bytes() for part in parts}
    swapped = {parts[0]: kept[parts[1]], parts[1]: kept[parts[0]]}
    cut = {parts[2]: kept[parts[2]][:-1]}
    twice = {parts[0]: kept[parts[1]]}
    for change in (swapped, cut, twice):
        for part, raw in change.items():
            part.write_bytes(raw)
        with pytest.raises(sf.SfumatoError) if change is cut and kind == "parquet" else no_error():
            assert not sf.audit("out/", policy(), "out.internal.json").holds
        for part, raw in kept.items():
            part.write_bytes(raw)
    parts[-1].unlink()
    with pytest.raises(sf.InputError, match="no such file"):
        sf.audit("out/", policy())
    parts[-1].write_bytes(kept[parts[-1]])
    Path("out", "table-00099.csv").write_text("")
    assert not sf.audit("out/", policy()).holds


class no_error:  # noqa: N801
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.usefixtures("small_parts")
def test_a_part_is_judged_with_all_others(here: Path) -> None:
    sf.deliver(people(), "out/", policy=policy(), kind="csv")
    assert sf.audit("out/table-00002.csv", policy()).rows == 400


@pytest.mark.usefixtures("small_parts")
def test_nothing_is_put_in_place_without_force_and_all_of_it_with(here: Path) -> None:
    sf.deliver(people(), "out/", policy=policy(), kind="csv")
    before = sorted(path.name for path in here.iterdir())
    with pytest.raises(sf.InputError, match="exists"):
        sf.deliver(people(seed=1), "out/", policy=policy(), kind="csv")
    sf.deliver(people(120, seed=1), "out/", policy=policy(), kind="csv", force=True)
    assert sorted(path.name for path in here.iterdir()) == before
    assert sf.audit("out/", policy(), "out.internal.json").rows == 120


@pytest.mark.usefixtures("small_parts")
def test_stopped_in_the_middle_nothing_is_there(here: Path) -> None:
    stages: list[str] = []

    def stop(stage: str, done: int, total: int) -> None:
        stages.append(stage)
        if stage == "publish" and done > 100:
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled):
        sf.deliver(people(), "out/", policy=policy(), progress=stop)
    assert not [*here.iterdir()]
    assert {"read", "partition", "publish"} <= {*stages}


@pytest.mark.usefixtures("small_parts")
def test_a_violation_is_never_published(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.stores import parts

    made = parts.Emission.frames
    spoilt = lambda *given: (frame.with_columns(age=pl.lit("18")) for frame in made(*given))  # noqa: E731
    monkeypatch.setattr(parts.Emission, "frames", spoilt)
    with pytest.raises(sf.AuditFailed):
        sf.deliver(people(), "out/", policy=policy())
    assert not [*here.iterdir()]


@pytest.mark.parametrize(
    ("more", "target", "says"),
    [
        ({"form": {"publish": "anatomized"}, "privacy": PRIVACY[1:]}, "out/", "not written in parts"),
        ({"form": {"publish": "generalized", "numbers": "bounds"}}, "out/", "as intervals"),
        ({}, "out.csv", "needs a folder"),
    ],
)
def test_what_is_refused_says_why(here: Path, more: dict[str, Any], target: str, says: str) -> None:
    with pytest.raises((sf.Refused, sf.InputError), match=says):
        sf.deliver(people(), target, policy=policy(**more))
    assert not [*here.iterdir()]


@pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")
def test_people_with_several_rows_are_refused(here: Path) -> None:
    columns = {**COLUMNS, "name": {"role": "individual"}}
    table = people().with_columns(name=pl.Series([f"person {row // 2}" for row in range(400)]))
    given = policy(columns=columns, form={"publish": "generalized", "group_id": True}, partition={"method": "bsgi"})
    with pytest.raises(sf.Refused, match="200 persons"):
        sf.deliver(table, "out/", policy={**given, "privacy": PRIVACY[1:]})


def test_one_row_of_everybody_is_served(here: Path) -> None:
    columns = {**COLUMNS, "name": {"role": "individual"}}
    assert sf.deliver(people(), "out/", policy=policy(columns=columns)).audit.holds


@pytest.mark.parametrize(
    ("given", "size"), [("2GB", 2 * 10**9), ("1.5 GiB", 3 * 2**29), ("800MB", 800 * 10**6), (10**9, 10**9)]
)
def test_sizes_are_read(given: str | int, size: int) -> None:
    assert Budget.of(given).bytes == size


@pytest.mark.parametrize("given", ["much", "-1GB", "2 PB", "", "100MB"])
def test_other_sizes_are_refused(given: str) -> None:
    with pytest.raises(sf.InputError, match="memory"):
        Budget.of(given)
