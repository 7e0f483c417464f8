"""A table that comes in parts is the table that it is as a whole: same rows, same digest, same release, same words."""

from __future__ import annotations

import gzip
import tempfile
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.table.distinct import distinct
from sfumato.table.formats import source
from sfumato.table.gathering import gathered
from sfumato.table.origin import Origin
from sfumato.table.table import Table
from tests.support.examples import examples

POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "town": {"role": "quasi"},
        "ward": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "entropy-l", "l": 2}],
    "suppression": {"limit": 1},
}
CELLS = st.sampled_from([None, "a", "b,c", 'd "e" f', "g\nh", "ü"])
ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", "17", "30"]), CELLS, st.sampled_from(["x", "y"]), CELLS),
    min_size=1,
    max_size=40,
)


def framed(rows: list[tuple[Any, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(("age", "town", "ward", "disease"), pl.String), orient="row")


def same(one: Table, other: Table) -> None:
    assert (one.rows, one.dropped, one.digest, one.notes) == (other.rows, other.dropped, other.digest, other.notes)
    first, second = one.encode(), other.encode()
    assert first.counts.tolist() == second.counts.tolist()
    for name in first.codes:
        assert first.codes[name].tolist() == second.codes[name].tolist()
        assert first[name].values.to_list() == second[name].values.to_list()
        assert first[name].counts.tolist() == second[name].counts.tolist()


@settings(max_examples=examples(200))
@given(st.lists(ROWS, min_size=1, max_size=4))
def test_parts_are_what_the_whole_is(parts: list[list[tuple[Any, ...]]]) -> None:
    frames = [framed(part) for part in parts]
    whole = pl.concat(frames)
    found, _ = gathered(({name: distinct(each[name]) for name in each.columns}, Origin("", "")) for each in frames)
    rows = pl.DataFrame({name: each.spread() for name, each in found.items()})
    assert sorted(map(str, rows.rows())) == sorted(map(str, whole.rows()))
    for name, each in found.items():
        cells = whole[name].to_list()
        assert each.rows == whole.height and each.missing == cells.count(None)
        assert each.first_rows.tolist() == [cells.index(value) for value in each.values.to_list()]
        assert each.counts.tolist() == [cells.count(value) for value in each.values.to_list()]
    if len(parts) > 1:
        assert len(next(iter(found.values())).codes) == whole.n_unique(), "equal rows are one entry"


@settings(max_examples=examples(60))
@given(st.lists(ROWS, min_size=2, max_size=3), st.sampled_from(["category", "drop"]))
def test_files_are_what_one_file_is(parts: list[list[tuple[Any, ...]]], missing: str) -> None:
    policy = {**POLICY, "missing": missing}
    whole = pl.concat([framed(part) for part in parts])
    assume(missing == "category" or not whole.drop_nulls(["town", "disease"]).is_empty())
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(action="ignore", category=sf.SfumatoWarning):
        for at, part in enumerate(parts):
            framed(part).write_csv(Path(place) / f"{at}.csv")
        same(sf.read(whole, policy), sf.read(place, policy))


@pytest.fixture(params=["csv", "csv.gz", "parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of some size."""
    rows = [
        (str(20 + at % 7), "abc"[at % 3], "xy"[at % 2], ("flu", 'a "bad"\ncold', "gout")[at % 3]) for at in range(300)
    ]
    frame, path = framed(rows), tmp_path / f"data.{request.param}"
    if request.param == "parquet":
        frame.write_parquet(path, row_group_size=50)
    else:
        text = frame.write_csv(None).encode()
        path.write_bytes(gzip.compress(text) if request.param == "csv.gz" else text)
    return path


def test_a_large_file_gives_the_same_release(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    whole = sf.read(table, POLICY)
    assert whole.times is None
    monkeypatch.setattr(source, "PART", 100)
    parts = sf.read(table, POLICY)
    assert parts.times is not None and parts.entries < parts.rows == 300
    same(whole, parts)
    for found, place in ((whole, "one"), (parts, "other")):
        sf.publish(found).write(tmp_path / place)
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "other" / file.name).read_bytes()


def test_several_files_are_one_table(table: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("1", "2"):
        (folder / f"{name}.{table.name.partition('.')[2]}").write_bytes(table.read_bytes())
    (folder / "_SUCCESS").write_bytes(b"")
    for place in (folder, str(folder / "[12]*")):
        found = sf.read(place, POLICY)
        assert found.rows == 600 and found.entries <= 300
        assert {"1", "2"} <= {Path(path).name[0] for path in found.inputs}


def test_files_of_other_columns_are_named(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("age,town,ward,disease\n1,a,x,flu\n")
    (tmp_path / "2.csv").write_text("age,town,disease,bed\n1,a,flu,3\n")
    with pytest.raises(sf.TableError, match=r"2\.csv: lacks 'ward' and has 'bed' besides; all files of a table must"):
        sf.read(tmp_path, POLICY)
    (tmp_path / "release.json").write_text("{}")
    with pytest.raises(sf.TableError, match=r"holds files with several endings \(\.csv, \.json\); give a pattern"):
        sf.read(tmp_path, POLICY)
    pl.DataFrame({"age": [1], "town": ["a"], "ward": ["x"], "disease": ["flu"]}).write_parquet(tmp_path / "1.parquet")
    pl.DataFrame({"age": ["1"], "town": ["a"], "ward": ["x"], "disease": ["flu"]}).write_parquet(tmp_path / "2.parquet")
    with pytest.raises(sf.TableError, match="column 'age' is Int64 in some parts and String in others"):
        sf.read(str(tmp_path / "*.parquet"), POLICY)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,a,x,flu\n" * 30 + "1,a,x\n" + "1,a,x,flu\n" * 5, "line 32 has 3 fields, the header has 4"),
        ("1,a,x,flu\n" * 30 + '1,a,"x" y,flu\n', "line 32: a quoted field begins here, and text follows"),
        ("1,a,x,flu\n" * 30 + '1,a,"x,flu\n' + "1,a,x,flu\n" * 30, "line 32: a quoted field begins here and is never"),
        ("1,a,x,flu\n" * 30 + "old,a,x,flu\n" + "1,a,x,flu\n" * 5, "the first in line 32"),
        ('1,"a\nb",x,flu\n' * 30 + "old,a,x,flu\n", "the first in row 31"),
        ("1,a,x,flu\n" * 30 + "1,a,x,\udcff\n", "line 32 is not valid UTF-8"),
        ("1,a,x,flu\n" * 30 + "1,a,x,\0\n", "line 32 holds a NUL byte"),
    ],
)
def test_messages_count_lines_of_the_file(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(b"age,town,ward,disease\n" + text.encode(errors="surrogateescape"))
    with pytest.raises(sf.TableError, match=says):
        sf.read(path, POLICY)
    monkeypatch.setattr(source, "PART", 40)
    with pytest.raises(sf.TableError, match=says):
        sf.read(path, POLICY)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["age,town,ward,disease", *(f"{20 + at % 5},Zürich,x,{'flu' if at % 2 else 'grün'}" for at in range(40))]
    path = tmp_path / "data.csv"
    path.write_bytes(end.join(lines).encode(encoding))
    policy = {**POLICY, "input": {"encoding": encoding}}
    whole = sf.read(path, policy)
    monkeypatch.setattr(source, "PART", 64)
    same(whole, sf.read(path, policy))


def test_a_packed_file_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.csv.gz"
    packed = gzip.compress(b"age,town,ward,disease\n" + b"".join(b"%d,a,x,flu\n" % at for at in range(2000)))
    path.write_bytes(packed[:-300])
    monkeypatch.setattr(source, "PART", 500)
    with pytest.raises(sf.TableError, match="the gzip file is cut off"):
        sf.read(path, POLICY)


def test_persons_and_weights_keep_rows_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.csv"
    path.write_text("age,town,ward,disease,who,w\n" + "".join(f"3{at % 2},a,x,flu,p{at % 9},2\n" for at in range(60)))
    columns = {**POLICY["columns"], "who": {"role": "individual"}, "w": {"role": "weight"}}
    policy = {**POLICY, "columns": columns}
    whole = sf.read(path, policy)
    monkeypatch.setattr(source, "PART", 64)
    parts = sf.read(path, policy)
    assert parts.times is None and parts.weights is not None and parts.weights.tolist() == [2.0] * 60
    same(whole, parts)
