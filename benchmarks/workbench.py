"""``python -m benchmarks.workbench``: how long pages take while a large table is published, and how soon Stop stops.

`sfumato serve` gets the demo hospital with 800,000 patients, its columns are decided, and somebody looks at every page
again and again while a release is made, from the button to the verdict; then again while another is, until Stop is
pressed. Wall seconds of single requests, since that is what somebody waits for: measure on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from rich.console import Console
from rich.table import Table as Shown

from sfumato.demo.hospital import hospital

__all__ = ["HEAD", "Figure", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("workbench.json")
ROWS = 800_000
PAGES = ("/release", "/data", "/columns", "/promise", "/column/1")
PROMISE = {"k": "5", "kind-0": "entropy-l", "l-0-entropy-l": "3", "limit": "0", "missing": "category"}
MADE, STOPPED = "while a release is made", "until Stop is pressed"
JOBS = {MADE: {"method": "mondrian"}, STOPPED: {"k": "7", "method": "boxes"}}
STOPPED_AFTER, PATIENCE = 15.0, 600.0
SLOWEST, STOP = 0.3, 2.0
"""Seconds, at most."""
HEAD = ("pages", "rows", "requests", "19 of 20 within, ms", "slowest, ms", "target", "Stop, s", "target", "met")


@dataclass(frozen=True)
class Figure:
    """Seconds that requests took: how many there were, the slowest but one in twenty, the slowest; and of Stop."""

    job: str
    rows: int
    requests: int
    most: float
    slowest: float
    stop: float | None = None

    @property
    def met(self) -> bool:
        return self.slowest <= SLOWEST and (self.stop or 0.0) <= STOP


@dataclass
class Visitor:
    """Who came by the link, with the cookie that it gave."""

    address: str
    cookie: str = ""
    took: list[float] = field(default_factory=list)

    def ask(self, method: str, path: str, fields: Mapping[str, str] | None = None) -> tuple[str, Mapping[str, str]]:
        """The page, and what was said with it."""
        connection = HTTPConnection(self.address, timeout=60)
        headers = {"Cookie": self.cookie, "Origin": f"http://{self.address}"}
        body = urlencode(fields).encode() if fields is not None else None
        form = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        began = time.monotonic()
        connection.request(method, path, body, {**headers, **form})
        answer = connection.getresponse()
        page = answer.read().decode("utf-8", "replace")
        self.took.append(time.monotonic() - began)
        connection.close()
        return page, {name.lower(): value for name, value in answer.getheaders()}

    def look(self, path: str) -> str:
        """The page, wherever it leads to."""
        page, said = self.ask("GET", path)
        while "location" in said:
            page, said = self.ask("GET", said["location"])
        return page

    def until(self, path: str, there: str = "", gone: str = "\0") -> None:
        """Wait for a page that has one text, and has the other no more."""
        end = time.monotonic() + PATIENCE
        while not (there in (page := self.look(path)) and gone not in page):
            if time.monotonic() > end:
                raise SystemExit(f"{path} was not ready after {PATIENCE:.0f} seconds")
            time.sleep(0.1)

    def watch(self, words: str, seconds: float) -> list[float]:
        """Look at every page until one says so, or the time is over; how long each took, the slowest last."""
        self.took.clear()
        end = time.monotonic() + seconds
        while time.monotonic() < end and not any(words in page for page in [*map(self.look, PAGES)]):
            time.sleep(0.05)
        return sorted(self.took)


@contextmanager
def served(folder: Path, table: Path) -> Iterator[Visitor]:
    """Somebody who has come to a workbench with this table."""
    command = [sys.executable, "-m", "sfumato", "serve", "--no-open", "--language", "en", str(table)]
    own = {**os.environ, "TMPDIR": str(folder), "SFUMATO_KEY": "a key of the benchmark"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own) as process:  # noqa: S603
        try:
            link = re.search(r"http://\S+", process.stdout.readline() if process.stdout is not None else "")
            if link is None:
                raise SystemExit("the workbench did not start")
            parts = urlsplit(link.group())
            visitor = Visitor(parts.netloc)
            _, said = visitor.ask("GET", f"{parts.path}?{parts.query}")
            visitor.cookie = said["set-cookie"].partition(";")[0]
            yield visitor
        finally:
            process.terminate()


def measured(rows: int) -> Iterator[Figure]:
    """A release that is made to its end, and one that is stopped."""
    with tempfile.TemporaryDirectory(prefix="sfumato-serve-") as place:
        table = Path(place) / "hospital.csv"
        hospital(rows).write_csv(table)
        with served(Path(place), table) as visitor:
            visitor.until("/data", "What is each column?")
            visitor.ask("POST", "/columns", {"column": "5", "role": "insensitive"})
            visitor.until("/promise", gone="data-waiting")
            visitor.ask("POST", "/run", {**PROMISE, **JOBS[MADE], "form": "generalized"})
            took = visitor.watch("Criterion met", 900)
            yield _figure(MADE, rows, took)
            visitor.ask("POST", "/run", {**PROMISE, **JOBS[STOPPED], "form": "generalized"})
            took = visitor.watch("\0", STOPPED_AFTER)
            began = time.monotonic()
            visitor.ask("POST", "/stop", {})
            yield _figure(STOPPED, rows, took, time.monotonic() - began)


def _figure(job: str, rows: int, took: Sequence[float], stop: float | None = None) -> Figure:
    most = took[len(took) * 19 // 20]
    return Figure(job, rows, len(took), round(most, 3), round(took[-1], 3), stop if stop is None else round(stop, 3))


def stored() -> list[Figure]:
    return [Figure(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures beside their targets, a line each."""
    for each in figures:
        times = f"{1000 * each.most:.0f}", f"{1000 * each.slowest:.0f}", f"{1000 * SLOWEST:.0f}"
        stop = ("", "") if each.stop is None else (f"{each.stop:.2f}", f"{STOP:g}")
        yield each.job, f"{each.rows:,}", f"{each.requests:,}", *times, *stop, "yes" if each.met else "no"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workbench", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    figures, table = list(measured(given.rows)), Shown(title="Pages of the workbench while it works")
    for name in HEAD:
        table.add_column(name, justify="left" if name == "pages" else "right", no_wrap=name == "pages")
    for line in lines(figures):
        table.add_row(*line)
    Console().print(table)
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n", encoding="utf-8")
    return int(given.check and not all(each.met for each in figures))


if __name__ == "__main__":
    raise SystemExit(main())
