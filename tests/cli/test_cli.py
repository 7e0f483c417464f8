"""The command line as a person or a nightly job meets it: output, exit codes, and what is left on disk."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.cli.main import run

POLICY = """
version: 1
columns:
  age: {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  zip: {role: quasi, hierarchy: {mask: right}}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: distinct-l, l: 2, on: disease}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table and a policy, entered; and a key, so that the user's own is left alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of the command line")
    rows = 60
    pl.DataFrame(
        {
            "age": [20 + (row * 7) % 50 for row in range(rows)],
            "zip": [f"{2000 + (row * 13) % 40:05}" for row in range(rows)],
            "disease": [("flu", "cold", "gout", "lupus")[(row * 3 + row // 7) % 4] for row in range(rows)],
        }
    ).write_csv(tmp_path / "data.csv")
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    return tmp_path


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    def call(*arguments: str) -> Outcome:
        import warnings

        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            warnings.simplefilter("default")
            run(list(arguments))
        printed = capsys.readouterr()
        code = ended.value.code
        return Outcome(code if isinstance(code, int) else 0, printed.out, printed.err)

    return call


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_anonymize_then_audit(place: Path, cli: Any) -> None:
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 0
    assert "every criterion is met" in done.out
    assert sorted(path.name for path in (place / "out").iterdir()) == ["release.json", "table.csv"]
    judged = cli("audit", "out", "-p", "policy.yaml", "--json")
    assert judged.code == 0
    assert judged.json["holds"] is True
    assert [criterion["verdict"] for criterion in judged.json["criteria"]] == ["holds", "holds"]
    assert judged.json["reached"]["k"] >= 3


def test_two_tables_need_a_folder_which_is_said_before_any_work(place: Path, cli: Any) -> None:
    text = POLICY.replace("  - {model: k-anonymity, k: 3}\n", "") + "form: {publish: anatomized}\n"
    (place / "policy.yaml").write_text(text, encoding="utf-8")
    refused = cli("anonymize", "nothing.csv", "-p", "policy.yaml", "-o", "out.csv")
    assert refused.code == 2 and "2 tables" in refused.err
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert sorted(path.name for path in (place / "out").iterdir()) == ["quasi.csv", "release.json", "sensitive.csv"]
    assert cli("audit", "out", "-p", "policy.yaml").code == 0


def test_the_same_job_gives_the_same_bytes(place: Path, cli: Any) -> None:
    for name in ("one", "two"):
        assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", name, "-q").code == 0
    assert files(place / "one") == files(place / "two")


def test_json_tells_what_was_done(place: Path, cli: Any) -> None:
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out.parquet", "--json")
    assert done.code == 0
    assert done.json["release"]["rows"] == 60
    assert done.json["audit"]["holds"] is True
    assert done.json["files"] == ["out.parquet", "out.release.json"]
    assert (place / done.json["manifest"]).is_file()


def test_standard_input(place: Path, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
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
        (("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--format", "xls"), 2, "csv or parquet"),
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
def test_exit_codes_and_words(place: Path, cli: Any, arguments: tuple[str, ...], code: int, words: str) -> None:
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


def test_errors_are_json_when_asked(place: Path, cli: Any) -> None:
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    infeasible = cli("anonymize", "data.csv", "-p", "greedy.yaml", "-o", "out", "--json")
    assert infeasible.code == 3
    assert infeasible.json["error"] == "Infeasible"
    assert {"model": "distinct-l", "l": 4, "on": "disease"} in infeasible.json["nearest"]["promises"]
    (place / "bad.yaml").write_text(POLICY.replace("k: 3", "k: 0"), encoding="utf-8")
    wrong = cli("anonymize", "data.csv", "-p", "bad.yaml", "-o", "out", "--json")
    assert wrong.json["problems"][0]["path"] == "privacy[0].k"


def test_an_unexpected_error_shows_no_data(place: Path, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("row 7 has lupus")

    monkeypatch.setattr(sf, "publish", broken)
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out")
    assert done.code == 1
    assert "lupus" not in done.out + done.err
    assert "RuntimeError" in done.err


def test_no_output_or_error_ever_holds_a_sensitive_value(place: Path, cli: Any) -> None:
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


def test_init_writes_a_policy_that_a_person_must_confirm(place: Path, cli: Any) -> None:
    done = cli("init", "data.csv")
    assert done.code == 0
    text = (place / "data.yaml").read_text(encoding="utf-8")
    assert "separation" in text
    assert "not decisions" in done.out
    again = cli("init", "data.csv")
    assert again.code == 2
    assert (place / "data.yaml").read_text(encoding="utf-8") == text
    assert cli("anonymize", "data.csv", "-p", "data.yaml", "-o", "out", "-q").code == 0


def fits(document: Any, schema: dict[str, Any]) -> bool:
    """Whether a document has the shape that one of our flat schemas describes."""
    if "enum" in schema:
        return document in schema["enum"]
    kinds: dict[str, Any] = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "null": type(None),
    }
    allowed = schema.get("type", list(kinds))
    if not any(isinstance(document, kinds[kind]) for kind in ([allowed] if isinstance(allowed, str) else allowed)):
        return False
    if isinstance(document, list):
        return all(fits(item, schema.get("items", {})) for item in document)
    if not isinstance(document, dict) or schema.get("type") != "object":
        return True
    named, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    if not set(schema.get("required", ())) <= document.keys():
        return False
    return all(
        fits(value, named[key]) if key in named else others is True or (others is not False and fits(value, others))
        for key, value in document.items()
    )


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX systems")
def test_what_lies_beside_the_target_is_left_alone(place: Path, cli: Any) -> None:
    (place / "dangling").symlink_to("nowhere")
    (place / "loop").symlink_to("loop")
    os.mkfifo(place / "pipe")
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    assert cli("audit", "out", "-p", "policy.yaml", "-q").code == 0


@pytest.mark.parametrize("name", [".", "./", "", "-", "out.csv.gz", "out.xlsx", "out.json", "data.csv/out", "x" * 300])
def test_a_target_that_cannot_be_is_refused_by_name(place: Path, cli: Any, name: str) -> None:
    before = files(place)
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", name, "--force")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert files(place) == before


@pytest.mark.parametrize(("blocker", "target"), [("out.internal.json", "out"), ("out.release.json", "out.csv")])
def test_a_folder_in_the_place_of_a_file_is_refused_before_anything_moves(
    place: Path, cli: Any, blocker: str, target: str
) -> None:
    (place / blocker).mkdir()
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", target, "--force").code == 2
    assert not (place / target).exists()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX systems")
def test_a_link_is_not_replaced(place: Path, cli: Any) -> None:
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "v1", "-q").code == 0
    (place / "current").symlink_to("v1")
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "current", "--force")
    assert done.code == 2
    assert "link" in done.err
    assert (place / "current").is_symlink()


@pytest.mark.parametrize(
    "arguments",
    [
        ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "data.csv", "--force"),
        ("init", "data.csv", "-o", "data.csv", "--force"),
        ("hierarchy", "build", "data.csv", "-c", "age", "--flat", "-o", "data.csv", "--force"),
    ],
)
def test_nothing_is_written_over_what_is_read(place: Path, cli: Any, arguments: tuple[str, ...]) -> None:
    before = files(place)
    done = cli(*arguments)
    assert done.code == 2
    assert "choose another name" in done.err
    assert files(place) == before


def test_a_file_without_a_header_tells_nothing_of_its_first_row(place: Path, cli: Any) -> None:
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


def test_usage_errors_are_json_when_asked(place: Path, cli: Any) -> None:
    for arguments in (("anonymize", "data.csv", "--json"), ("audit", "--json", "--nonsense")):
        done = cli(*arguments)
        assert done.code == 2
        assert done.json["exit_code"] == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_release_whose_summary_cannot_be_printed_is_not_denied(place: Path, more: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", *more]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 1
    assert "written to out" in done.stderr
    assert "Traceback" not in done.stderr
    assert sf.audit(place / "out", place / "policy.yaml").holds


def test_latin_1_from_init_to_release(place: Path, cli: Any) -> None:
    text = (place / "data.csv").read_text(encoding="utf-8").replace("gout", "Übelkeit").replace(",", ";")
    (place / "latin.csv").write_bytes(text.encode("latin-1"))
    assert cli("init", "latin.csv").code == 2
    assert cli("init", "latin.csv", "--encoding", "latin-1", "--delimiter", ";").code == 0
    policy = sf.read_policy(place / "latin.yaml")
    assert (policy.input.encoding, policy.input.delimiter) == ("latin-1", ";")
    assert cli("anonymize", "latin.csv", "-p", "latin.yaml", "-o", "out", "-q").code == 0
    build = ("hierarchy", "build", "latin.csv", "-c", "disease", "--flat", "-o", "h.csv")
    assert cli(*build, "--encoding", "latin-1", "--delimiter", ";").code == 0


def test_two_runs_on_one_free_target_make_one_release(place: Path) -> None:
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q"]
    runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
    assert sorted(run.wait(timeout=120) for run in runs) == [0, 2, 2]
    assert sf.audit(place / "out", place / "policy.yaml").holds


def test_a_ragged_file_ends_in_an_error_and_never_in_an_abort(place: Path) -> None:
    """Seen: a process that ended with an abort, at random, after the message."""
    (place / "ragged.csv").write_text("age,zip,disease\n30,02000,a\n31\n32,02001\n", encoding="utf-8")
    command = [sys.executable, "-m", "sfumato", "anonymize", "ragged.csv", "-p", "policy.yaml", "-o", "out"]
    for _ in range(6):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 2
        assert "line 3 has 1 field, the header has 3; 2 rows in all" in done.stderr


def test_schemas(place: Path, cli: Any) -> None:
    assert cli("schema").json["properties"]["columns"]
    assert cli("schema", "audit").json["properties"]["criteria"]
    assert cli("schema", "release").json["properties"]["dictionary"]
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--json")
    assert fits(done.json, cli("schema", "anonymize").json)
    assert fits(cli("init", "data.csv", "--json").json, cli("schema", "init").json)
    errors = cli("schema", "error").json
    (place / "greedy.yaml").write_text(POLICY.replace("l: 2", "l: 9"), encoding="utf-8")
    (place / "bad.yaml").write_text(POLICY.replace("k: 3", "k: 0"), encoding="utf-8")
    for name in ("greedy.yaml", "bad.yaml", "none.yaml"):
        assert fits(cli("anonymize", "data.csv", "-p", name, "-o", "new", "--json").json, errors)
    assert not fits({"error": "x", "exit_code": 2}, errors)
    assert not fits({"error": "x", "exit_code": 2, "message": "", "more": 1}, errors)


def test_help_teaches_and_knows_every_command(cli: Any) -> None:
    text = cli("--help").out
    for name in ("init", "anonymize", "audit", "hierarchy", "schema", "demo"):
        assert name in text
        assert "Example" in cli(name, "--help").out or name in ("hierarchy", "demo")
    assert cli("--version").out == f"sfumato {sf.__version__}\n"


def test_demo_runs_from_a_first_look_to_an_audited_release(place: Path, cli: Any) -> None:
    done = cli("demo", "hospital", "--rows", "500")
    assert done.code == 0
    for words in ("before", "after", "every criterion is met", "k-anonymity"):
        assert words in done.out
    assert {path.name for path in (place / "hospital").iterdir()} == {
        "patients.csv",
        "patients.yaml",
        "disease.csv",
        "out",
        "out.internal.json",
    }
    assert cli("demo", "hospital").code == 2
    assert cli("demo", "hospital", "--rows", "500", "--force").code == 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
def test_a_kill_in_the_middle_leaves_the_old_release_whole(place: Path, cli: Any) -> None:
    """Real runs, killed at random moments: out/ stays whole, and the next run cleans up."""
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force"]
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    whole_run = time.monotonic() - began
    moments = random.Random(7)
    killed = 0
    for share in (0.3, 0.6, 0.8, 0.9, 0.95, 1.0):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole_run * share * moments.uniform(0.9, 1.0))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert sf.audit(place / "out", place / "policy.yaml").holds
        assert sorted(path.name for path in (place / "out").iterdir()) == ["release.json", "table.csv"]
    assert killed
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force", "-q").code == 0
    assert not [path for path in place.iterdir() if path.name.startswith(".out.sfumato-") and (path / "lock").exists()]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX systems")
def test_a_disk_without_room_leaves_the_old_release_whole(place: Path, cli: Any) -> None:
    """The system refuses files beyond a size, as a full disk does, at ever later moments."""
    import resource

    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    before = files(place)
    command = [sys.executable, "-m", "sfumato", "anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "--force"]
    for room in (0, 200, 1500):

        def small(limit: int = room) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=small)
        assert done.returncode == 1
        assert "cannot be written" in done.stderr or "File too large" in done.stderr
        assert files(place) == before
