"""`python -m benchmarks` on a small table: what it prints, stores and answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks.clock import Effort
from benchmarks.enlarge import DATA
from benchmarks.registry import KERNELS
from benchmarks.results import load, save
from tests.support.tiny_adult import ROWS, tiny_adult

Run = Callable[..., int]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "results.json"
    monkeypatch.setattr(command, "STORED", path)
    return path


@pytest.fixture
def run(tmp_path: Path, stored: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(command, "adult", lambda: (table, document))
    monkeypatch.setattr(command, "QUICK", Effort(rounds=1, most=1, lap=0.0))

    def with_little(*arguments: str) -> int:
        return command.main(["--rows", str(ROWS), "--quick", "--only", "floor,audit", *arguments])

    return with_little


def kept(ratio: float) -> dict[str, object]:
    return {name: {data: {str(ROWS): {"ratio": ratio, "target": None}} for data in DATA} for name in ("floor", "audit")}


def test_prints_a_line_for_every_kernel_and_kind_of_data(
    run: Run, stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run() == 0
    lines = [line.split("│")[1:3] for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    names = [tuple(cell.strip() for cell in line) for line in lines]
    assert names == [(kernel, data) for data in DATA for kernel in ("floor", "audit")]
    assert not stored.exists()


def test_saves_ratios_and_nothing_of_the_machine(run: Run, stored: Path) -> None:
    assert run("--data", "hard", "--save") == 0
    made = load(stored)
    assert {name: list(data) for name, data in made.items()} == {"audit": ["hard"]}  # that of the floor is 1
    for data in made.values():
        assert data["hard"][str(ROWS)].keys() == {"ratio", "target"}


def test_a_check_fails_only_if_a_ratio_is_worse_than_stored(
    run: Run, stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(kept(1e6), stored)
    assert run("--check") == 0
    save(kept(1e-6), stored)
    assert run() == 0
    assert run("--check") == 1
    assert f"audit, hard, {ROWS} rows" in capsys.readouterr().err
    assert run("--check", "--tolerance", "1e12") == 0


def test_without_data_it_says_how_to_get_them(
    stored: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SFUMATO_DATA", raising=False)
    assert command.main(["--quick"]) == 2
    assert "adult_hierarchies" in capsys.readouterr().err


def test_a_kernel_that_is_not_there_is_an_error(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--only", "mondrain"]) == 2
    assert "mondrian strict" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--rows", "some"], ["--rows", "-3k"], ["--data", "soft"], ["--onl", "floor"]])
def test_wrong_options_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(wrong)
    assert ended.value.code == 2


def test_sizes_and_names_are_read_as_people_write_them() -> None:
    assert [command.size(text) for text in ("30k", "1M", "4.6M", "300k", "77")] == [
        30_162,
        1_000_000,
        4_600_000,
        300_000,
        77,
    ]
    assert [kernel.name for kernel in command.chosen(["mondrian"])] == [
        kernel.name for kernel in KERNELS if kernel.name.split()[0] == "mondrian"
    ]
    assert command.chosen([]) == list(KERNELS)
