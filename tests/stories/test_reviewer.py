"""An independent reviewer: a copy of the release and the policy, nothing else; and releases that somebody changed."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.support.command import Cli
from tests.support.desk import Desk, grammatical

POLICY = """\
columns:
  name: {role: identifier}
  age: {role: quasi, type: integer}
  town: {role: quasi}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 3}
  - {model: distinct-l, l: 2}
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, cli: Cli) -> Desk:
    """The holder's work is done elsewhere; the reviewer's folder has out/, out.csv's kin and the policies."""
    holder = tmp_path / "holder"
    holder.mkdir()
    monkeypatch.chdir(holder)
    made = Desk(holder, cli)
    draw = random.Random(2)
    rows = [
        f"person{number},{draw.randint(20, 70)},{draw.choice(['Rome', 'Nice'])},{draw.choice(['flu', 'gout', 'lupus'])}"
        for number in range(60)
    ]
    made.write("data.csv", "\n".join(["name,age,town,disease", *rows]) + "\n")
    made.write("p.yaml", POLICY)
    made.write("close.yaml", POLICY.replace("- {model: distinct-l, l: 2}", "- {model: t-closeness, t: 0.4}"))
    for name, policy, more in (("out", "p", ()), ("close", "close", ()), ("typed", "p", ("--format", "parquet"))):
        done = made("anonymize", "data.csv", "-p", f"{policy}.yaml", "-o", name, "-q", *more)
        assert done.code == 0, done.err
    reviewer = tmp_path / "reviewer"
    reviewer.mkdir()
    for name in ("out", "close", "typed"):
        shutil.copytree(holder / name, reviewer / name)
    for name in ("p.yaml", "close.yaml"):
        shutil.copy(holder / name, reviewer / name)
    monkeypatch.chdir(reviewer)
    return Desk(reviewer, cli)


def test_verdicts_from_the_release_alone(desk: Desk) -> None:
    judged = desk.process("audit", "out", "-p", "p.yaml")
    assert judged.code == 0 and "every criterion is met: 60 rows in " in judged.out, judged.out
    assert grammatical(judged.out)
    told = desk("audit", "out", "-p", "p.yaml", "--json").json
    shown = pl.read_csv(desk.place / "out" / "table.csv", infer_schema=False)
    groups = shown.group_by("age", "town").agg(pl.len(), pl.col("disease").n_unique())
    assert told["groups"] == groups.height
    assert told["reached"]["k"] == groups["len"].min()
    assert told["reached"]["columns"]["disease"]["distinct_l"] == groups["disease"].min()
    assert desk("audit", "typed", "-p", "p.yaml").code == 0
    desk.edit("p.yaml", {"k: 3": "k: 30"})
    stricter = desk("audit", "out", "-p", "p.yaml")
    assert stricter.code == 4 and "fails       k-anonymity (k=30)" in stricter.out


def test_what_an_outsider_cannot_decide(desk: Desk) -> None:
    """t-closeness needs the original distribution: undecidable, with bounds; with the holder's word it is decided."""
    judged = desk("audit", "close", "-p", "close.yaml")
    assert judged.code == 4 and "nothing fails, but 1 of 2 criteria cannot be decided" in judged.out
    assert "needs the original distribution of 'disease': the internal manifest" in judged.out
    bounds = desk("audit", "close", "-p", "close.yaml", "--json").json["criteria"][1]["bounds"]
    shown = pl.read_csv(desk.place / "close" / "table.csv", infer_schema=False)
    whole = dict(shown["disease"].value_counts(normalize=True).iter_rows())
    farthest = max(
        sum(abs((group["disease"] == value).sum() / group.height - share) for value, share in whole.items()) / 2
        for _, group in shown.group_by("age", "town")
    )
    low, high = (_number(bounds[end]) for end in ("low", "high"))
    assert low == pytest.approx(farthest, abs=1e-6) and high == pytest.approx(farthest, abs=1e-6)
    trusted = desk("audit", "close", "-p", "close.yaml", "--whole")
    assert trusted.code == 0, trusted.out


def _number(level: object) -> float:
    top, _, bottom = str(level).partition("/")
    return int(top) / int(bottom) if bottom else float(top)


def _lines(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    path.write_text("\n".join(change(path.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")


def _cell(out: Path) -> None:
    _lines(out / "table.csv", lambda lines: [lines[0], lines[1].replace(lines[1].split(",")[-1], "plague"), *lines[2:]])


def _row(out: Path) -> None:
    _lines(out / "table.csv", lambda lines: lines[:-1])


def _document(out: Path, change: Callable[[Any], object]) -> None:
    """Change release.json, written as sfumato writes it."""
    path = out / "release.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _count(out: Path) -> None:
    _document(out, lambda document: document["rows"].update(published=61))


def _suppressed(out: Path) -> None:
    _document(out, lambda document: document["rows"].update(suppressed=7))


def _file(out: Path) -> None:
    (out / "notes.txt").write_text("more about persons", encoding="utf-8")


def _trailing(out: Path) -> None:
    with (out / "release.json").open("ab") as file:
        file.write(b"   \n")


def _after(out: Path) -> None:
    with (out / "table.csv").open("ab") as file:
        file.write(b"\n\n")


def _column(out: Path) -> None:
    _lines(out / "table.csv", lambda lines: [lines[0].replace("town", "city"), *lines[1:]])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_cell, "its bytes are not those that release.json describes"),
        (_row, "the table has 59 rows, release.json says 60"),
        (_count, "the table has 60 rows, release.json counts 61 published"),
        (_suppressed, "suppression (limit=0): level 7/67"),
        (_file, "the folder holds 1 thing that release.json does not name"),
        (_trailing, "release.json"),
        (_after, "its bytes are not those that release.json describes"),
        (_column, "'city'"),
    ],
)
def test_a_changed_release_is_found(desk: Desk, change: Callable[[Path], None], words: str) -> None:
    change(desk.place / "out")
    judged = desk("audit", "out", "-p", "p.yaml")
    assert judged.code == 4, judged.out
    told = [line for line in judged.out.splitlines() if line.startswith(("  problem ", "  fails "))]
    assert any(words in line for line in told), judged.out
    assert "plague" not in judged.out and grammatical(judged.out)


def test_words_hidden_in_the_schema_of_a_parquet_file(desk: Desk) -> None:
    path = desk.place / "typed" / "table.parquet"
    table = pq.read_table(path)
    field = table.schema.field(0).with_metadata({"person": "somebody"})
    pq.write_table(table.cast(table.schema.set(0, field)), path)
    seen = hashlib.sha256(path.read_bytes()).hexdigest()
    _document(path.parent, lambda document: document["tables"][0].update(sha256=seen))
    judged = desk("audit", "typed", "-p", "p.yaml")
    assert judged.code == 4
    assert "but the release has 1 problem" in judged.out, judged.out
    assert "problem     table.parquet: its bytes are not those that its cells are written with" in judged.out
    assert "somebody" not in judged.out


def test_a_stranger_s_table(desk: Desk) -> None:
    """No document, intervals of another tool, cells that it suppressed: judged by what it shows; k is told."""
    rows = ["20-29,R***,flu", "20-29,R***,gout", "20-29,R***,flu"] * 2 + ["*,*,gout", "*,*,lupus"]
    desk.write("theirs.csv", "\n".join(["age,town,disease", *rows]) + "\n")
    desk.edit("p.yaml", {"  name: {role: identifier}\n": "", ", type: integer": "", "k: 3": "k: 2"})
    judged = desk("audit", "theirs.csv", "-p", "p.yaml", "--whole")
    assert judged.code == 0, judged.out
    assert "no release.json" in judged.out and "8 rows in 2 groups" in judged.out
    assert desk("audit", "theirs.csv", "-p", "p.yaml", "--json").json["reached"]["k"] == 2
    desk.edit("p.yaml", {"k: 2": "k: 3"})
    stricter = desk("audit", "theirs.csv", "-p", "p.yaml", "--whole")
    assert (
        stricter.code == 4
        and "fails       k-anonymity (k=3): level 2; broken in groups: 1, with rows: 2" in stricter.out
    )
    typed = desk("audit", "theirs.csv", "-p", "p.yaml", "--whole", "--json")
    assert typed.json["reached"]["k"] == 2
