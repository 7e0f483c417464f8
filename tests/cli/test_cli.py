"""The command line as a person or a nightly job meets it: output, exit codes, and what is left on disk."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import sfumato as sf
from sfumato.cli import demo
from tests.support.command import POLICY, Cli, files


def test_anonymize_then_audit(place: Path, cli: Cli) -> None:
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 0
    assert "every criterion is met" in done.out
    assert sorted(path.name for path in (place / "out").iterdir()) == ["release.json", "table.csv"]
    judged = cli("audit", "out", "-p", "policy.yaml", "--json")
    assert judged.code == 0
    assert judged.json["holds"] is True
    assert [criterion["verdict"] for criterion in judged.json["criteria"]] == ["holds", "holds"]
    assert judged.json["reached"]["k"] >= 3


def test_two_tables_need_a_folder_which_is_said_before_any_work(place: Path, cli: Cli) -> None:
    text = POLICY.replace("  - {model: k-anonymity, k: 3}\n", "") + "form: {publish: anatomized}\n"
    (place / "policy.yaml").write_text(text, encoding="utf-8")
    refused = cli("anonymize", "nothing.csv", "-p", "policy.yaml", "-o", "out.csv")
    assert refused.code == 2 and "2 tables" in refused.err
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert sorted(path.name for path in (place / "out").iterdir()) == ["quasi.csv", "release.json", "sensitive.csv"]
    assert cli("audit", "out", "-p", "policy.yaml").code == 0


def test_the_same_job_gives_the_same_bytes(place: Path, cli: Cli) -> None:
    for name in ("one", "two"):
        assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", name, "-q").code == 0
    assert files(place / "one") == files(place / "two")


def test_json_tells_what_was_done(place: Path, cli: Cli) -> None:
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out.parquet", "--json")
    assert done.code == 0
    assert done.json["release"]["rows"] == 60
    assert done.json["audit"]["holds"] is True
    assert done.json["files"] == ["out.parquet", "out.release.json"]
    assert (place / done.json["manifest"]).is_file()


def test_standard_input(place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with (place / "data.csv").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": stream})())
        assert cli("anonymize", "-", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    assert cli("audit", "out", "-p", "policy.yaml", "-q").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("anonymize", "none.csv", "-p", "policy.yaml", "-o", "out"), 2, "none.csv"),
        (("anonymize", "data.csv", "-p", "none.yaml", "-o", "out"), 2, "sfumato init"),
        (("anonymize", "data.csv", "-p", "bad.yaml", "-o", "out"), 2, "2 mistakes"),
        (("anonymize", "data.csv", "-p", "less.yaml", "-o", "out"), 2, "'zip'"),
        (("anonymize", "data.csv", "-p", "greedy.yaml", "-o", "out"), 3, "nearest promise"),
        (("anonymize", "data.csv", "-p", "policy.yaml", "-o", "taken"), 2, "--force"),
        (("anonymize", "data.csv", "-p", "policy.yaml", "-o", "taken", "--force"), 2, "not just a release"),
        (
            ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--format", "xls"),
            2,
            "csv, parquet, excel, stata or spss",
        ),
        (("anonymize", "data.csv", "-p", "policy.yaml"), 2, ""),
        (("anonymise",), 2, ""),
        (("audit", "data.csv", "-p", "policy.yaml"), 4, "fails"),
        (("audit", "none", "-p", "policy.yaml"), 2, "no such release"),
        (("audit", "taken", "-p", "policy.yaml"), 2, "release.json"),
        (("audit", "data.csv", "-p", "close.yaml"), 4, "undecidable"),
        (("audit", "data.csv", "-p", "close.yaml", "--whole"), 4, "fails"),
        (("schema", "moon"), 2, "policy, release, audit"),
    ],
)
def test_exit_codes_and_words(place: Path, cli: Cli, arguments: tuple[str, ...], code: int, words: str) -> None:
    (place / "bad.yaml").write_text(POLICY.replace("k: 3", "k: 0").replace("l: 2", "l: x"), encoding="utf-8")
    (place / "less.yaml").write_text(
        POLICY.replace("  zip: {role: quasi, hierarchy: {mask: right}}\n", ""), encoding="utf-8"
    )
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    close = POLICY.replace("distinct-l, l: 2", "t-closeness, t: 0.1")
    (place / "close.yaml").write_text(close, encoding="utf-8")
    (place / "taken").mkdir()
    (place / "taken" / "thesis.txt").write_text("years of work", encoding="utf-8")
    before = files(place)
    done = cli(*arguments)
    assert done.code == code
    assert words in done.out + done.err
    assert "Traceback" not in done.err
    assert files(place) == before, "nothing is written on failure"


def test_errors_are_json_when_asked(place: Path, cli: Cli) -> None:
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    infeasible = cli("anonymize", "data.csv", "-p", "greedy.yaml", "-o", "out", "--json")
    assert infeasible.code == 3
    assert infeasible.json["error"] == "Infeasible"
    assert {"model": "distinct-l", "l": 4, "on": "disease"} in infeasible.json["nearest"]["promises"]
    (place / "bad.yaml").write_text(POLICY.replace("k: 3", "k: 0"), encoding="utf-8")
    wrong = cli("anonymize", "data.csv", "-p", "bad.yaml", "-o", "out", "--json")
    assert wrong.json["problems"][0]["path"] == "privacy[0].k"


def test_an_unexpected_error_shows_no_data(place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("row 7 has lupus")

    monkeypatch.setattr(sf, "publish", broken)
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 1
    assert "lupus" not in done.out + done.err
    assert "RuntimeError" in done.err


def test_no_output_or_error_ever_holds_a_sensitive_value(place: Path, cli: Cli) -> None:
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    for arguments in (
        ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out"),
        ("anonymize", "data.csv", "-p", "greedy.yaml", "-o", "out2"),
        ("audit", "out", "-p", "policy.yaml"),
        ("audit", "data.csv", "-p", "policy.yaml"),
        ("audit", "data.csv", "-p", "policy.yaml", "--json"),
        ("init", "data.csv", "-o", "new.yaml"),
    ):
        done = cli(*arguments)
        assert not any(value in done.out + done.err for value in ("flu", "cold", "gout", "lupus"))
    text = (place / "new.yaml").read_text(encoding="utf-8") + (place / "out" / "release.json").read_text(
        encoding="utf-8"
    )
    assert not any(value in text for value in ("flu", "cold", "gout", "lupus"))


def test_init_writes_a_policy_that_a_person_must_confirm(place: Path, cli: Cli) -> None:
    done = cli("init", "data.csv")
    assert done.code == 0
    text = (place / "data.yaml").read_text(encoding="utf-8")
    assert "separation" in text
    assert "not decisions" in done.out
    again = cli("init", "data.csv")
    assert again.code == 2
    assert (place / "data.yaml").read_text(encoding="utf-8") == text
    assert cli("anonymize", "data.csv", "-p", "data.yaml", "-o", "out", "-q").code == 0


def test_a_file_without_a_header_tells_nothing_of_its_first_row(place: Path, cli: Cli) -> None:
    lines = (place / "data.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (place / "bare.csv").write_text("".join(["20,02000,SECRET\n", *lines[1:]]), encoding="utf-8")
    (place / "twice.csv").write_text("SECRET,SECRET,x\n1,2,3\n", encoding="utf-8")
    for arguments in (
        ("anonymize", "bare.csv", "-p", "policy.yaml", "-o", "out"),
        ("anonymize", "twice.csv", "-p", "policy.yaml", "-o", "out"),
        ("init", "bare.csv"),
    ):
        done = cli(*arguments)
        assert done.code == 2
        assert "SECRET" not in done.out + done.err
    assert not (place / "bare.yaml").exists()


def test_usage_errors_are_json_when_asked(place: Path, cli: Cli) -> None:
    for arguments in (("anonymize", "data.csv", "--json"), ("audit", "--json", "--nonsense")):
        done = cli(*arguments)
        assert done.code == 2
        assert done.json["exit_code"] == 2


def test_latin_1_from_init_to_release(place: Path, cli: Cli) -> None:
    text = (place / "data.csv").read_text(encoding="utf-8").replace("gout", "Übelkeit").replace(",", ";")
    (place / "latin.csv").write_bytes(text.encode("latin-1"))
    assert cli("init", "latin.csv").code == 2
    assert cli("init", "latin.csv", "--encoding", "latin-1", "--delimiter", ";").code == 0
    policy = sf.read_policy(place / "latin.yaml")
    assert (policy.input.encoding, policy.input.delimiter) == ("latin-1", ";")
    assert cli("anonymize", "latin.csv", "-p", "latin.yaml", "-o", "out", "-q").code == 0
    build = ("hierarchy", "build", "latin.csv", "-c", "disease", "--flat", "-o", "h.csv")
    assert cli(*build, "--encoding", "latin-1", "--delimiter", ";").code == 0


def test_help_teaches_and_knows_every_command(cli: Cli) -> None:
    text = cli("--help").out
    for name in ("init", "anonymize", "audit", "hierarchy", "schema", "demo"):
        assert name in text
        assert "Example" in cli(name, "--help").out or name in ("hierarchy", "demo")
    assert cli("--version").out == f"sfumato {sf.__version__}\n"


def test_demo_runs_from_a_first_look_to_a_report(place: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    done = cli("demo", "hospital", "--rows", "500")
    assert done.code == 0 and not opened, "nobody watches"
    for words in ("before", "after", "every criterion is met", "k-anonymity"):
        assert words in done.out
    assert {path.name for path in (place / "hospital").iterdir()} == {
        "patients.csv",
        "patients.yaml",
        "disease.csv",
        "out",
        "out.internal.json",
        "report.html",
        "report-external.html",
    }
    for name, says in (("report", "INTERNAL"), ("report-external", "EXTERNAL")):
        text = (place / "hospital" / f"{name}.html").read_text(encoding="utf-8")
        assert says in text and "✓ Criterion met" in text and sf.audit("hospital/out", "hospital/patients.yaml").holds
    assert cli("demo", "hospital").code == 2
    monkeypatch.setattr("sfumato.cli.demo._watched", lambda: True)
    assert cli("demo", "hospital", "--rows", "500", "--force", "--no-open").code == 0 and not opened
    assert cli("demo", "hospital", "--rows", "500", "--force").code == 0
    assert opened == [(place / "hospital" / "report.html").resolve().as_uri()]


@pytest.mark.parametrize(
    ("display", "variables", "terminal", "watched"),
    [
        ("linux", {"DISPLAY": ":0"}, True, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True, True),
        ("darwin", {}, True, True),
        ("linux", {}, True, False),
        ("linux", {"DISPLAY": ":0"}, False, False),
        ("linux", {"DISPLAY": ":0", "CI": "true"}, True, False),
        ("darwin", {"SSH_CONNECTION": "a b"}, True, False),
    ],
)
def test_a_window_is_opened_only_for_somebody_who_sits_there(
    monkeypatch: pytest.MonkeyPatch, display: str, variables: dict[str, str], terminal: bool, watched: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "CI", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    stream = type("Stream", (), {"isatty": lambda self: terminal})()
    monkeypatch.setattr("sfumato.cli.demo.sys", SimpleNamespace(platform=display, stdin=stream, stdout=stream))
    assert demo._watched() is watched
