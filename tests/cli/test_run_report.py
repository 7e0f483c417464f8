"""`sfumato anonymize --report`: the report of this very run, whatever its outcome, whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from tests.cli.test_stopped import PRESSED
from tests.support.command import POLICY, Cli, files
from tests.support.examples import some

RUN = ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")


def test_it_is_the_report_of_what_was_written(place: Path, cli: Cli) -> None:
    done = cli.well(*RUN, "--report", "run.json")
    assert done.out.endswith("wrote run.json\n")
    holder = ("-p", "policy.yaml", "--original", "data.csv", "--manifest", "out.internal.json")
    cli.well("report", "out", *holder, "-o", "later.json")
    run, later = (json.loads((place / name).read_text(encoding="utf-8")) for name in ("run.json", "later.json"))
    assert run["outcome"] == "met" and run["fingerprint"] and run["files"]
    assert run == later, "as if it had been read back and judged once more"


def test_nothing_is_judged_again(place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(*_: object, **__: object) -> Any:
        raise AssertionError("it was judged already")

    monkeypatch.setattr("sfumato.reports.report.judge", judged)
    assert cli.well(*RUN, "--report", "r.html", "--json").json["report"] == "r.html"


def test_editions_and_languages(place: Path, cli: Cli) -> None:
    cli.well(*RUN, "--report", "r.html", "--edition", "external", "--language", "de", "-q")
    text = (place / "r.html").read_text(encoding="utf-8")
    assert "EXTERNE Ausgabe" in text and "data.csv" not in text
    cli.well(*RUN, "--report", "r.md", "--force", "-q")
    if os.name == "posix":
        assert (place / "r.md").stat().st_mode & 0o077 == 0, "the internal edition is its owner's"


@pytest.mark.parametrize(
    ("settings", "code", "outcome", "says"),
    [
        ("l: 9", 3, "infeasible", "nearest promise that can be kept"),
        ("l: 2, on: disease}\nform: {publish: permuted} #", 2, "refused", "permuted"),
    ],
)
def test_a_run_without_a_release_says_why(
    place: Path, cli: Cli, settings: str, code: int, outcome: str, says: str
) -> None:
    (place / "policy.yaml").write_text(POLICY.replace("l: 2", settings), encoding="utf-8")
    for name in ("r.json", "r.html"):
        done = cli(*RUN, "--report", name)
        assert done.code == code and done.out == f"wrote {name}: why there is no release\n"
    facts = json.loads((place / "r.json").read_text(encoding="utf-8"))
    assert facts["outcome"] == outcome and says in " ".join([facts["reason"], *facts["remedies"]])
    assert not (place / "out").exists()
    told = cli(*RUN, "--report", "e.md", "--edition", "external", "--json")
    assert told.code == code and told.json["exit_code"] == code
    external = (place / "e.md").read_text(encoding="utf-8")
    assert says not in external and "internal edition" in external, "the reason tells of the table"


def test_a_method_that_finds_none(place: Path, cli: Cli) -> None:
    rows = [f"{30 + at},{value}" for at, value in enumerate("aaaaabbbbbcc")]
    (place / "data.csv").write_text("\n".join(["age,disease", *rows]) + "\n", encoding="utf-8")
    (place / "policy.yaml").write_text(
        "columns:\n  age: {role: quasi, type: integer}\n  disease: {role: sensitive}\n"
        "privacy: [{model: entropy-l, l: 2.5}]\npartition: {method: hilbert}\n",
        encoding="utf-8",
    )
    assert cli(*RUN, "--report", "r.json").code == 5
    assert json.loads((place / "r.json").read_text(encoding="utf-8"))["outcome"] == "none found"


@pytest.mark.parametrize(("verdict", "outcome"), [("fails", "not met"), ("undecidable", "undecidable")])
def test_an_audit_that_does_not_confirm(
    place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, verdict: str, outcome: str
) -> None:
    def broken(*given: Any, **settings: Any) -> sf.Audit:
        found = sf.audit(*given, **settings)
        first = found.criteria[0].model_copy(update={"verdict": verdict})
        return found.model_copy(update={"criteria": (first, *found.criteria[1:])})

    monkeypatch.setattr("sfumato.engine.release.audit", broken)
    assert cli(*RUN, "--report", "r.json").code == 4
    assert cli(*RUN, "--report", "r.html").code == 4
    facts = json.loads((place / "r.json").read_text(encoding="utf-8"))
    assert (facts["outcome"], facts["criteria"][0]["verdict"]) == (outcome, verdict)
    text = (place / "r.html").read_text(encoding="utf-8")
    assert "Nothing was published" in text and "✓" not in text and "release under conditions" not in text
    assert not (place / "out").exists()


def test_bad_input_has_no_report(place: Path, cli: Cli) -> None:
    (place / "policy.yaml").write_text(POLICY.replace("k: 3", "k: 0"), encoding="utf-8")
    assert cli(*RUN, "--report", "r.html").code == 2
    assert not (place / "r.html").exists()


@pytest.mark.parametrize(
    ("report", "says"),
    [
        ("r.pdf", "a report ends with .html, .md, .json"),
        ("there.html", "there.html exists; nothing was changed. Use --force"),
        ("out/report.html", "put the report beside the release"),
        ("out.internal.json", "choose another name"),
        ("folder.html", "is a folder"),
    ],
)
def test_a_place_that_cannot_be_is_refused_before_the_run(place: Path, cli: Cli, report: str, says: str) -> None:
    (place / "there.html").write_text("mine", encoding="utf-8")
    (place / "folder.html").mkdir()
    before = files(place)
    done = cli(*RUN, "--report", report, *(["--force"] if report == "out.internal.json" else []))
    assert done.code == 2 and says in done.err
    assert files(place) == before


def test_never_over_what_is_read(place: Path, cli: Cli) -> None:
    policy = sf.read_policy("policy.yaml").as_dict()
    (place / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    for command in (("anonymize", "data.csv", "-p", "policy.json", "-o", "out", "--report"), ("report", "out", "-o")):
        inputs = () if command[0] == "anonymize" else ("-p", "policy.json")
        done = cli(*command, "policy.json", *inputs, "--force")
        assert done.code == 2 and "choose another name" in done.err, done.err
    assert json.loads((place / "policy.json").read_text(encoding="utf-8")) == policy
    done = cli(*RUN, "--language", "de")
    assert done.code == 2 and "add --report FILE" in done.err
    done = cli(*RUN, "--report", "r.html", "--language", "la")
    assert done.code == 2 and "there are no words in 'la'" in done.err
    assert cli(*RUN, "--report", "r.html", "--edition", "public").code == 2


def test_a_report_that_cannot_be_written_costs_no_release(
    place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sfumato.reports.file.ReportFile.write", full)
    done = cli(*RUN, "--report", "r.html", "--json")
    assert done.code == 1 and "out was written, and its report was not: No space left on device" in done.err
    assert "report" not in done.json and done.json["audit"]["holds"]
    assert sf.audit("out", "policy.yaml").holds
    (place / "policy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    done = cli(*RUN, "--report", "r.html", "--force")
    assert done.code == 3 and "warning: the report could not be written: No space" in done.err


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize(
    ("moment", "whole"),
    some(
        [
            (("sfumato.reports.report", "assess", "1", "raised"), False),
            (("sfumato.release.moves", "_put", "3", "raised"), True),
        ]
    ),
)
def test_ctrl_c_leaves_no_half_report(place: Path, moment: tuple[str, ...], whole: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRESSED, *moment, *RUN, "-q", "--report", "r.html"],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (130, -2), done.stderr
    assert done.stderr.strip() == "stopped; out was written"
    assert (place / "out").exists() and (place / "r.html").exists() == whole
    assert not list(place.glob(".*"))
