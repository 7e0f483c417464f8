"""Numbers and dates of a release are written in one notation: another spelling of a value could hide something."""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf

FORMS = ("permuted", "anatomized", "sliced")
TEXT = "age,pay,day,s\n041,1.50,2020-01-02,7\n 42,1e3,2020-01-03,08\n+43,2,2020-1-4,+7\n44 ,007.0,2020-01-05,8\n"


def policy(form: str, **types: str) -> dict[str, Any]:
    columns = {"age": "integer", "pay": "number", "day": "date", **types}
    quasi = {name: {"role": "quasi", "type": kind} for name, kind in columns.items()}
    return {
        "columns": {**quasi, "s": {"role": "sensitive", "type": "integer"}},
        "privacy": [{"model": "distinct-l", "l": 2}],
        "form": {"publish": form},
    }


@pytest.mark.parametrize("form", FORMS)
def test_what_was_typed_is_not_told(tmp_path: Path, form: str) -> None:
    (tmp_path / "data.csv").write_text(TEXT, encoding="utf-8")
    release = sf.publish(tmp_path / "data.csv", policy=policy(form), seed=1)
    people = next(iter(release.tables.values()))
    assert sorted(people["age"]) == ["41", "42", "43", "44"]
    assert sorted(people["pay"]) == ["1.5", "1000", "2", "7"]
    assert sorted(people["day"]) == ["2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05"]
    written = release.write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", policy(form), written.manifest).holds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("41,", cell) for cell in ("41 ,", " 41,", "041,", "+41,", "41.0,", "4.1e1,", "forty-one,")),
        *((",1.5,", cell) for cell in (",1.50,", ",15e-1,", ",1.5 ,")),
        *((",1000,", cell) for cell in (",1e3,", ",1000.0,", ",1_000,")),
        *(("2020-01-02", cell) for cell in ("20200102", "2020-01-02 ", "2020-W01-4", "2020-01-02T00:00:00")),
        *((",7,", cell) for cell in (",7 ,", ",07,", ",7.0,")),  # the sensitive one
    ],
)
def test_another_notation_is_found(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "data.csv").write_text(TEXT.replace("007.0", "9"), encoding="utf-8")
    sf.publish(tmp_path / "data.csv", policy=policy("permuted"), seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", policy("permuted")).criteria[0].holds
    table, document = tmp_path / "out" / "table.csv", tmp_path / "out" / "release.json"
    before = table.read_bytes()
    table.write_bytes(before.replace(old.encode(), new.encode(), 1))
    told = json.loads(document.read_text(encoding="utf-8"))
    told["tables"][0]["sha256"] = hashlib.sha256(table.read_bytes()).hexdigest()
    document.write_bytes((json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode())
    assert table.read_bytes() != before
    (problem,) = sf.audit(tmp_path / "out", policy("permuted")).problems
    assert "in another notation" in problem


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("form", FORMS)
def test_every_type_of_a_frame_has_its_notation(tmp_path: Path, form: str, kind: Any) -> None:
    frame = pl.DataFrame(
        {
            "age": pl.Series([41.0, 42.0, 43.0, 100.0]),
            "pay": pl.Series([Decimal("1.50"), Decimal("2.00"), Decimal("1000.25"), None]),
            "day": [datetime(2020, 1, day) for day in range(1, 5)],
            "big": pl.Series([1.5, 1e16, -0.0, 2.5e-7]),
            "small": pl.Series([0.1, 3.0, 1e9, 2.0], dtype=pl.Float32),
            "on": [date(2020, 1, day) for day in range(1, 5)],
            "whole": [1, 2, 3, -4],
            "s": [7, 8, 7, 8],
        }
    )
    asked = policy(form, big="number", small="number", on="date", whole="number")
    written = sf.publish(frame, policy=asked, seed=1).write(tmp_path / "out", kind=kind)
    assert sf.audit(tmp_path / "out", asked, written.manifest).holds
    assert not sf.audit(tmp_path / "out", asked).problems
