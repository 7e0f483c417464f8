"""Long work in one process: pages answer meanwhile, progress counts, Stop is an end, and nothing of it is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sfumato.demo.hospital import hospital
from sfumato.workbench.asks import Ask
from sfumato.workbench.worker import Doing, Worker
from tests.support.workbench import Served, Visitor

LONG = {"k": "5", "kind-0": "entropy-l", "l-0-entropy-l": "3", "limit": "0", "missing": "category", "method": "boxes"}


def running(visitor: Visitor) -> None:
    """A job that takes long is under way, and has told something."""
    visitor.until("/data", "What is each column?")
    visitor.post("/columns", {"column": "5", "role": "insensitive"})
    visitor.post("/promise", {**LONG, "form": "generalized"})
    visitor.settled("/promise")
    visitor.post("/run")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    hospital(40_000).write_csv(tmp_path / "large.csv")
    return tmp_path / "large.csv"


def test_pages_answer_while_work_runs_and_stop_ends_it(serving: Callable[..., Served], large: Path) -> None:
    served = serving(str(large), "--language", "en")
    visitor = served.entered()
    running(visitor)
    page = visitor.until("/release", "Finding people who can look alike")
    assert "Stop" in page.text
    end = time.monotonic() + 60
    while "of 40,000" not in page.text and 'max="' not in page.html and time.monotonic() < end:
        page = visitor.look("/release")  # the bar counts
    assert '<progress max="' in page.html
    for path in ("/data", "/columns", "/promise", "/column/1"):
        assert visitor.get(path).status == 200
    assert visitor.post("/run").goes_to == "/release"  # which is the same work still
    began = time.monotonic()
    assert visitor.post("/stop").goes_to == "/promise"
    assert time.monotonic() - began < 2
    assert "Stopped. Nothing was written." in visitor.look("/promise").text
    assert visitor.get("/release").goes_to == "/promise"
    assert not [each for each in served.kept() if each.name.startswith("run-")]
    assert large.exists()  # it was read where it lies
    visitor.post("/promise", {**LONG, "method": "mondrian", "form": "generalized"})
    visitor.post("/run")
    visitor.until("/release", "Criterion met")  # by another process


@pytest.mark.thorough
def test_another_table_ends_what_runs(serving: Callable[..., Served], large: Path) -> None:
    served = serving(str(large), "--language", "en")
    visitor = served.entered()
    running(visitor)
    visitor.until("/release", "Finding people")
    visitor.post("/demo")
    visitor.until("/data", "What is each column?")
    assert visitor.get("/release").goes_to == "/promise"
    assert "1,998" in visitor.settled("/columns").text


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    made = Worker(tmp_path)
    yield made
    made.close()


def over(doing: Doing, seconds: float = 60) -> Doing:
    end = time.monotonic() + seconds
    while not doing.over and time.monotonic() < end:
        time.sleep(0.01)
    return doing


def source(tmp_path: Path, rows: str) -> dict[str, object]:
    path = tmp_path / "rows.csv"
    path.write_text(rows)
    return {"path": str(path), "name": "theirs.csv", "input": {}, "columns": ["a", "b"]}


def test_answers_are_kept_and_counted_by_hand(worker: Worker, tmp_path: Path) -> None:
    """Of 1-x, 1-x, 1-y, 2-y: two rows stand alone by both columns, one by the first, none by the second."""
    given = {"source": source(tmp_path, "a,b\n1,x\n1,x\n1,y\n2,y\n"), "columns": ["a", "b"]}
    first = over(worker.ask(Ask("alone", given)))
    assert (first.answer.rows, first.answer.alone, first.answer.without) == (4, 2, {"a": 0, "b": 1})
    assert worker.ask(Ask("alone", given)) is first


@pytest.mark.thorough
def test_a_later_ask_takes_the_place_of_one_that_waits(worker: Worker, tmp_path: Path) -> None:
    table = source(tmp_path, "a,b\n1,x\n1,x\n")
    asked = [
        worker.ask(Ask("alone", {"source": table, "columns": names}, "alone")) for names in (["a"], ["b"], ["a", "b"])
    ]
    assert over(asked[2]).answer.alone == 0
    assert asked[1].state == "waiting"  # nobody waits for it any more


def test_a_failure_says_the_name_that_was_given_and_no_value(worker: Worker, tmp_path: Path) -> None:
    table = source(tmp_path, "a,b\n1,secret\n1,2,3\n")
    doing = over(worker.ask(Ask("look", {"source": table})))
    assert doing.state == "failed" and doing.failure is not None
    assert "theirs.csv" in doing.failure.message and str(tmp_path) not in doing.failure.message
    assert "secret" not in doing.failure.message


@pytest.mark.thorough
def test_a_worker_that_dies_is_replaced(worker: Worker, tmp_path: Path) -> None:
    table = source(tmp_path, "a,b\n1,x\n")
    over(worker.ask(Ask("alone", {"source": table, "columns": ["a"]})))
    worker._process.kill()
    worker._process.join(10)
    time.sleep(0.2)
    assert over(worker.ask(Ask("alone", {"source": table, "columns": ["b"]}))).state == "done"
