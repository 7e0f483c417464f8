"""From a policy's column to its taxonomy, and what its labels mean."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.errors import HierarchyError
from sfumato.policy.columns import Column
from sfumato.taxonomy.build import build
from sfumato.taxonomy.check import SeenValues
from sfumato.taxonomy.explain import explain
from sfumato.taxonomy.text import key_of, text_of
from sfumato.taxonomy.tree import Taxonomy


def column(hierarchy: object, kind: str = "text") -> Column:
    return Column.model_validate({"role": "quasi", "type": kind, "hierarchy": hierarchy})


def made(hierarchy: object, values: pl.Series, kind: str = "text", base: Path = Path()) -> Taxonomy:
    taxonomy = build("x", column(hierarchy, kind), values, base)
    assert taxonomy is not None
    return taxonomy


def refused(hierarchy: object, values: pl.Series, kind: str = "text", base: Path = Path(), seen: Any = None) -> str:
    with pytest.raises(HierarchyError) as caught:
        build("x", column(hierarchy, kind), values, base, seen)
    return str(caught.value)


class TestText:
    def test_how_values_are_written(self) -> None:
        values = [5, -7, 5.0, -0.0, 0.1, 1e22, 2.5e-7, date(2024, 3, 5), "02000", ""]
        assert [text_of(value) for value in values] == [  # type: ignore[arg-type]
            *("5", "-7", "5", "0", "0.1", "1e+22", "2.5e-07", "2024-03-05", "02000", "")
        ]

    def test_how_they_are_read(self) -> None:
        assert [key_of(text, "integer") for text in ("05", "+5", "5.0", "5e0", " 5 ")] == [5] * 5
        strange = ("", "x", "5.5", "1_000", "٥", "nan", str(2**63), "1e999")
        assert [key_of(text, "integer") for text in strange] == [None] * 8
        assert [key_of(text, "number") for text in ("5", ".5", "1e-3", "inf", "nan", "1e999", "1,5")] == [
            *(5.0, 0.5, 0.001, None, None, None, None)
        ]
        assert key_of("2024-02-29", "date") == date(2024, 2, 29)
        assert [key_of(text, "date") for text in ("2023-02-29", "20240229", "29.02.2024", "2024-W01-1")] == [None] * 4

    @pytest.mark.parametrize("value", [0.1, 1e22, -2.5e-7, 3.0, 123456789.125])
    def test_numbers_read_back(self, value: float) -> None:
        assert key_of(text_of(value), "number") == value


class TestMade:
    def test_none(self) -> None:
        assert build("x", column(None), pl.Series(["a"]), Path()) is None
        assert build("x", column("flat"), pl.Series([], dtype=pl.String), Path()) is None

    def test_each_builder(self) -> None:
        ages = pl.Series([18, 22, 31], dtype=pl.Int64)
        assert made({"intervals": [5, 10]}, ages, "integer").path(1) == ["22", "[20, 25)", "[20, 30)", "*"]
        assert made({"intervals": ["0.5"], "origin": "0.25"}, pl.Series([0.5]), "number").path(0)[1] == "[0.25, 0.75)"
        assert made({"mask": "right"}, pl.Series(["130", "148"])).path(0) == ["130", "13*", "1**", "*"]
        assert made({"mask": "right"}, pl.Series([5, 51], dtype=pl.Int64), "integer").path(1) == ["51", "5*", "*"]
        days = pl.Series([date(2024, 3, 5)])
        assert made({"dates": ["month", "year"]}, days, "date").path(0) == ["2024-03-05", "2024-03", "2024", "*"]
        assert made("flat", pl.Series([1.0, 2.5]), "number").labels == ("1", "2.5", "*")
        assert made({"tree": {"A": ["a", "b"]}}, pl.Series(["b"])).leaves == ("a", "b")

    def test_balanced_weighs_rows(self) -> None:
        values = pl.Series([1, 2, 3, 4], dtype=pl.Int64)
        spec = column({"balanced": {"fanout": 2}}, "integer")
        even, heavy = build("x", spec, values, Path()), build("x", spec, values, Path(), SeenValues([97, 1, 1, 1]))
        assert even is not None and heavy is not None
        assert [even.leaf_counts[child] for child in even.children[even.root]] == [2, 2]
        assert [heavy.leaf_counts[child] for child in heavy.children[heavy.root]] == [1, 3]

    def test_types_that_do_not_fit(self) -> None:
        assert "column 'x': 1 of 1 distinct values are no intervals" in refused({"intervals": [5]}, pl.Series(["a"]))
        assert "dates need the column's type: date" in refused({"dates": ["year"]}, pl.Series(["a"]))

    def test_values_that_are_labels(self) -> None:
        message = refused("flat", pl.Series(["*", "a"]))
        assert "column 'x': 1 distinct value is equal to the label of another node, such as '*'" in message
        signs = refused({"balanced": {}}, pl.Series(["a\u2013b", "a", "b secret", "c"]).sort())
        assert "column 'x': 1 distinct value contains '*' or" in signs and "secret" not in signs
        assert "1 distinct value is empty text" in refused("flat", pl.Series(["", "a"]))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "edu.csv").write_text("Bachelors;Higher;*\nMasters;Higher;*\n9th;School;*\n", encoding="utf-8")
    (tmp_path / "age.csv").write_text("010;10-19;*\n5;0-9;*\n7.0;0-9;*\n", encoding="utf-8")
    (tmp_path / "day.csv").write_text("2024-03-05;spring;*\n2024-01-05;winter;*\n", encoding="utf-8")
    return tmp_path


class TestFromFile:
    def test_keeps_all_leaves(self, base: Path) -> None:
        assert made({"file": "edu.csv"}, pl.Series(["9th"]), base=base).leaves == ("Bachelors", "Masters", "9th")

    def test_numbers_match_by_value_and_stand_in_order(self, base: Path) -> None:
        for kind, values in (("integer", pl.Series([5, 10])), ("number", pl.Series([5.0, 10.0]))):
            taxonomy = made({"file": "age.csv"}, values, kind, base)
            assert taxonomy.leaves == ("5", "7", "10")
            assert taxonomy.path(2) == ["10", "10-19", "*"]
        assert made({"file": "age.csv"}, pl.Series(["010"]), base=base).leaves == ("010", "5", "7.0")
        tree = {"tree": {"old": [90, 81], "young": ["05", 7]}}
        assert made(tree, pl.Series([7]), "integer").leaves == ("5", "7", "81", "90")

    def test_dates_stand_in_order(self, base: Path) -> None:
        taxonomy = made({"file": "day.csv"}, pl.Series([date(2024, 3, 5)]), "date", base)
        assert taxonomy.leaves == ("2024-01-05", "2024-03-05")

    def test_absent_values_are_counted_never_named(self, base: Path) -> None:
        values = pl.Series(["9th", "Doctorate", "bachelors ", "École"])
        message = refused({"file": "edu.csv"}, values, base=base, seen=SeenValues([4, 3, 2, 1], [1, 9, 8, 12]))
        assert message == (
            "column 'x': 3 of 4 distinct values (6 rows, first in row 8) are not in its hierarchy edu.csv "
            "(1 but for case, outer spaces or Unicode form); add each of them to it, or correct the data"
        )
        assert "1 of 1 distinct values is not in its hierarchy edu.csv" in refused(
            {"file": "edu.csv"}, pl.Series(["Doctorate"]), base=base
        )
        assert "(1 row)" in refused({"file": "edu.csv"}, pl.Series(["Doctorate"]), base=base, seen=SeenValues([1]))
        assert "Doctorate" not in refused({"tree": {"A": ["a"]}}, pl.Series(["Doctorate"]))

    def test_a_group_is_no_value(self, base: Path) -> None:
        message = refused({"file": "edu.csv"}, pl.Series(["Higher"]), base=base)
        assert "(1 equal to the label of a group, which is not a value)" in message
        assert "Higher" not in message

    def test_leaves_of_another_type(self, base: Path) -> None:
        path = base / "bad.csv"
        path.write_text("5;low;*\nunknown;low;*\n", encoding="utf-8")
        assert f"column 'x': {path}, line 2: 'unknown' is not a whole number" in refused(
            {"file": "bad.csv"}, pl.Series([5]), "integer", base
        )
        path.write_text("5;low;*\n05;low;*\n", encoding="utf-8")
        assert "are the same integer" in refused({"file": "bad.csv"}, pl.Series([5]), "integer", base)
        path.write_text("05;5;*\n", encoding="utf-8")
        assert "are the same number" in refused({"file": "bad.csv"}, pl.Series([5.0]), "number", base)

    def test_settings_reach_the_reader(self, base: Path) -> None:
        (base / "any.csv").write_text("value,all\na,Any\n", encoding="utf-8")
        assert "set header: true or header: false" in refused({"file": "any.csv"}, pl.Series(["a"]), base=base)
        assert made({"file": "any.csv", "header": True}, pl.Series(["a"]), base=base).leaves == ("a",)
        assert "line 1: 1 cells" not in refused({"file": "any.csv", "format": "arx"}, pl.Series(["a"]), base=base)


def meaning(hierarchy: object, values: pl.Series, label: str, kind: str = "text", base: Path = Path()) -> str:
    taxonomy = made(hierarchy, values, kind, base)
    return explain(column(hierarchy, kind), taxonomy, taxonomy.labels.index(label))


class TestMeaning:
    AGES = pl.Series([18, 22, 31, 64], dtype=pl.Int64)

    def test_leaf_and_root(self) -> None:
        assert meaning("flat", self.AGES, "18", "integer") == "exactly this value"
        assert meaning("flat", self.AGES, "*", "integer") == "any value"

    def test_intervals(self) -> None:
        hierarchy = {"intervals": [5, "7.5"]}
        assert "must be a multiple" in refused(hierarchy, self.AGES, "integer")
        assert meaning({"intervals": [5]}, self.AGES, "[20, 25)", "integer") == "from 20 (included) to 25 (excluded)"

    def test_masks(self) -> None:
        zips = pl.Series(["13053", "13068", "130"])
        assert meaning({"mask": "right"}, zips, "130**") == "5 characters beginning with 130"
        assert meaning({"mask": "right"}, zips, "1**") == "3 characters beginning with 1"
        assert meaning({"mask": "right"}, zips, "***") == "at most 3 characters"
        assert meaning({"mask": "left"}, zips, "***53") == "5 characters ending with 53"

    def test_dates(self) -> None:
        days, hierarchy = pl.Series([date(2024, 3, 5)]), {"dates": ["month", "quarter", "year"]}
        assert meaning(hierarchy, days, "2024-03", "date") == "any day of March 2024"
        assert meaning(hierarchy, days, "2024-Q1", "date") == "any day of the quarter January to March 2024"
        assert meaning(hierarchy, days, "2024", "date") == "any day of 2024"

    def test_balanced(self) -> None:
        by_number = {"balanced": {"fanout": 2}}
        assert meaning(by_number, self.AGES, "(-inf, 30)", "integer") == "less than 30"
        assert meaning(by_number, self.AGES, "[30, inf)", "integer") == "30 or more"
        words = pl.Series(["angina", "asthma", "flu", "fracture"])
        order = "any text in alphabetical order (by Unicode number)"
        assert meaning(by_number, words, "f*") == "any text beginning with f"
        many = pl.Series([f"{letter}{letter}" for letter in "abcdefgh"])
        assert meaning(by_number, many, "c\u2013d") == f"{order} from c to those beginning with d"
        close = pl.Series(["A", "L", "La", "Lb"])
        assert meaning(by_number, close, 'A\u2013"L"') == f"{order} from A to L itself"
        days = pl.Series([date(2023, 5, 5), date(2023, 9, 2), date(2024, 2, 9), date(2024, 3, 1)])
        assert meaning(by_number, days, "[2024-01-01, inf)", "date") == "any day from 2024-01-01 (included) on"

    def test_made_from_data_lists_no_value(self) -> None:
        for hierarchy in ({"mask": "right"}, {"balanced": {"fanout": 2}}):
            taxonomy = made(hierarchy, pl.Series(["abcd", "abce", "zzzz", "zzzy"]).sort())
            for node in range(taxonomy.size, len(taxonomy.labels)):
                words = explain(column(hierarchy), taxonomy, node)
                assert not any(leaf in words for leaf in taxonomy.leaves)

    def test_written_hierarchies_list_a_few(self, base: Path) -> None:
        edu = {"file": "edu.csv"}  # a file may have been made from the data
        assert meaning(edu, pl.Series(["9th"]), "Higher", base=base) == "any of 2 values of the hierarchy"
        assert meaning(edu, pl.Series(["9th"]), "School", base=base) == "any of 1 values of the hierarchy"
        written = {"tree": {"Higher": ["Bachelors", "Masters"], "School": ["9th"]}}
        assert meaning(written, pl.Series(["9th"]), "Higher") == "any of 2 values of the hierarchy: Bachelors, Masters"
        assert meaning(written, pl.Series(["9th"]), "School") == "only the value 9th"
        many = {"tree": {"few": [f"a{each}" for each in range(100)], "many": [f"b{each}" for each in range(101)]}}
        assert meaning(many, pl.Series(["b1"]), "few").endswith("a98, a99")
        assert meaning(many, pl.Series(["b1"]), "many") == "any of 101 values of the hierarchy"

    def test_notations_in_files_are_believed_if_the_values_agree(self, base: Path) -> None:
        assert meaning({"file": "age.csv"}, pl.Series([5]), "0-9", "integer", base) == (
            "from 0 (included) to 9 (included)"
        )
        lies = {"tree": {"0-9": ["5", "12"], ">=80": ["80", "91"], "81***": ["81677", "81925"], "82***": ["8", "x"]}}
        assert meaning(lies, pl.Series(["5"]), "0-9") == "any of 2 values of the hierarchy: 5, 12"
        assert meaning(lies, pl.Series(["5"]), ">=80") == "80 or more"
        assert meaning(lies, pl.Series(["5"]), "81***") == "5 characters beginning with 81"
        assert meaning(lies, pl.Series(["5"]), "82***") == "any of 2 values of the hierarchy: 8, x"
