"""Jobs of least loss: what is measured is what was written, and it keeps its promise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import leastloss
from benchmarks.leastloss import JOBS, Figure
from tests.support.examples import some
from tests.support.tiny_adult import tiny_adult


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(leastloss, "adult", lambda: (table, document))
    monkeypatch.setattr(leastloss, "MANY", 300)
    monkeypatch.setattr(leastloss, "STORED", tmp_path / "stored.json")
    for name, job in JOBS.items():
        monkeypatch.setitem(JOBS, name, replace(job, work=1_000))


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("job", some(["k=5", "distinct 3, exact", "k=5, 1M rows", "recursive (4,3)"]))
def test_a_job_is_measured_and_stored(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert leastloss.main(["--jobs", job, "--rounds", "1", "--save"]) == 0
    (stored,) = json.loads(leastloss.STORED.read_text(encoding="utf-8"))
    assert stored["job"] == job and 0 < stored["loss"] < 1 and stored["cpu"] > 0
    assert f"{stored['loss']:.4f}" in capsys.readouterr().out


def test_both_targets_must_be_met() -> None:
    job = JOBS["k=5"]
    assert Figure("k=5", job.loss, job.cpu).met
    assert not Figure("k=5", job.loss + 0.001, job.cpu).met
    assert not Figure("k=5", job.loss, job.cpu + 1).met


@pytest.mark.usefixtures("tiny")
def test_a_release_that_keeps_less_is_no_figure(tmp_path: Path) -> None:
    policy, data, out = tmp_path / "policy.json", tmp_path / "given.csv", tmp_path / "out"
    _, document, frame = tiny_adult(tmp_path)
    out.mkdir()
    frame.write_csv(data)
    frame.write_csv(out / "table.csv")
    policy.write_text(json.dumps({"columns": document["columns"], "privacy": [{"model": "k-anonymity", "k": 5}]}))
    with pytest.raises(ValueError, match="does not keep the promise"):
        leastloss._recounted(out, data, policy, document)
