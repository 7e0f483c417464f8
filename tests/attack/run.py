"""Run the attack: ``python -m tests.attack.run --seed 1 --releases 5000 --workers 2`` from the root of the project.

Workers are processes of their own, so that a crash ends one of them and is told with its seed. Every case that was
judged wrong is saved as a file, from which ``--replay FILE`` runs it again. Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .case import OPINIONS, Case
from .policies import make_case

__all__ = ["main"]

_ROOT = Path(__file__).resolve().parents[2]
_SILENCE = 180.0  # seconds without a word after which a worker hangs
_BATCH = 10**6


class Crew:
    """Worker processes that share out the seeds, and what they said so far."""

    def __init__(self, seed: int, workers: int, folder: Path) -> None:
        self.folder, self.workers = folder, workers
        self.next = [seed * _BATCH + place for place in range(workers)]
        self.running: list[subprocess.Popen[bytes] | None] = [None] * workers
        self.read = [0] * workers
        self.heard = [time.time()] * workers
        self.outcomes: list[dict[str, Any]] = []
        self.crashes: list[tuple[int, str]] = []

    def work(self, releases: int) -> None:
        """Until so many releases are judged."""
        try:
            while sum(outcome["end"] == "released" for outcome in self.outcomes) < releases:
                for place in range(self.workers):
                    self._tend(place)
                time.sleep(0.5)
        finally:
            for process in self.running:
                if process is not None:
                    process.kill()
                    process.wait()

    def _tend(self, place: int) -> None:
        process = self.running[place]
        if process is None:
            self.running[place] = self._start(self.next[place])
            self.read[place], self.heard[place] = 0, time.time()
            return
        begun = self._listen(place, process.pid)
        ended, silent = process.poll() is not None, time.time() - self.heard[place] > _SILENCE
        if not ended and not silent:
            return
        process.kill()
        if begun is not None:
            self.crashes.append((begun, f"ended with {process.wait()}" if ended else "said nothing any more"))
            make_case(begun).save(self.folder / f"case-{begun}.json", findings=["crash of the process"])
            self.next[place] = begun + self.workers
        self.running[place] = None

    def _start(self, first: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.attack.worker", str(first), str(self.workers), str(_BATCH)]
        room = {"TMPDIR": "/dev/shm"} if Path("/dev/shm").is_dir() else {}
        return subprocess.Popen(
            [*command, str(self.folder)],
            cwd=_ROOT,
            env={**os.environ, "POLARS_MAX_THREADS": "1", **room},
            stderr=(self.folder / "errors.txt").open("ab"),
        )

    def _listen(self, place: int, pid: int) -> int | None:
        """Take down what a worker said; the seed that it is at, if it has begun one."""
        log = self.folder / f"outcomes-{pid}.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        whole = [line for line in lines if line.endswith("}")]
        for line in whole[self.read[place] :]:
            self.heard[place] = time.time()
            said = json.loads(line)
            if "end" in said:
                self.outcomes.append(said)
                self.next[place] = said["seed"] + self.workers
        self.read[place] = len(whole)
        last = json.loads(whole[-1]) if whole else {}
        return int(last["begun"]) if "begun" in last else None


def _say(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def _table(head: str, counts: Counter[Any]) -> None:
    _say(f"\n{head}")
    for key, count in counts.most_common():
        _say(f"{count:7}  {key}")


def report(outcomes: Sequence[dict[str, Any]], crashes: Sequence[tuple[int, str]]) -> int:
    """Counts, findings by kind, and how many they are."""
    released = [outcome for outcome in outcomes if outcome["end"] == "released"]
    _table(f"{len(outcomes)} cases, by their end", Counter(outcome["end"] for outcome in outcomes))
    _say(f"\n{sum(outcome['left_out'] > 0 for outcome in released)} of {len(released)} releases leave somebody out")
    _matrix("released by promise and form", released, "form")
    _matrix("released by promise and step", released, "step")
    triples = {(p, each["form"], each["step"]) for each in released for p in each["promises"]}
    _say(f"\n{len(triples)} different combinations of promise, form and step")
    found = [(finding, outcome) for outcome in outcomes for finding in outcome["findings"]]
    certain = [pair for pair in found if pair[0]["kind"] not in OPINIONS]
    _table("findings by kind", Counter(finding["kind"] for finding, _ in found))
    _table(
        "findings by kind, promise or column, form",
        Counter(f"{finding['kind']}: {finding['about']}, {outcome['form']}" for finding, outcome in found),
    )
    for seed, how in crashes:
        _say(f"crash: the process of seed {seed} {how}")
    return len(certain) + len(crashes)


def _matrix(head: str, released: Iterable[dict[str, Any]], axis: str) -> None:
    cells = Counter((promise, outcome[axis]) for outcome in released for promise in outcome["promises"])
    names, columns = sorted({name for name, _ in cells}), sorted({column for _, column in cells})
    _say(f"\n{head}")
    _say(" " * 42 + " ".join(column.rjust(max(len(column), 5)) for column in columns))
    for name in names:
        _say(name.ljust(42) + " ".join(str(cells[name, each]).rjust(max(len(each), 5)) for each in columns))


def _replay(path: Path) -> int:
    from .worker import run_case

    outcome = run_case(Case.load(path))
    _say(f"{outcome.end} {outcome.message}")
    for finding in outcome.findings:
        _say(f"{finding.kind}: {finding.about}: {finding.detail}")
    return 1 if outcome.findings else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which cases; others for every number")
    parser.add_argument("--releases", type=int, default=5000, help="how many releases to judge")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where cases that were judged wrong are saved")
    parser.add_argument("--replay", type=Path, help="run one saved case instead")
    given = parser.parse_args(arguments)
    if given.replay is not None:
        return _replay(given.replay)
    folder = given.folder or Path(tempfile.mkdtemp(prefix="attack-findings-"))
    folder.mkdir(parents=True, exist_ok=True)
    began = time.time()
    crew = Crew(given.seed, given.workers, folder)
    crew.work(given.releases)
    wrong = report(crew.outcomes, crew.crashes)
    _say(f"\n{wrong} findings in {time.time() - began:.0f} s; cases are in {folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
