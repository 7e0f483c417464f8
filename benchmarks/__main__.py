"""``python -m benchmarks``: measure, compare, and store if asked to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.adult import adult
from benchmarks.clock import Effort, interleaved
from benchmarks.contract import Kernel, Rows, Workload
from benchmarks.enlarge import DATA
from benchmarks.registry import FLOOR, KERNELS, SIZES
from benchmarks.results import Result, load, merged, save
from benchmarks.show import table
from sfumato.errors import SfumatoError

__all__ = ["chosen", "main", "measured", "size"]

STORED = Path(__file__).with_name("results.json")
_MOST = 10**9
QUICK = Effort(rounds=3, most=5, budget=0.5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 if a check finds a fault; 2 if the data cannot be had or nothing is chosen."""
    asked = _parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 100)
    errors = Console(stderr=True)
    sizes = asked.rows or (["30k"] if asked.quick else list(SIZES))
    try:
        kernels = chosen(asked.only)
        coded, document = adult()
    except (SfumatoError, ValueError) as error:
        errors.print(f"error: {error}", markup=False, highlight=False, soft_wrap=True)
        return 2
    base = Rows.of_tuples(coded)
    effort = QUICK if asked.quick else Effort()
    results: list[Result] = []
    with errors.status("") as status:
        for label, data in product(sizes, asked.data or DATA):
            workload = Workload(data, DATA[data](base, size(label)), document)
            for kernel in kernels:
                status.update(f"{kernel.name}, {data}, {label} rows")
                results += measured(kernel, workload, label, effort)
    stored = load(STORED)
    console.print(table(results, stored))
    faults = [fault for result in results if (fault := result.fault(stored, asked.tolerance))]
    if asked.save:
        save(merged(stored, results, [kernel.name for kernel in KERNELS if kernel is not FLOOR]), STORED)
    if asked.check:
        for fault in faults:
            errors.print(fault, style="red", highlight=False, soft_wrap=True)
    return 1 if asked.check and faults else 0


def measured(kernel: Kernel[Any], workload: Workload, label: str, effort: Effort) -> Iterator[Result]:
    """The kernel on a workload; nothing, if that is too large for it."""
    rows = len(workload.rows)
    if kernel.largest is not None and rows > kernel.largest:
        return
    floor, job = FLOOR.prepare(workload), kernel.prepare(workload)
    times = interleaved(lambda: FLOOR.run(floor), lambda: kernel.run(job), effort)
    yield Result(kernel.name, workload.data, label, rows, times.kernel * 1000, times.ratio, kernel.target)


def chosen(only: Sequence[str]) -> list[Kernel[Any]]:
    """The kernels whose name begins with one of the words; all, if there are none."""
    found = [kernel for kernel in KERNELS if not only or kernel.name.startswith(tuple(only))]
    lost = [word for word in only if not any(kernel.name.startswith(word) for kernel in KERNELS)]
    if lost:
        raise ValueError(f"no kernel begins with {', '.join(lost)}; there are: {', '.join(k.name for k in KERNELS)}")
    return found


def size(text: str) -> int:
    """``4.6M`` as a number."""
    if text in SIZES:
        return SIZES[text]
    factor = {"k": 1_000, "M": 1_000_000}.get(text[-1:], 1)
    number = float(text[:-1] if factor > 1 else text) * factor
    if not 1 <= number <= _MOST:
        raise ValueError(f"{text}: no such number of rows")
    return round(number)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _sizes(text: str) -> list[str]:
    words = _words(text)
    for word in words:
        try:
            size(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{word}: a number of rows from 1 to 1000M, such as 30k or 4.6M") from None
    return words


def _kinds(text: str) -> list[str]:
    words = _words(text)
    if not set(words) <= set(DATA):
        raise argparse.ArgumentTypeError(f"must be among {', '.join(DATA)}")
    return words


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__, allow_abbrev=False)
    add = parser.add_argument
    add("--rows", type=_sizes, metavar="30k,1M", help=f"sizes of the table, default {','.join(SIZES)}")
    add("--data", type=_kinds, metavar="hard", help=f"kinds of data, default {','.join(DATA)}")
    add("--only", type=_words, default=[], metavar="audit,mondrian", help="kernels by how their names begin")
    add("--quick", action="store_true", help="few rounds, and 30k rows unless --rows says otherwise")
    add("--check", action="store_true", help="exit code 1 if a ratio misses its target or is worse than stored")
    add("--tolerance", type=float, default=0.3, metavar="SHARE", help="how much worse a check lets pass, default 0.3")
    add("--save", action="store_true", help="store the ratios of this run")
    return parser


if __name__ == "__main__":
    sys.exit(main())
