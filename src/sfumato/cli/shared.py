"""What commands share: options that mean the same everywhere, and progress on standard error."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from sfumato.errors import HierarchyError, InputError, TableError

__all__ = [
    "Blanks",
    "Data",
    "Delimiter",
    "Edition",
    "Encoding",
    "Interrupts",
    "Json",
    "Language",
    "ManifestFile",
    "Marks",
    "OriginalTable",
    "PolicyFile",
    "Quiet",
    "ReleaseFiles",
    "Sheet",
    "Stopped",
    "chosen",
    "named_by_flags",
    "print_json",
    "print_nothing_more",
    "progress",
    "require_not_stopped",
    "require_other",
    "settings_of",
    "with_policies",
]

PolicyFile = Annotated[
    Path, typer.Option("--policy", "-p", metavar="POLICY", help="The policy: YAML, TOML or JSON.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, whatever the outcome.")]
Blanks = Annotated[
    Literal["auto", "missing", "suppressed"],
    typer.Option(
        "--blank",
        metavar="WORD",
        help="What an empty cell of a bare table is: missing, suppressed, or auto: suppressed if nothing is missing.",
    ),
]
Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="CSV (also .gz), Parquet, Excel, Stata, SPSS, several of one kind ('parts/*.csv'), - for standard input,"
        " or a table of a database: postgresql://… or sqlite:….",
    ),
]
ReleaseFiles = Annotated[
    str,
    typer.Argument(
        metavar="RELEASE",
        help="A release folder, also in an object store (s3://…), or a table: CSV (also .gz), Parquet, Excel, Stata,"
        " SPSS, or the address of a database.",
    ),
]
ManifestFile = Annotated[
    Path | None, typer.Option("--manifest", metavar="FILE", help="The internal manifest, if you are the holder.")
]
OriginalTable = Annotated[
    str | None, typer.Option("--original", metavar="DATA", help="The table that the release was made from.")
]
Edition = Annotated[
    Literal["internal", "external"],
    typer.Option("--edition", metavar="internal|external", help="The report for the holder, or for others."),
]
Language = Annotated[str, typer.Option("--language", metavar="en|de", help="Of its words.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no summary.")]


Encoding = Annotated[str, typer.Option("--encoding", metavar="NAME", help="Encoding of a CSV file.")]
Delimiter = Annotated[
    str | None,
    typer.Option("--delimiter", metavar="CHAR", help="What separates fields; default: the only one that fits."),
]

Sheet = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="Sheet of an Excel file; default: the only one there is.")
]


Marks = Annotated[
    list[str] | None,
    typer.Option("--missing", metavar="TEXT", help="A text of DATA that stands for a missing value; may be repeated."),
]
_UNITS = {"count": "tasks"}
"""What stages are told in, if not in rows."""
_FLAGS = {
    "encoding": "--encoding",
    "delimiter": "--delimiter",
    "decimal": "--decimal",
    "date": "--date-format",
    "missing_values": "--missing",
    "sheet": "--sheet",
}


@contextlib.contextmanager
def named_by_flags() -> Iterator[None]:
    """Errors of reading name the options of the command, where it has no policy whose `input:` could be set."""
    try:
        yield
    except (TableError, HierarchyError) as error:
        message = str(error)
        for setting, flag in _FLAGS.items():
            for written in (f"input.{setting}: ", f"input: {setting}", f"input.{setting}"):
                message = message.replace(written, f"{flag} " if written.endswith(" ") else flag)
        raise type(error)(message) from None


class Stopped(Exception):
    """A person pressed Ctrl-C; what has been written by then, in words."""

    exit_code = 130


class Interrupts:
    """The handler of Ctrl-C: it interrupts, and remembers it, since what runs below may take it for a fault."""

    def __init__(self) -> None:
        self.seen = False

    def __call__(self, *_: object) -> None:
        self.seen = True
        raise KeyboardInterrupt


def require_not_stopped() -> None:
    """Stop now if a person wanted to and something below went on all the same."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, Interrupts) and handler.seen:
        raise KeyboardInterrupt


def require_other(output: Path, *inputs: str | Path) -> None:
    """Refuse to write over what is read."""
    for given in map(Path, inputs):
        if output.exists() and given.exists() and output.samefile(given):
            raise InputError(f"{output} is what is read; choose another name")


def chosen(only: list[str] | None, kind: str) -> list[dict[str, Any]] | None:
    """What --only names, each with its settings: ``NAME:key=value,key=value``; None: everything.

    >>> chosen(["count-queries:dimensions=2,share=0.1"], "measure")
    [{'measure': 'count-queries', 'dimensions': 2, 'share': 0.1}]
    """
    if not only:
        return None
    made = []
    for each in only:
        name, _, settings = each.partition(":")
        made.append({kind: name, **settings_of(settings, f"--only {name}:")})
    return made


def settings_of(text: str, flag: str) -> dict[str, Any]:
    """Settings written as ``key=value,key=value``.

    >>> settings_of("delta=0.1,rho1=1/3", "--bayes ")
    {'delta': 0.1, 'rho1': '1/3'}
    """
    pairs = [pair.partition("=") for pair in text.split(",") if pair]
    if any(not sign for _, sign, _ in pairs):
        raise InputError(f"{flag}{text}: write settings as {flag}key=value,key=value")
    return {key.strip(): _value(value.strip()) for key, _, value in pairs}


def with_policies(
    releases: list[str] | None, policies: list[Path] | None, policy: Path, option: str
) -> list[tuple[str, Path]]:
    """Releases, each with its policy: as many as there are, one for all, or that of the command.

    >>> with_policies(["a", "b"], None, Path("p"), "--other") == [("a", Path("p")), ("b", Path("p"))]
    True
    """
    given, theirs = releases or [], policies or [policy]
    if policies and len(theirs) not in (1, len(given)):
        raise InputError(
            f"{option}-policy is given {len(theirs)} times, {option} {len(given)} times; give it once for all, or as"
            " often, in the same order"
        )
    return [*zip(given, theirs * len(given) if len(theirs) == 1 else theirs, strict=False)]


def _value(text: str) -> Any:
    """A number if it is one, or a truth value; else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def print_json(facts: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(facts, ensure_ascii=False, indent=1))


def print_nothing_more() -> None:
    """Standard output takes nothing: what is left of it goes nowhere, or it would end the process by itself."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def progress(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error while a person watches; otherwise nothing."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description:<15}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.fields[unit]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int) -> None:
            name = stage.partition(":")[0]  # what follows tells how it goes
            if name not in tasks:
                tasks[name] = bar.add_task(stage, total=max(total, 1), unit=_UNITS.get(name, "rows"))
            bar.update(tasks[name], completed=done, total=max(total, 1), description=stage)

        yield show
