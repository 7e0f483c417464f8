"""`python -m benchmarks.losses` on a small table: losses by hand, what it prints and stores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sfumato as sf
from benchmarks import losses
from benchmarks.losses import METHODS, Adult, Information, measured
from sfumato.loss.ncp import NCP
from tests.support.tiny_adult import ROWS, tiny_adult


@pytest.fixture
def adult(tmp_path: Path) -> Adult:
    _, policy, frame = tiny_adult(tmp_path)
    return Adult.of(sf.read(frame, policy))


def test_information_lost_is_leaves_of_leaves(adult: Adult) -> None:
    column = next(each for each in adult.coded.quasi if each.name == "race")  # three values: {a, b}, {c}
    low, high = np.array([0, 0, 0]), np.array([0, 1, 2])
    assert Information().cost(column, low, high).tolist() == [0, 2 / 3, 1]
    assert NCP().cost(column, low, high).tolist() == [0, 1 / 2, 1]


@pytest.mark.parametrize("name", METHODS)
def test_every_algorithm_is_measured(adult: Adult, name: str) -> None:
    entry = measured(adult, name, 2, runs=1)
    assert entry.il is not None and entry.ncp is not None and entry.groups is not None
    assert 0 < entry.ncp < entry.il <= 1
    assert 1 <= entry.groups <= ROWS // 2


def test_what_cannot_be_kept_has_no_loss(adult: Adult) -> None:
    assert measured(adult, "bsgi", 11, runs=1) == losses.Entry("bsgi", 11)  # there are ten values


def test_prints_and_stores(
    adult: Adult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "losses.json"
    stored.write_text(
        json.dumps([{"method": "gone", "l": 2}, {"method": "anatomy", "l": 2}, {"method": "arp", "l": 2}])
    )
    monkeypatch.setattr(losses, "STORED", stored)
    monkeypatch.setattr(losses.Adult, "load", lambda: adult)
    assert losses.main(["--only", "anatomy", "--runs", "1", "--save"]) == 0
    assert capsys.readouterr().out.count("anatomy") == 4
    kept = json.loads(stored.read_text(encoding="utf-8"))
    assert [(each["method"], each["l"]) for each in kept] == [*(("anatomy", l) for l in range(2, 8)), ("arp", 2)]
    assert kept[0].keys() == {"method", "l", "il", "ncp", "groups"}
    assert losses.main(["--only", "nothing"]) == 2
    assert losses.main(["--runs", "0"]) == 2
