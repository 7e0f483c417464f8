"""`sfumato hierarchy` and the functions behind it."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.hierarchy import app

CSV = "age,zip,admitted\n23,02139,2024-03-05\n31,02142,2024-04-01\n23,10001,2023-12-31\n,02139,2024-03-05\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*words: object) -> Any:
    return json.loads(run(*words, "--json"))


class TestBuild:
    @pytest.mark.parametrize(
        ("column", "options", "first"),
        [
            ("age", ["--intervals", "5,10,20"], "23;[20, 25);[20, 30);[20, 40);*"),
            ("age", ["--intervals", "5, 10", "--origin", "1"], "23;[21, 26);[21, 31);*"),
            ("zip", ["--mask", "right"], "02139;0213*;021**;02***;0****;*"),
            ("admitted", ["--dates", "month,year"], "2023-12-31;2023-12;2023;*"),
            ("zip", ["--flat"], "02139;*"),
            ("age", ["--balanced", "2", "--type", "integer"], "23;*"),
        ],
    )
    def test_each_kind(self, data: Path, column: str, options: list[str], first: str) -> None:
        target = data.with_name("made.csv")
        words = run("build", data, "--column", column, *options, "-o", target)
        assert target.read_text(encoding="utf-8").splitlines()[0] == first
        assert "keep it as safe as the data" in words
        assert run_json("check", target, "--data", data, "--column", column)["ok"]

    def test_facts(self, data: Path) -> None:
        target = data.with_name("made.csv")
        facts = run_json("build", data, "-c", "age", "--intervals", "10", "-o", target, "--format", "csv")
        expected = {"file": str(target), "column": "age", "values": 2, "nodes": 5, "height": 2}
        assert facts == {**expected, "balanced": True, "root": "*"}
        assert target.read_text(encoding="utf-8").startswith("level0,level1,level2\n")

    @pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
    def test_the_file_is_the_owners(self, data: Path) -> None:
        run("build", data, "-c", "zip", "--flat", "-o", data.with_name("made.csv"))
        assert stat.S_IMODE(data.with_name("made.csv").stat().st_mode) == 0o600

    def test_an_existing_file_stays(self, data: Path) -> None:
        target = data.with_name("made.csv")
        target.write_text("mine", encoding="utf-8")
        with pytest.raises(sf.InputError, match="--force"):
            run("build", data, "-c", "zip", "--flat", "-o", target)
        assert target.read_text(encoding="utf-8") == "mine"
        run("build", data, "-c", "zip", "--flat", "-o", target, "--force")
        assert target.read_text(encoding="utf-8").startswith("02139;*")

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["-c", "zip"], "choose one of"),
            (["-c", "zip", "--flat", "--mask", "right"], "choose one of"),
            (["-c", "plz", "--flat"], "no column 'plz'"),
            (["-c", "zip", "--mask", "middle"], "hierarchy"),
            (["-c", "age", "--intervals", "5,x"], "hierarchy"),
            (["-c", "age", "--intervals", "5,12"], "must be a multiple"),
            (["-c", "age", "--balanced", "1"], "hierarchy"),
            (["-c", "age", "--flat", "--format", "xml"], "arx or csv"),
            (["-c", "admitted", "--intervals", "5"], "column 'admitted': 4 cells are not a number"),
            (["-c", "zip", "--flat", "--type", "colour"], "type"),
        ],
    )
    def test_mistakes(self, data: Path, words: list[str], message: str) -> None:
        with pytest.raises(sf.InputError, match=message) as caught:
            run("build", data, *words, "-o", data.with_name("made.csv"))
        assert not data.with_name("made.csv").exists()
        assert not any(value in str(caught.value) for value in ("02139", "2024-03-05"))

    def test_other_ways_of_writing(self, tmp_path: Path) -> None:
        path = tmp_path / "days.csv"
        path.write_text("day;fee\n05.03.2024;1,5\n", encoding="utf-8")
        run("build", path, "-c", "day", "--dates", "year", "--date-format", "%d.%m.%Y", "-o", tmp_path / "day.csv")
        assert (tmp_path / "day.csv").read_text(encoding="utf-8") == "2024-03-05;2024;*\n"
        run("build", path, "-c", "fee", "--intervals", "1", "--decimal", ",", "-o", tmp_path / "fee.csv")
        assert (tmp_path / "fee.csv").read_text(encoding="utf-8") == "1.5;[1, 2);*\n"


class TestCheck:
    def test_sound(self, tmp_path: Path, data: Path) -> None:
        path = tmp_path / "age.csv"
        path.write_text("value,group,all\n023,young,*\n31,old,*\n40,old,*\n", encoding="utf-8")
        assert "is sound: 3 values, 2 groups, height 2, root '*'" in run("check", path)
        words = run("check", path, "--data", data, "--column", "age", "--type", "integer")
        assert "holds all 2 values of column 'age'" in words
        facts = run_json("check", path, "--data", data, "--column", "age", "--type", "integer")
        assert (facts["ok"], facts["values"], facts["values_in_data"], facts["rows"]) == (True, 3, 2, 3)

    def test_a_value_that_is_not_there(self, tmp_path: Path, data: Path) -> None:
        path = tmp_path / "zip.csv"
        path.write_text("02139;021**;*\n", encoding="utf-8")
        with pytest.raises(sf.HierarchyError) as caught:
            run("check", path, "--data", data, "--column", "zip")
        message = str(caught.value)
        assert (
            "column 'zip': 2 of 3 distinct values (2 rows, first in row 2) are not in its hierarchy zip.csv" in message
        )
        assert "02142" not in message and "10001" not in message

    def test_usage(self, tmp_path: Path, data: Path) -> None:
        path = tmp_path / "zip.csv"
        path.write_text("02139;*\n", encoding="utf-8")
        with pytest.raises(sf.InputError, match="go together"):
            run("check", path, "--data", data)
        with pytest.raises(sf.InputError, match="--format must be"):
            run("check", path, "--format", "xml")
        with pytest.raises(sf.HierarchyError, match=r"zip.csv, line 2"):
            path.write_text("02139;*\n02139;*\n", encoding="utf-8")
            run("check", path)


class TestShow:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "age.csv"
        path.write_text("23;[20, 25);[20, 30);*\n27;[25, 30);[20, 30);*\n41;41;[40, 50);*\n", encoding="utf-8")
        return path

    def test_drawn(self, path: Path) -> None:
        drawn = run("show", path, "--depth", "1")
        assert [line.strip("│├└─ ") for line in drawn.splitlines()] == [
            "*  (3 values)",
            "[20, 30)  (2 values)",
            "[40, 50)  (1 value)",
        ]
        assert "[20, 25)  (1 value)" in run("show", path)
        assert "... 1 more" in run("show", path, "--most", "1")

    def test_json(self, path: Path) -> None:
        facts = run_json("show", path)
        assert (facts["height"], facts["balanced"]) == (3, False)
        assert facts["tree"]["children"][1] == {
            "label": "[40, 50)",
            "values": 1,
            "children": [{"label": "41", "values": 1}],
        }
        assert "children" not in run_json("show", path, "--depth", "1")["tree"]["children"][0]


def test_help_has_examples() -> None:
    for command in ("build", "check", "show"):
        assert "Example:  sfumato hierarchy " in run(command, "--help")


class TestFunctions:
    def test_frames(self) -> None:
        frame = pl.DataFrame({"age": [23, 31, None], "zip": ["02139", "", "10001"]})
        assert sf.build_hierarchy(frame, "age", {"intervals": [10]}).leaves == ("23", "31")
        floats = frame.select(pl.col("age").cast(float))
        assert sf.build_hierarchy(floats, "age", {"intervals": [10]}).path(0) == ["23", "[20, 30)", "*"]

    def test_nothing_to_build_from(self) -> None:
        with pytest.raises(sf.InputError, match="column 'age' has no values"):
            sf.build_hierarchy(pl.DataFrame({"age": [None]}, schema={"age": pl.Int64}), "age", "flat")

    def test_round_trip(self, tmp_path: Path) -> None:
        frame = pl.DataFrame({"zip": ["02139", "02142", "10001", "7"]})
        tree = sf.build_hierarchy(frame, "zip", {"mask": "right"})
        for format in ("arx", "csv"):
            sf.write_hierarchy(tree, tmp_path / "zip.csv", format)
            assert sf.read_hierarchy(tmp_path / "zip.csv").as_node() == tree.as_node()
        coverage = sf.check_hierarchy(tmp_path / "zip.csv", frame, "zip")
        assert (coverage.values, coverage.rows, coverage.taxonomy.size) == (4, 4, 4)
