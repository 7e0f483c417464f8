"""`output: {spreadsheet: safe}`: nothing in a release that a spreadsheet would run, and no two values made one."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.policy.forms import FORMS, Form
from sfumato.release.documents import InMemory
from sfumato.release.formulas import _formula, _read, shown_name
from sfumato.release.target import TableFile
from sfumato.table.spreadsheet import harmless, harmless_text

GIVEN = ["=1+1", "+cmd", "-x", "@y", "\tz", "\rz", "\nz", "\uff1d1", " =1", "-5+cmd", "'=1+1", "''@y", '="a"']
SAFE = ["-5", "+1.5", "-0,5", "-1e-05", "a=b", "'", "'x", "", "'-5"]

FRAME = pl.DataFrame(
    {
        "=town": ["=a", "'=a", "-b", "=a", "'=a", "-b", "=a", "'=a"],
        "age": [-5, -4, 30, 31, 32, -3, 33, 34],
        "s": ["=flu", "'=flu", "+gout", "=flu", "'=flu", "+gout", "=flu", "+gout"],
        "@note": ["x"] * 7 + ["=cmd"],
    }
)


def policy(form: Form, spreadsheet: str = "safe", **town: Any) -> dict[str, Any]:
    return {
        "columns": {
            "=town": {"role": "quasi", **town},
            "age": {"role": "quasi", "type": "integer"},
            "s": {"role": "sensitive"},
            "@note": {"role": "insensitive"},
        },
        "privacy": [{"model": "simple-l", "l": 2}],
        "form": form.model_dump(mode="json"),
        "partition": {"method": "lattice", "minimum": {"=town": 1, "age": 1}},
        "output": {"spreadsheet": spreadsheet},
    }


def test_what_runs_is_quoted_and_nothing_else() -> None:
    assert [harmless_text(text) for text in GIVEN] == [f"'{text}" for text in GIVEN]
    assert [harmless_text(text) for text in SAFE] == SAFE
    frame = harmless(pl.DataFrame({"=head": [*GIVEN, *SAFE, None], "n": range(-1, len(GIVEN) + len(SAFE))}))
    assert frame.columns == ["'=head", "n"] and frame["n"][0] == -1
    assert frame["'=head"].to_list() == [*(f"'{text}" for text in GIVEN), *SAFE, None]


@given(st.text(alphabet="'=+-@\t\n a5.e\uff1d\xa0"))
def test_the_auditor_reads_every_text_back(text: str) -> None:
    shown = harmless_text(text)
    assert shown == shown_name(text) == harmless(pl.DataFrame({"a": [text]}))["a"][0]
    assert _read(shown) == text
    assert shown.startswith("'") or not _formula(shown)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("form", [cls.model_validate({}) for cls in FORMS.values()], ids=list(FORMS))
def test_a_release_of_every_form_is_safe_and_audited_as_written(form: Form, kind: str, tmp_path: Path) -> None:
    given = policy(form)
    written = sf.publish(FRAME, policy=given, seed=0).write(
        tmp_path / "out", kind="csv" if kind == "csv" else "parquet"
    )
    assert sf.audit(tmp_path / "out", given, written.manifest).holds
    assert sf.audit(tmp_path / "out", given).problems == ()
    if kind == "csv":
        for file in written.files[:-1]:
            with file.open(encoding="utf-8", newline="") as lines:
                cells = {cell for row in csv.reader(lines) for cell in row}
            assert not any(cell[:1] in tuple("=+-@\t\r") and not cell.lstrip("-").isdigit() for cell in cells if cell)


def test_hierarchies_and_dictionaries_keep_matching(tmp_path: Path) -> None:
    tree: dict[str, Any] = {"hierarchy": {"tree": {"@any": {"=as": ["=a", "'=a"], "-bs": ["-b"]}}}}
    release = sf.publish(FRAME, policy=policy(sf.Generalized(), **tree), seed=0)
    written = release.write(tmp_path / "out")
    assert set(release.table["'=town"].to_list()) <= {"'@any", "'=as", "'-bs", "*"}
    assert sf.audit(tmp_path / "out", policy(sf.Generalized(), **tree), written.manifest).holds


def test_without_the_option_nothing_changes() -> None:
    release = sf.publish(FRAME, policy=policy(sf.Permuted(), "as is"), seed=0)
    assert sorted(release.table["s"].to_list()) == sorted(FRAME["s"].to_list())


def test_a_release_that_is_not_safe_is_found() -> None:
    as_it_is = sf.publish(FRAME, policy=policy(sf.Permuted(), "as is"), seed=0)
    document = as_it_is._document("csv", {"table": TableFile("table.csv", None)})
    found = sf.audit(InMemory(document, as_it_is.tables), policy(sf.Permuted()))
    assert any("would be run by a spreadsheet" in problem for problem in found.problems)
    assert not any("flu" in problem for problem in found.problems)


def test_sets_of_terms(tmp_path: Path) -> None:
    given = {
        "columns": {
            "q": {"role": "quasi", "type": "integer"},
            "=t": {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": {"a": ["=x"], "b": ["@y"]}}},
        },
        "privacy": [{"model": "qs-cl", "c": 1, "l": 2}],
        "partition": {"method": "mondrian"},
        "output": {"spreadsheet": "safe"},
    }
    rows = pl.DataFrame({"q": range(4), "=t": ["=x", "@y", "=x", "@y"]})
    for kind in ("csv", "parquet"):
        written = sf.publish(rows, policy=given, seed=0).write(
            tmp_path / kind, kind="csv" if kind == "csv" else "parquet"
        )
        assert sf.audit(tmp_path / kind, given, written.manifest).holds
