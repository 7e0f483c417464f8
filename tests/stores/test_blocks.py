"""Tables that are not held: strict Mondrian makes the same rows as in memory, others group within blocks and say so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.document_bytes import read_release_document
from sfumato.stores.budget import Budget
from tests.stores.test_deliver import COLUMNS, people, policy, read, rows_of
from tests.support.command import Cli
from tests.support.examples import examples, some

PROMISES: dict[str, list[dict[str, Any]]] = {
    "k": [{"model": "k-anonymity", "k": 4}],
    "distinct": [{"model": "distinct-l", "l": 2}],
    "entropy": [{"model": "entropy-l", "l": 2}],
    "recursive": [{"model": "recursive-cl", "c": 2, "l": 2}],
    "t": [{"model": "t-closeness", "t": "0.3"}],
    "both": [{"model": "k-anonymity", "k": 3}, {"model": "entropy-l", "l": "1.5"}],
}


def in_parts(table: pl.DataFrame, folder: Path, parts: int = 3) -> str:
    folder.mkdir(exist_ok=True)
    step = -(-table.height // parts)
    for number in range(parts):
        table[number * step : (number + 1) * step].write_parquet(folder / f"{number}.parquet")
    return str(folder)


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("loss", some(["ncp", "non-uniform-entropy"]))
@pytest.mark.parametrize("promise", PROMISES)
def test_the_same_rows_as_in_memory(here: Path, promise: str, loss: str) -> None:
    asked = policy(privacy=PROMISES[promise], loss={"metric": loss})
    data = in_parts(people(), here / "data")
    whole = sf.publish(data, policy=asked)
    made = sf.deliver(data, "out/", policy=asked)
    assert rows_of(read(here / "out", "parquet")) == rows_of(whole.tables["table"])
    assert made.loss == pytest.approx(whole.loss)
    for name, lost in whole.facts()["loss"]["columns"].items():
        assert made.facts()["loss"]["columns"][name] == pytest.approx(lost)
    judged, told = made.audit, whole.judged()
    assert [each.model_dump() for each in judged.criteria] == [each.model_dump() for each in told.criteria]
    assert judged.reached == told.reached
    assert not any("block" in note for note in made.facts()["notes"])
    manifest, before = (here / "out.internal.json").read_text(), whole.held[1]
    assert before.input.sha256 in manifest
    assert before.policy_sha256 in manifest


@given(seed=st.integers(0, 2**16), rows=st.integers(60, 300), block=st.integers(5, 200), parts=st.integers(2, 5))
@settings(max_examples=examples(40))
def test_any_blocks_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, seed: int, rows: int, block: int, parts: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        here = tmp_path_factory.mktemp("blocks")
        patch.chdir(here)
        patch.setenv("SFUMATO_KEY", "a key that nobody could guess")
        patch.setattr(Budget, "entries", lambda budget, columns: 10)
        patch.setattr(Budget, "rows_in_block", property(lambda budget: block))
        data = in_parts(people(rows, seed), here / "data", parts)
        whole = sf.publish(data, policy=policy())
        sf.deliver(data, "out/", policy=policy())
        assert rows_of(read(here / "out", "parquet")) == rows_of(whole.tables["table"])


@pytest.mark.usefixtures("tight")
def test_the_same_bytes_for_rows_in_any_order_and_any_parts(here: Path) -> None:
    table = people()
    sf.deliver(in_parts(table, here / "one", 2), "a/", policy=policy())
    sf.deliver(in_parts(table.sample(fraction=1, shuffle=True, seed=4), here / "two", 5), "b/", policy=policy())
    one = {path.name: path.read_bytes() for path in Path("a").iterdir()}
    assert one == {path.name: path.read_bytes() for path in Path("b").iterdir()}


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize(
    ("partition", "privacy"),
    [
        ({"method": "mondrian", "relaxed": True}, "k"),
        ({"method": "mondrian", "polish": True}, "both"),
        ({"method": "bsgi"}, "distinct"),
        ({"method": "bsgi-free"}, "distinct"),
        ({"method": "hilbert"}, "distinct"),
        ({"method": "arp"}, "distinct"),
        ({"method": "boxes", "work": 20_000}, "k"),
        ({"method": "mondrian", "refine": True}, "distinct"),
        ({"method": "auto", "budget": "quick"}, "k"),
    ],
)
@pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")
def test_others_group_within_blocks_and_say_so(here: Path, partition: dict[str, Any], privacy: str) -> None:
    asked = policy(partition=partition, privacy=PROMISES[privacy])
    made = sf.deliver(in_parts(people(), here / "data"), "out/", policy=asked)
    assert made.audit.holds
    assert any("grouped within" in note and "blocks" in note for note in made.facts()["notes"])
    assert sum(rows_of(read(here / "out", "parquet")).values()) == 400


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("method", ["lattice", "incognito", "sweep"])
def test_one_recoding_for_all_rows_needs_them(here: Path, method: str) -> None:
    asked = policy(partition={"method": method}, privacy=PROMISES["k"])
    data = in_parts(people(), here / "data")
    with pytest.raises(sf.Refused, match=f"of {method} one recoding"):
        sf.deliver(data, "out/", policy=asked)
    assert {path.name for path in here.iterdir()} == {"data"}


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize(
    ("column", "spec", "says"),
    [
        ("name", {"role": "individual"}, "rows of one person"),
        ("age", {"role": "weight"}, "sampling weights"),
        ("town", {"role": "quasi", "missing": "drop"}, "missing value are dropped"),
        ("age", {"role": "sensitive", "type": "integer", "difference": 5}, "difference"),
    ],
)
def test_what_needs_all_rows_is_refused_by_name(here: Path, column: str, spec: dict[str, Any], says: str) -> None:
    columns = {**COLUMNS, column: spec, "ill": {"role": "insensitive" if spec["role"] == "sensitive" else "sensitive"}}
    asked = policy(columns=columns, privacy=[{"model": "k-anonymity", "k": 2}])
    data = in_parts(people(), here / "data")
    with pytest.raises(sf.Refused, match=f"column {column!r}.*{says}"):
        sf.deliver(data, "out/", policy=asked)


@pytest.mark.usefixtures("tight")
def test_what_would_be_called_otherwise_in_every_block_is_refused(here: Path) -> None:
    data = in_parts(people(), here / "data")
    with pytest.raises(sf.Refused, match="group_id"):
        sf.deliver(data, "out/", policy=policy(form={"publish": "generalized", "group_id": True}))
    table = people().with_columns(town=pl.Series([f"town {row % 80}" for row in range(400)]))
    with pytest.raises(sf.Refused, match="column 'town' has too many values for sets"):
        sf.deliver(in_parts(table, here / "towns"), "out/", policy=policy())
    assert {path.name for path in here.iterdir()} == {"data", "towns"}


@pytest.mark.usefixtures("tight")
def test_what_cannot_be_promised_says_so(here: Path) -> None:
    data = in_parts(people(), here / "data")
    with pytest.raises(sf.Infeasible):
        sf.deliver(data, "out/", policy=policy(privacy=[{"model": "distinct-l", "l": 9}]))
    with pytest.raises(sf.Refused, match="combination"):
        columns = {**COLUMNS, "ward": {"role": "sensitive"}}
        privacy = [{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}]
        sf.deliver(data, "out/", policy=policy(columns=columns, privacy=privacy))
    assert {path.name for path in here.iterdir()} == {"data"}


@pytest.mark.usefixtures("tight")
def test_several_sensitive_columns_and_types(here: Path) -> None:
    drawn = np.random.default_rng(2)
    table = people().with_columns(
        ward=pl.Series(drawn.choice(["north", "south", "west"], 400)),
        born=pl.Series(np.datetime64("1950-01-01") + drawn.integers(0, 20000, 400)),
        weight=pl.Series(np.where(drawn.random(400) < 0.1, -0.0, drawn.integers(0, 9, 400) / 2)),
        seen=pl.Series(drawn.random(400) < 0.5),
    )
    columns = {
        **COLUMNS,
        "ward": {"role": "sensitive"},
        "born": {"role": "quasi", "type": "date"},
        "weight": {"role": "quasi", "type": "number"},
        "seen": {"role": "insensitive"},
    }
    privacy = [{"model": "distinct-l", "l": 2, "on": "ward"}, {"model": "entropy-l", "l": 2, "on": "ill"}]
    data, asked = in_parts(table, here / "data"), policy(columns=columns, privacy=privacy)
    whole = sf.publish(data, policy=asked)
    sf.deliver(data, "out/", policy=asked)
    assert rows_of(read(here / "out", "parquet")) == rows_of(whole.tables["table"])


@pytest.mark.usefixtures("tight")
def test_nothing_private_is_left_and_none_may_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: set[int] = set()

    def look(stage: str, done: int, total: int) -> None:
        for path in here.rglob("private/**/*"):
            modes.add(path.stat().st_mode & 0o077)

    sf.deliver(in_parts(people(), here / "data"), "out/", policy=policy(), progress=look)
    assert modes == {0}
    assert {path.name for path in here.iterdir()} == {"data", "out", "out.internal.json"}


@pytest.mark.usefixtures("tight")
def test_from_the_command_line(here: Path, cli: Cli) -> None:
    people().write_csv("people.csv")
    Path("p.yaml").write_text(
        "columns:\n"
        + "".join(f"  {name}: {spec}\n" for name, spec in COLUMNS.items())
        + "privacy: [{model: k-anonymity, k: 3}]\npartition: {method: mondrian}\n",
        encoding="utf-8",
    )
    done = cli.well("anonymize", "people.csv", "-p", "p.yaml", "-o", "out/", "--memory", "600MB")
    assert "wrote out/table-00000.csv" in done.out
    assert cli.well("audit", "out/", "-p", "p.yaml").code == 0
    assert cli.well("report", "out/", "-p", "p.yaml", "--original", "people.csv", "-o", "r.html").code == 0
    document, _ = read_release_document(here / "out" / "release.json")
    assert sum(part.rows for part in document.tables[0].parts) == 400
    refused = cli("anonymize", "people.csv", "-p", "p.yaml", "-o", "out/", "--memory", "1MB", "--force")
    assert refused.code == 2
    assert "too little" in refused.err
    both = cli("anonymize", "people.csv", "-p", "p.yaml", "-o", "x/", "--memory", "1GB", "--report", "r2.html")
    assert both.code == 2
