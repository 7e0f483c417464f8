"""Labels of a Stata or SPSS file survive into the release, its dictionary and files that hold labels; no others do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli.main import app
from sfumato.errors import InputError
from tests.support.sheets import STATISTICS, needs_pyreadstat

pytestmark = [needs_pyreadstat]

LABELS = {"sex": {1: "male", 2: "female", 3: "other"}, "ill": {1: "flu", 2: "cold", 9: "plague"}, "kids": {0: "none"}}
POLICY: dict[str, Any] = {
    "columns": {
        "sex": {"role": "quasi"},
        "age": {"role": "quasi"},
        "ill": {"role": "sensitive"},
        "kids": {"role": "insensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}],
    "partition": {"method": "mondrian"},
}

BYTES = "its bytes are not those that its cells are written with"


@pytest.fixture(params=STATISTICS)
def survey(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    import pyreadstat

    rows = range(24)
    frame = pl.DataFrame(
        {
            "sex": [1 + i % 2 for i in rows],
            "age": [30 + i // 3 for i in rows],
            "ill": [1 + i // 2 % 2 for i in rows],
            "kids": [i % 2 for i in rows],
        }
    )
    path = tmp_path / f"survey{'.dta' if request.param == 'stata' else '.sav'}"
    write = pyreadstat.write_dta if request.param == "stata" else pyreadstat.write_sav
    shown = dict.fromkeys(frame.columns, "%9.0g" if request.param == "stata" else "F8.0")
    columns = {"sex": "Sex of the person", "age": "Age in years"}
    write(frame, path, column_labels=columns, variable_value_labels=LABELS, variable_format=shown)
    return path


def dictionary(path: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["dictionary"]
    return made


@pytest.mark.parametrize("ending", [".dta", ".sav", ".csv", ".xlsx", ".parquet"])
def test_labels_survive_into_every_kind_of_release(survey: Path, tmp_path: Path, ending: str) -> None:
    import pyreadstat

    release = sf.publish(survey, policy=POLICY, seed=1)
    out = tmp_path / f"out{ending}"
    written = release.write(out)
    assert written.audit.holds
    assert sf.audit(out, POLICY, written.manifest).holds
    outside = sf.audit(out, POLICY)
    assert outside.holds
    assert any("labels of 4 columns" in note for note in outside.notes)
    told = dictionary(tmp_path / "out.release.json")
    assert told["sex"]["label"] == "Sex of the person"
    assert told["sex"]["labels"] == [{"code": 1, "label": "male"}, {"code": 2, "label": "female"}]
    assert told["ill"]["labels"] == [{"code": 1, "label": "flu"}, {"code": 2, "label": "cold"}]
    assert told["age"]["label"] == "Age in years"
    assert told["kids"]["labels"] == [{"code": 0, "label": "none"}]
    assert b"plague" not in out.read_bytes() + (tmp_path / "out.release.json").read_bytes()
    assert set(release.table["ill"]) == {"flu", "cold"}
    assert release.table["kids"].dtype == pl.Int64
    if ending in (".dta", ".sav"):
        cells, meta = (pyreadstat.read_dta if ending == ".dta" else pyreadstat.read_sav)(out, output_format="dict")
        assert meta.column_names_to_labels["sex"] == "Sex of the person"
        assert meta.variable_value_labels["ill"] == {1: "flu", 2: "cold"}
        assert meta.variable_value_labels["kids"] == {0: "none"}
        assert set(cells["ill"]) == {1, 2}
        assert all(isinstance(age, str) for age in cells["age"])  # generalized: a text, with its label
        assert meta.column_names_to_labels["age"] == "Age in years"


def test_a_release_may_be_written_without_labels(survey: Path, tmp_path: Path) -> None:
    policy = {**POLICY, "output": {"labels": "drop"}}
    release = sf.publish(survey, policy=policy, seed=1)
    assert release.write(tmp_path / f"out{survey.suffix}").audit.holds
    assert "label" not in dictionary(tmp_path / "out.release.json")["sex"]
    release = sf.publish(survey, policy=POLICY, seed=1)
    release.write(tmp_path / "kept.csv")
    assert any("the policy drops them" in each for each in sf.audit(tmp_path / "kept.csv", policy).problems)


def test_labels_that_a_file_or_document_adds_are_found(survey: Path, tmp_path: Path) -> None:
    """A label of a value that no row shows could tell who was left out."""
    import pyreadstat

    out, described = tmp_path / f"out{survey.suffix}", tmp_path / "out.release.json"
    sf.publish(survey, policy=POLICY, seed=1).write(out)
    whole = described.read_text(encoding="utf-8")
    told = json.loads(whole)
    told["dictionary"]["ill"]["labels"].append({"code": 9, "label": "plague"})
    described.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    problems = sf.audit(out, POLICY).problems
    assert "column 'ill': the data dictionary has labels of 1 value not published" in problems
    told = json.loads(whole)
    told["dictionary"]["ill"]["labels"] = []
    described.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert any(
        "its bytes are not those that its cells are written with" in each for each in sf.audit(out, POLICY).problems
    )
    described.write_text(whole, encoding="utf-8")
    read, write = (
        (pyreadstat.read_dta, pyreadstat.write_dta)
        if survey.suffix == ".dta"
        else (pyreadstat.read_sav, pyreadstat.write_sav)
    )
    cells, meta = read(out, output_format="polars")
    labels = {**meta.variable_value_labels, "ill": {1: "flu", 2: "cold", 9: "plague"}}
    write(cells, out, file_label=meta.file_label, variable_value_labels=labels)
    assert any(
        "its bytes are not those that its cells are written with" in each for each in sf.audit(out, POLICY).problems
    )


def test_codes_stay_codes_where_the_policy_says_so(survey: Path, tmp_path: Path) -> None:
    policy = {**POLICY, "input": {"codes": ["ill"]}}
    release = sf.publish(survey, policy=policy, seed=1)
    assert set(release.table["ill"]) == {1, 2}
    out = tmp_path / f"out{survey.suffix}"
    assert release.write(out).audit.holds
    assert dictionary(tmp_path / "out.release.json")["ill"]["labels"][0] == {"code": 1, "label": "flu"}
    assert sf.audit(out, policy).holds


def test_the_command_line_takes_and_gives_such_files(survey: Path, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(POLICY), encoding="utf-8")
    command = ["anonymize", str(survey), "-p", str(tmp_path / "p.json"), "-q", "-o", str(tmp_path / "out")]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert (tmp_path / "out" / f"table{survey.suffix}").is_file()
    done = CliRunner().invoke(app, ["audit", str(tmp_path / "out"), "-p", str(tmp_path / "p.json")])
    assert done.exit_code == 0, done.output


def test_a_form_of_several_tables_has_labels_in_each(survey: Path, tmp_path: Path) -> None:
    policy = {**POLICY, "privacy": [{"model": "distinct-l", "l": 2}], "form": {"publish": "anatomized"}}
    assert sf.publish(survey, policy=policy, seed=1).write(tmp_path / "out").audit.holds
    assert sf.audit(tmp_path / "out", policy).holds
    assert dictionary(tmp_path / "out" / "release.json")["ill"]["labels"][1]["label"] == "cold"


def test_what_a_kind_cannot_hold_leaves_nothing_behind(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex at birth": ["m"] * 6, "ill": ["a", "b"] * 3})
    policy = {
        "columns": {"sex at birth": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    release = sf.publish(frame, policy=policy, seed=1)
    with pytest.raises(InputError, match="Stata cannot hold a column called 'sex at birth'"):
        release.write(tmp_path / "out.dta")
    assert [*tmp_path.iterdir()] == []
