"""A number is never published as another one: what floating point cannot hold is an error that names column and way."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf

ODD = 2**53 + 1


def read(values: Any, kind: str | None = "number") -> list[Any]:
    column = {"role": "quasi", **({} if kind is None else {"type": kind})}
    privacy = [{"model": "k-anonymity", "k": 1}]
    table = sf.read(pl.DataFrame({"pay": values}), {"columns": {"pay": column}, "privacy": privacy})
    return table.distinct["pay"].spread().to_list()


UNSIGNED = pl.Series([2**64 - 1 - step for step in range(8)], dtype=pl.UInt64)


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([str(ODD)], 1),
        ([ODD, 1, None], 1),
        ([-ODD], 1),
        (UNSIGNED, 8),
        ([Decimal(ODD)], 1),
        (["0.1234567890123456789", "0.5", None], 1),
        (["9007199254740993e0"], 1),
    ],
    ids=["text", "integers", "negative", "unsigned", "decimal", "digits", "exponent"],
)
def test_what_a_number_cannot_hold_is_an_error(values: Any, cells: int) -> None:
    with pytest.raises(sf.TableError, match=r"'pay'.*more digits.*say type: integer.*or text") as raised:
        read(values)
    assert f"{cells} cell" in str(raised.value)
    assert not any(str(value) in str(raised.value) for value in values if value is not None and len(str(value)) > 3)


@pytest.mark.parametrize(
    "values",
    [["0.1", "123456789012345.25", str(2**53), "1e300", "00000000000000000001.5", None], [2**53, -(2**53), 2**60, 7]],
)
def test_what_it_can_hold_is_read(values: list[Any]) -> None:
    assert read(values) == [None if value is None else float(value) for value in values]


@pytest.mark.parametrize("values", [[str(ODD)], [ODD], [Decimal(ODD)], pl.Series([ODD], dtype=pl.UInt64)])
def test_integers_are_exact(values: Any) -> None:
    assert read(values, "integer") == [ODD]


def test_what_no_integer_holds_is_an_error_or_text() -> None:
    for values in (UNSIGNED, [Decimal("1.5")], [Decimal(2**64)]):
        with pytest.raises(sf.TableError, match=r"'pay'.*64 bits.*say type: (number or )?text"):
            read(values, "integer")
    with pytest.raises(sf.TableError, match=r"'pay'.*64 bits.*say type: text"):
        read(UNSIGNED, None)
    assert read(UNSIGNED, "text") == [str(2**64 - 1 - step) for step in range(8)]


def test_files_alike(tmp_path: Path) -> None:
    policy = {"columns": {"pay": {"role": "quasi", "type": "number"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    (tmp_path / "data.csv").write_text(f"pay\n{ODD}\n", encoding="utf-8")
    pl.DataFrame({"pay": [ODD]}).write_parquet(tmp_path / "data.parquet")
    for name in ("data.csv", "data.parquet"):
        with pytest.raises(sf.TableError, match="more digits"):
            sf.read(tmp_path / name, policy)


def test_the_value_is_published_as_it_is() -> None:
    policy = {"columns": {"pay": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    release = sf.publish(pl.DataFrame({"pay": [ODD, ODD + 2]}), policy=policy, seed=1)
    assert set(release.table["pay"]) == {str(ODD), str(ODD + 2)}
