"""``python -m benchmarks.choices``: what auto keeps on five real tables, beside every single method."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table as Shown

from benchmarks.choices.run import Choice, as_line, measured_all, measured_here
from benchmarks.choices.show import STORED, markdown, stored
from benchmarks.choices.tables import PROMISES, TABLES

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1 if a single method loses less than auto."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choices", description=__doc__)
    parser.add_argument("--only", nargs="*", default=list(TABLES), metavar="Adult", help="some of the tables")
    parser.add_argument("--seconds", type=float, default=300, help="after which a method is given up")
    parser.add_argument("--save", action="store_true", help="store what was measured, for the documentation")
    parser.add_argument("--here", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        table, promise, *methods = options.here
        for choice in measured_here(table, promise, methods):
            sys.stdout.write(as_line(choice) + "\n")
            sys.stdout.flush()
        return 0
    found: list[Choice] = []
    for table in options.only:
        for choice in measured_all(table, list(PROMISES), options.seconds):
            found.append(choice)
            sys.stderr.write(as_line(choice) + "\n")
        if options.save:
            _save(table, found)
    ((title, (head, lines)),) = markdown(found).items()
    shown = Shown(*head, title=title)
    for line in lines:
        shown.add_row(*line)
    Console(width=240).print(shown)
    return int(any(_lost_less(found, table, promise) for table in options.only for promise in PROMISES))


def _save(table: str, found: Sequence[Choice]) -> None:
    """What was measured of a table in place of what was stored of it."""
    known = [each for each in (stored() if STORED.exists() else []) if each.table != table]
    every = [*known, *(each for each in found if each.table == table)]
    ordered = sorted(every, key=lambda each: list(TABLES).index(each.table))
    STORED.write_text(json.dumps([asdict(each) for each in ordered], indent=1) + "\n", encoding="utf-8")


def _lost_less(found: Sequence[Choice], table: str, promise: str) -> bool:
    mine = {each.method: each.loss for each in found if (each.table, each.promise) == (table, promise)}
    return any(loss is not None and loss < (mine["auto"] or 0) - 1e-9 for loss in mine.values())


if __name__ == "__main__":
    sys.exit(main())
