"""The stored results as tables for people: on a console, and in the pages of the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table as Printed

from benchmarks.peers.contract import JOBS, Entry, Shown

__all__ = ["ARX", "STORED", "console", "load", "markdown", "merged", "save", "stored"]

STORED = Path(__file__).with_name("results.json")
ARX = Path(__file__).with_name("arx.json")
HEAD = ("promise", "tool", "how", "NCP", "suppressed", "CPU s", "peak GB", "recounted")
_TITLES: dict[Shown, str] = {"hierarchies": "by hierarchies", "sets": "as sets and exact intervals"}


def load(file: Path) -> list[Entry]:
    """Entries of a file; none if there is no such file."""
    if not file.exists():
        return []
    return [Entry(**each) for each in json.loads(file.read_text(encoding="utf-8"))["entries"]]


def stored() -> list[Entry]:
    """What was measured here, and ARX's figures beside it."""
    return [*load(STORED), *load(ARX)]


def merged(before: Iterable[Entry], now: Iterable[Entry]) -> list[Entry]:
    """Entries of this run in the place of older ones of the same tool, way and job."""
    kept = {(each.shown, each.job, each.tool, each.way): each for each in (*before, *now)}
    return [kept[key] for key in sorted(kept, key=lambda key: (key[0], list(JOBS).index(key[1]), *key[2:]))]


def save(entries: Sequence[Entry], file: Path) -> None:
    told = {"about": _about(), "entries": [asdict(each) for each in entries]}
    file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8", newline="\n")


def _about() -> str:
    return "Adult, 30,162 rows; made by python -m benchmarks.peers --save"


def rows(entries: Iterable[Entry], shown: Shown) -> Iterator[tuple[str, ...]]:
    """Lines of one table: by promise, the least loss first, what broke its promise or ended without a result last."""
    chosen = [each for each in entries if each.shown == shown]
    chosen.sort(key=lambda each: (list(JOBS).index(each.job), each.outcome != "kept", each.ncp is None, each.ncp or 0))
    for each in chosen:
        yield (
            each.job,
            f"{each.tool} {each.version}",
            each.way,
            "–" if each.ncp is None else f"{each.ncp:.4f}",
            "–" if each.suppressed is None else f"{each.suppressed:,}",
            f"{each.cpu:.1f}",
            "–" if each.memory is None else f"{each.memory:.2f}",
            _recounted(each),
        )


def _recounted(each: Entry) -> str:
    if each.outcome == "failed":
        return f"no result: {each.told}"
    if each.k is None:
        return each.told or "not recounted"
    found = f"k = {each.k}" if JOBS[each.job].l is None else f"l = {each.l}"
    words = found if each.outcome == "kept" else f"**broken**: {found}"
    return f"{words} (pycanon: {each.judged})" if each.judged else words


def markdown(entries: Iterable[Entry]) -> dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Per way of showing, the head and the lines of its table."""
    every = list(entries)
    return {f"peers {title}": (HEAD, list(rows(every, shown))) for shown, title in _TITLES.items()}


def console(entries: Iterable[Entry]) -> Iterator[Printed]:
    """The same for a console."""
    for title, (head, lines) in markdown(entries).items():
        made = Printed(title=title, title_justify="left")
        for name in head:
            made.add_column(name, justify="left" if name in ("promise", "tool", "how", "recounted") else "right")
        for line in lines:
            made.add_row(*line)
        yield made
