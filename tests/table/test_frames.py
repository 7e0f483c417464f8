from __future__ import annotations

import decimal
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.errors import SfumatoWarning, TableError
from sfumato.table.frames import from_frame, give_back
from sfumato.table.read import read
from tests.support.table_policies import policy

DATA: dict[str, list[Any]] = {"zip": ["02000", None], "age": [41, 7]}
ARROW = pa.table(DATA)


class Stream:
    """Anything that streams Arrow data."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return ARROW.__arrow_c_stream__(requested_schema)


FRAMES: dict[str, tuple[Callable[[], object], type]] = {
    "pandas": (lambda: pd.DataFrame(DATA), pd.DataFrame),
    "polars": (lambda: pl.DataFrame(DATA), pl.DataFrame),
    "lazy": (lambda: pl.LazyFrame(DATA), pl.LazyFrame),
    "table": (lambda: ARROW, pa.Table),
    "batch": (lambda: ARROW.to_batches()[0], pa.Table),
    "stream": (Stream, pa.Table),
}


def refusal(frame: object) -> str:
    with pytest.raises(TableError) as caught:
        from_frame(frame)
    return str(caught.value)


@pytest.mark.parametrize("name", FRAMES)
def test_same_content_in_and_same_type_out(name: str) -> None:
    make, kind = FRAMES[name]
    found, origin = from_frame(make())
    assert found.to_dict(as_series=False) == DATA
    given = give_back(found, origin)
    assert isinstance(given, kind)
    assert from_frame(given)[0].to_dict(as_series=False) == DATA


def test_files_give_polars_back() -> None:
    frame = pl.DataFrame(DATA)
    from sfumato.table.origin import Origin

    assert give_back(frame, Origin("csv", "a.csv")) is frame


def test_pandas_index_is_no_column() -> None:
    frame = pd.DataFrame(DATA, index=[7, 9])
    found, origin = from_frame(frame)
    assert found.columns == ["zip", "age"]
    back: Any = give_back(found, origin)
    assert list(back.index) == [0, 1]
    with pytest.warns(SfumatoWarning, match="index is left out"):
        from_frame(frame.rename_axis("person"))


def test_types_of_other_libraries() -> None:
    frame = pa.table(
        {
            "dictionary": pa.array(["b", None, "b"]).dictionary_encode(),
            "numbered": pa.array([5, None, 5]).dictionary_encode(),
            "large": pa.array(["x", "y", None], pa.large_string()),
            "view": pa.array(["x", "y", None], pa.string_view()),
            "flag": [True, None, False],
            "small": pa.array([1, 2, None], pa.int8()),
            "float": [0.5, 1.0, None],
            "money": [decimal.Decimal("1.50"), None, None],
            "day": [date(2024, 1, 2), None, None],
            "moment": [datetime(2024, 1, 2, 3), None, None],
            "clock": [time(1, 2), None, None],
            "nothing": pa.nulls(3),
        }
    )
    found, origin = from_frame(frame)
    assert found.to_dict(as_series=False) == frame.to_pydict()
    assert pa.table(give_back(found, origin)).to_pydict() == frame.to_pydict()
    categories = pd.DataFrame({"c": pd.Categorical(["u", "v", None])})
    assert from_frame(categories)[0]["c"].cast(pl.String).to_list() == ["u", "v", None]


def test_missing_in_pandas_is_missing() -> None:
    found, _ = from_frame(pd.DataFrame({"n": [1.5, float("nan")], "t": ["x", None]}))
    assert found.rows() == [(1.5, "x"), (None, None)]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1]]),
        pa.array([{"a": 1}]),
        pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())),
        pa.array([b"x"]),
        pa.array([timedelta(1)]),
        pa.array([decimal.Decimal("1.5")], pa.decimal256(50, 2)),
        pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
        pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]),
    ],
    ids=lambda column: str(column.type),
)
def test_cells_that_are_no_single_value(column: Any) -> None:
    message = refusal(pa.table({"fine": [1], "odd": column}))
    assert "'odd'" in message
    assert "fine" not in message


def test_nested_polars_columns_are_refused_by_name() -> None:
    assert "'odd' (List(Int64)), 'pair'" in refusal(pl.DataFrame({"odd": [[1]], "pair": [{"a": 1}]}))


def test_columns_need_names() -> None:
    assert "called 'a'" in refusal(pa.table([[1], [2]], names=["a", "a"]))
    assert "called 'a'" in refusal(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    assert "column 1, 2 has no name" in refusal(pd.DataFrame([[1, 2]]))
    assert "column 2 has no name" in refusal(pl.DataFrame({"a": [1], "": [2]}))
    assert "not a table" in refusal(pa.chunked_array([[1]]))
    assert "not a table" in refusal(pl.Series([1]))


def test_mixed_pandas_columns_are_named_and_not_shown() -> None:
    message = refusal(pd.DataFrame({"fine": [1, 2], "mixed": [1, "Secret"]}, dtype=object))
    assert "'mixed'" in message
    assert "fine" not in message
    assert "Secret" not in message


def test_read_takes_frames() -> None:
    table = read(pd.DataFrame(DATA), policy({"zip": "quasi", "age": {"role": "sensitive", "type": "integer"}}))
    assert table.origin.kind == "pandas"
    assert table.distinct["age"].spread().to_list() == [41, 7]


def printed(code: str) -> Any:
    """What a program of its own prints, as JSON."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_duckdb_relations() -> None:
    # On its own: DuckDB complains about objects that hypothesis keeps alive when the tests end.
    code = """
import json, duckdb
from sfumato.table.frames import from_frame, give_back
found, origin = from_frame(duckdb.sql("select '02000' zip, 41::smallint age union all select null, 7"))
back = give_back(found, origin)
again = from_frame(back)[0].sort("age")
print(json.dumps([origin.kind, isinstance(back, duckdb.DuckDBPyRelation), again.rows()]))
"""
    assert printed(code) == ["duckdb", True, [[None, 7], ["02000", 41]]]


def test_other_libraries_are_not_imported_without_need() -> None:
    code = """
import sys, json, sfumato.table.read, sfumato.table.frames as r, polars as pl
r.from_frame(pl.DataFrame({'a': [1]}))
print(json.dumps([name for name in ('pandas', 'duckdb') if name in sys.modules]))
"""
    assert printed(code) == []


def test_a_file_is_read_without_pandas(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n,y\n", encoding="utf-8")
    script = (
        "import sys, sfumato as sf\n"
        "columns = {'a': {'role': 'quasi'}, 'b': {'role': 'insensitive'}}\n"
        "table = sf.read('t.csv', {'columns': columns, 'privacy': [{'model': 'k-anonymity', 'k': 1}]})\n"
        "print(table.encode().rows, 'pandas' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False"]
