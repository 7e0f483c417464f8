"""Results as a table for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.table import Table

from benchmarks.results import Result, Stored

__all__ = ["table"]


def table(results: Iterable[Result], stored: Stored) -> Table:
    """One line per kernel, data and size."""
    made = Table(caption="CPU time of all threads; × floor: against grouping the coded rows, measured in turn")
    for head in ("kernel", "data"):
        made.add_column(head, no_wrap=True)
    for head in ("rows", "ms", "× floor", "target", "met", "stored"):
        made.add_column(head, justify="right", no_wrap=True)
    for result in results:
        made.add_row(
            result.kernel,
            result.data,
            result.size,
            f"{result.ms:,.1f}",
            f"{result.ratio:.2f}",
            _target(result),
            {True: "[green]yes[/]", False: "[red]no[/]", None: ""}[result.met],
            _stored(result, stored),
        )
    return made


def _target(result: Result) -> str:
    if result.most is not None:
        return f"≤ {result.most:g} ×"
    return "" if result.most_ms is None else f"≤ {result.most_ms:g} ms"


def _stored(result: Result, stored: Stored) -> str:
    before = result.before(stored)
    return "none" if before is None else f"{before:.2f} ({result.ratio / before - 1:+.0%})"
