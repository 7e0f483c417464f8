"""``python -m sfumato.testing``: every promise with every algorithm in every form that is installed, on random tables.

A line per triple on standard output, progress on standard error; exit code 1 if one of them fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from sfumato.engine.matrix import Cell
from sfumato.testing.triple import Ends, check_triple, triples

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the matrix, and answer with the exit code."""
    given = _parser().parse_args(arguments)
    cells = triples(given.sample, given.seed, persons=given.persons)
    told = []
    for number, cell in enumerate(cells, 1):
        sys.stderr.write(f"{number} of {len(cells)}: {_name(cell)}\n")
        tally, failure = _run(cell, given.seed, given.rounds)
        told.append({**cell.as_dict(), **asdict(tally), "failure": failure})
        if not given.json:
            sys.stdout.write(
                f"{'FAILS' if failure else 'ok':<5}  {cell.status:<7}  {_name(cell)}: {failure or tally}\n"
            )
            sys.stdout.flush()
    failed = sum(bool(each["failure"]) for each in told)
    if given.json:
        sys.stdout.write(json.dumps({"seed": given.seed, "rounds": given.rounds, "triples": told}, indent=2) + "\n")
    else:
        sys.stdout.write(f"{len(cells) - failed} of {len(cells)} triples do what the matrix says\n")
    return 1 if failed else 0


def _run(cell: Cell, seed: int, rounds: int) -> tuple[Ends, str]:
    try:
        return check_triple(cell, seed, rounds), ""
    except AssertionError as error:
        return Ends(), str(error)


def _name(cell: Cell) -> str:
    return f"{cell.model} x {cell.method} x {cell.form}"


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more (got {number})")
    return number


def _seed(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be 0 or more (got {number})")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sfumato.testing", description=(__doc__ or "").partition("\n")[2])
    parser.add_argument("--seed", type=_seed, default=0, help="of the first random table; the next ones follow it")
    parser.add_argument("--rounds", type=_count, default=10, help="random tables for each triple, at least 1")
    parser.add_argument("--sample", type=_count, help="only so many triples, at least 1, chosen by the seed")
    parser.add_argument("--persons", action="store_true", help="tables in which somebody has several rows")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    return parser


if __name__ == "__main__":
    sys.exit(main())
